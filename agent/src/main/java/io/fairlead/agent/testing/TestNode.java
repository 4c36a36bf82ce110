package io.fairlead.agent.testing;

import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.AgentOptionsBuilder;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/// What a test needs to have a node: a machine that is a network namespace, and the options of an
/// agent on it.
public final class TestNode {
  private TestNode() {}

  /// A machine that is to be a node: a network of its own, so far with loopback only. The caller
  /// deletes it.
  ///
  /// @param kind begins its name
  public static NetworkNamespace machine(String kind) {
    NetworkNamespace machine =
        NetworkNamespace.create(kind + "-" + UUID.randomUUID().toString().substring(0, 8));
    machine.run(
        () -> {
          try (Rtnetlink inside = Rtnetlink.open()) {
            inside.setUp(inside.link("lo").orElseThrow().index(), true);
          }
        });
    return machine;
  }

  /// An agent named `node-a` on that machine, with IPv4 pods.
  public static AgentOptionsBuilder options(NetworkNamespace machine, Path directory) {
    return AgentOptions.of("node-a", List.of("192.0.2.1"), directory, "v1.34.0")
        .podRanges(List.of(Cidr.parse("10.244.9.0/24")))
        .clusterRanges(List.of(Cidr.parse("10.244.0.0/16")))
        .clusterDns(List.of("10.96.0.10"))
        .host(HostNamespace.of(machine));
  }
}
