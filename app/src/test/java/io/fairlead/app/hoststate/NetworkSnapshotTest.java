package io.fairlead.app.hoststate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.instance.DataDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkSnapshotTest {
  @TempDir Path directory;

  private static NetworkSnapshot with(List<String> rules, Map<String, String> sysctls) {
    return new NetworkSnapshot("boot", "net:[1]", rules, List.of("lo"), List.of(), sysctls);
  }

  @Test
  void aFileKeepsAllOfIt() {
    NetworkSnapshot footprint =
        new NetworkSnapshot(
            "boot",
            "net:[1]",
            List.of("table ip nat", "table ip nat chain \"a\""),
            List.of("lo", "lo 127.0.0.1/8"),
            List.of("0.0.0.0/0 via 192.0.2.1 dev eth0 table 254"),
            Map.of("net/ipv4/ip_forward", "0"));
    Path file = directory.resolve("before.json");
    footprint.write(file);
    assertThat(NetworkSnapshot.read(file)).contains(footprint);
    assertThat(footprint.differences(footprint)).isEmpty();
  }

  @Test
  void whatIsNoRecordIsNone() throws Exception {
    assertThat(NetworkSnapshot.read(directory.resolve("absent"))).isEmpty();
    assertThat(NetworkSnapshot.read(Files.writeString(directory.resolve("torn"), "{\"rules\": [")))
        .isEmpty();
  }

  @Test
  void equalLinesAreCountedNotOnlyFound() {
    NetworkSnapshot before = with(List.of("a", "b", "b"), Map.of("net/x", "0"));
    assertThat(before.differences(with(List.of("b", "a", "c"), Map.of("net/x", "1"))))
        .containsExactly("- b", "+ c", "- net/x=0", "+ net/x=1");
  }

  @Test
  void aSettingThatCameWithAModuleOfTheKernelIsNoTrace() {
    NetworkSnapshot before = with(List.of(), Map.of("net/x", "0"));
    assertThat(before.differences(with(List.of(), Map.of("net/x", "0", "net/vs/y", "1"))))
        .isEmpty();
  }

  @Test
  void whatIsLeftIsToldFromWhatOthersDid() {
    NodeCleanup.Outcome outcome =
        NodeCleanup.judged(
            List.of(
                "+ table ip fairlead-proxy",
                "+ table ip filter chain KUBE-SERVICES",
                "+ fl0123456789ab 10.244.0.1/32",
                "- net/ipv4/ip_forward=0",
                "+ counter ct_state_invalid_dropped_pkts",
                "+ table inet docker",
                "+ flannel.1",
                "- eth0 192.0.2.7/24"));
    assertThat(outcome.left()).hasSize(5);
    assertThat(outcome.foreign())
        .containsExactly("+ table inet docker", "+ flannel.1", "- eth0 192.0.2.7/24");
  }

  @Test
  @Provokes(ErrorCode.FL223)
  void aMachineIsOneNodeOnly() {
    Path run = directory.resolve("run");
    DataDirectory holder = new DataDirectory(Path.of("/var/lib/one"));
    try (NodeLock _ = NodeLock.take(run, "node-1", holder)) {
      FairleadException problem =
          catchThrowableOfType(
              FairleadException.class,
              () -> NodeLock.take(run, "node-1", new DataDirectory(Path.of("/two"))));
      assertThat(problem.code()).isEqualTo(ErrorCode.FL223);
      assertThat(problem.values().getFirst()).isEqualTo("/var/lib/one");
    }
    NodeLock.take(run, "node-1", holder).close();
  }
}
