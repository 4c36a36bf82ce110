package io.fairlead.proxy.flows;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// A node with pods and an outside world, as network namespaces joined by veth pairs, in both
/// families: the machine the flow table is tried on. Pods answer on their ports with who they are
/// and whom they see. Needs root and `ip`.
public final class Lab implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final List<String> PODS = List.of("L1", "L2", "R1", "pod");
  private static final List<Integer> PORTS = List.of(Fixture.TARGET_PORT, 53, 5353);

  private final String prefix;
  private final Map<String, NetworkNamespace> namespaces = new HashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  private Lab(String prefix) {
    this.prefix = prefix;
  }

  /// Builds a fresh one.
  public static Lab create() {
    Lab lab = new Lab("fl" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet());
    try {
      lab.build();
      return lab;
    } catch (RuntimeException e) {
      lab.close();
      throw e;
    }
  }

  /// Where the rules go.
  public NetworkNamespace node() {
    return namespace("node");
  }

  public NetworkNamespace namespace(Origin origin) {
    return namespace(
        switch (origin) {
          case POD -> "pod";
          case L1 -> "L1";
          case NODE -> "node";
          case EXTERNAL, BAD, VIP -> "ext";
        });
  }

  /// A pod: `L1`, `L2`, `R1` or `pod`.
  public NetworkNamespace namespace(String name) {
    NetworkNamespace found = namespaces.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no namespace " + name);
    }
    return found;
  }

  private void build() {
    for (String name : List.of("node", "ext", "L1", "L2", "R1", "pod")) {
      namespaces.put(name, NetworkNamespace.create(prefix + name));
    }
    StringBuilder script = new StringBuilder("set -e\n");
    for (NetworkNamespace each : namespaces.values()) {
      // Duplicate address detection would keep addresses unusable for a second; limits of ICMP
      // would swallow refusals.
      script.append(
          """
          ip netns exec %1$s sysctl -q -w net.ipv6.conf.all.accept_dad=0 \
            net.ipv6.conf.default.accept_dad=0 net.ipv4.conf.default.rp_filter=0 \
            net.ipv4.conf.all.rp_filter=0 net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0
          ip -n %1$s link set lo up
          """
              .formatted(each.name()));
    }
    script.append(
        """
        ip netns exec %1$s sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 \
          net.ipv4.conf.all.route_localnet=1
        ip link add ext netns %1$s type veth peer name eth0 netns %2$s
        ip -n %1$s link set ext up
        ip -n %2$s link set eth0 up
        ip -n %1$s addr add 192.0.2.10/24 dev ext
        ip -n %1$s addr add 192.0.2.11/24 dev ext
        ip -n %1$s addr add 2001:db8:2::11/64 dev ext nodad
        ip -n %1$s addr add 2001:db8:2::10/64 dev ext nodad
        ip -n %2$s addr add 192.0.2.1/24 dev eth0
        ip -n %2$s addr add 2001:db8:2::1/64 dev eth0 nodad
        ip -n %2$s addr add 203.0.113.5/32 dev lo
        ip -n %2$s addr add 203.0.113.250/32 dev lo
        ip -n %2$s addr add 2001:db8:203::5/128 dev lo nodad
        ip -n %2$s addr add 2001:db8:203::fa/128 dev lo nodad
        ip -n %2$s route add default via 192.0.2.10
        ip -n %2$s route add default via 2001:db8:2::10
        ip -n %1$s route add default via 192.0.2.1
        ip -n %1$s route add default via 2001:db8:2::1
        """
            .formatted(node().name(), namespace("ext").name()));
    for (String pod : PODS) {
      script.append(pod(pod));
    }
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1)).run(script.toString(), List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException("cannot build the lab: " + result.error());
    }
    for (String pod : List.of("L1", "L2", "R1")) {
      for (int port : PORTS) {
        open.add(new EchoServer(namespace(pod), pod, port));
      }
    }
  }

  private String pod(String pod) {
    String subnet = pod.startsWith("R") ? "2" : "1";
    Fixture ipv4 = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);
    Fixture ipv6 = new Fixture(IpAddress.Family.IPV6, Protocol.TCP);
    boolean client = pod.equals("pod");
    IpAddress four = client ? ipv4.source(Origin.POD) : ipv4.endpoint(pod);
    IpAddress six = client ? ipv6.source(Origin.POD) : ipv6.endpoint(pod);
    return """
    ip link add %3$s netns %1$s type veth peer name eth0 netns %2$s
    ip -n %1$s link set %3$s up
    ip -n %2$s link set eth0 up
    ip -n %1$s addr add 10.64.%4$s.1/32 dev %3$s
    ip -n %1$s addr add fd00:64:%4$s::1/128 dev %3$s nodad
    ip -n %2$s addr add %5$s/32 dev eth0
    ip -n %2$s addr add %6$s/128 dev eth0 nodad
    ip -n %2$s route add 10.64.%4$s.1 dev eth0
    ip -n %2$s route add default via 10.64.%4$s.1
    ip -n %2$s route add fd00:64:%4$s::1 dev eth0
    ip -n %2$s route add default via fd00:64:%4$s::1
    ip -n %1$s route add %5$s dev %3$s
    ip -n %1$s route add %6$s dev %3$s
    """
        .formatted(node().name(), namespace(pod).name(), "p" + pod, subnet, four, six);
  }

  /// Calls an address once and says what happened.
  public Attempt call(
      Origin from, IpAddress source, IpAddress to, int port, Protocol protocol, Duration limit) {
    // A socket bound to the node's address cannot reach loopback.
    InetSocketAddress own = to.isLoopback() ? null : new InetSocketAddress(inet(source), 0);
    InetSocketAddress target = new InetSocketAddress(inet(to), port);
    return protocol == Protocol.UDP
        ? Attempt.udp(namespace(from), own, target, limit)
        : Attempt.tcp(namespace(from), own, target, limit);
  }

  static InetAddress inet(IpAddress address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  /// Takes everything away.
  @Override
  public void close() {
    for (AutoCloseable each : open) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException("cannot close the lab", e);
      }
    }
    namespaces.values().forEach(NetworkNamespace::delete);
  }
}
