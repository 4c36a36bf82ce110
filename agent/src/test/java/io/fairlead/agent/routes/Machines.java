package io.fairlead.agent.routes;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Machines on one network, each a network namespace with a cable to a common switch. The first has
/// 192.168.77.11 and fd77::11, the second 12, and so on; the switch itself has 1 and is where the
/// rest of the world would be.
final class Machines implements AutoCloseable {
  private final String tag = UUID.randomUUID().toString().substring(0, 8);
  private final NetworkNamespace lan = NetworkNamespace.create("lan-" + tag);
  private final Map<String, NetworkNamespace> all = new LinkedHashMap<>();

  Machines(List<String> names) {
    boolean made = false;
    try {
      shell(
          lan,
          """
          ip link set lo up
          ip link add switch type bridge
          ip link set switch up
          ip addr add 192.168.77.1/24 dev switch
          ip addr add fd77::1/64 dev switch nodad
          """);
      for (String name : names) {
        join(name, all.size() + 1);
      }
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  private void join(String name, int number) {
    NetworkNamespace machine = NetworkNamespace.create("node-" + name + "-" + tag);
    all.put(name, machine);
    shell(
        lan,
        """
        ip link add port%1$d type veth peer name eth0 netns %2$s
        ip link set port%1$d master switch up
        """
            .formatted(number, machine.name()));
    shell(
        machine,
        """
        ip link set lo up
        ip addr add 192.168.77.1%1$d/24 dev eth0
        ip addr add fd77::1%1$d/64 dev eth0 nodad
        ip link set eth0 up
        ip route add default via 192.168.77.1
        ip -6 route add default via fd77::1
        """
            .formatted(number));
  }

  NetworkNamespace lan() {
    return lan;
  }

  NetworkNamespace of(String name) {
    return Objects.requireNonNull(all.get(name));
  }

  /// By name, in order.
  Map<String, NetworkNamespace> all() {
    return Collections.unmodifiableMap(all);
  }

  /// Everything an agent could leave behind in a machine's network.
  String traces(String name) {
    return shell(
        of(name),
        """
        ip -o link | awk '{print $2}'
        ip -o addr | awk '!/fe80/ {print $2, $3, $4}'
        (ip route; ip -6 route) | awk '!/fe80/ {print $1, $2, $3, $4, $5}'
        ip neigh | grep PERMANENT || true
        bridge fdb | grep ' dst ' || true
        nft list ruleset
        cd /proc/sys/net
        grep . ipv4/ip_forward ipv6/conf/all/forwarding ipv4/conf/all/rp_filter \\
          ipv4/conf/default/rp_filter ipv4/conf/all/route_localnet
        """);
  }

  /// Runs a script in a network and returns what it printed.
  static String shell(NetworkNamespace place, String script) {
    CommandRunner.Result result =
        CommandRunner.inside(place, PATIENCE).run("set -e\n" + script, List.of("sh"));
    assertThat(result.exit()).as(script + result.error()).isZero();
    return result.output().strip();
  }

  @Override
  public void close() {
    all.values().forEach(NetworkNamespace::delete);
    lan.delete();
  }
}
