package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An exception that no code expects, in every background loop of a whole node: each loop goes on,
/// and Services work afterwards.
@Tag("system")
final class LoopFaultsTest {
  /// Steps that sit in a call which no interrupt ends, until a packet, a connection or work comes:
  /// they take the fault then. Tests of their modules make them fail.
  private static final Set<String> IN_CALLS =
      Set.of(
          "dns-tcp-accept",
          "dns-udp",
          "packet-log",
          "proxy-control",
          "shared-watch",
          "store-checkpoint");

  @TempDir private Path home;

  @Test
  void everyLoopGoesOnAfterAFault() throws Exception {
    try (IsolatedMachine machine = new IsolatedMachine(home, true);
        NodeWithFaults node = NodeWithFaults.start(machine, home)) {
      awaitReady(machine);
      Hostnames hostnames = new Hostnames(machine);
      hostnames.apply();
      String address = hostnames.address();
      hostnames.awaitAll(address);

      Map<String, Long> before = node.restarts();
      assertThat(before).isNotEmpty();
      Map<String, Integer> hit = new TreeMap<>();
      before.keySet().forEach(kind -> hit.put(kind, node.fail(kind)));
      // Loops that wait for work get some: pods go, others come.
      IsolatedMachine.must(
          machine.kubectl("", "delete", "pods", "-l", "app=hostnames", "--wait=false"));

      await()
          .atMost(IsolatedMachine.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(node.restarts())
                      .allSatisfy(
                          (kind, restarts) -> {
                            if (hit.getOrDefault(kind, 0) > 0 && !IN_CALLS.contains(kind)) {
                              assertThat(restarts).as(kind).isGreaterThan(before.get(kind));
                            }
                          }));
      hostnames.awaitAll(address);
      await()
          .atMost(IsolatedMachine.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(
                          machine
                              .output(
                                  "dig",
                                  "+short",
                                  "@10.96.0.10",
                                  "hostnames.default.svc.cluster.local")
                              .strip())
                      .isEqualTo(address));
    }
  }

  private static void awaitReady(IsolatedMachine machine) {
    await()
        .atMost(IsolatedMachine.LIMIT)
        .until(
            () ->
                machine.kubeconfig().toFile().exists()
                    && machine
                        .kubectl("", "get", "nodes", "-o", "name")
                        .output()
                        .contains("node/"));
  }
}
