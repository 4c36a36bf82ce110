package io.fairlead.policy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Node 1 of the fixture as a network namespace, its six pods joined to it by veth pairs, and one
/// namespace for everything outside: node 2, its pods, and clients. Pods answer on ports 80 and 81
/// over TCP and UDP. Needs root and `ip`.
public final class PolicyLab implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final List<String> LOCAL = List.of("xa", "xb", "ya", "yb", "za", "zb");
  private static final List<Integer> PORTS = List.of(80, 81);
  static final List<String> OUTSIDE =
      List.of(
          "192.0.2.9",
          "192.168.0.2",
          "10.244.2.0",
          "10.244.2.13",
          "10.244.2.23",
          "10.244.2.33",
          "10.1.2.5",
          "10.1.3.5",
          "10.2.0.1",
          "fd00:244:2::13",
          "fd00:244:2::23",
          "fd00:244:2::33",
          "2001:db8:9::9");

  private final String prefix;
  private final Map<String, NetworkNamespace> namespaces = new LinkedHashMap<>();
  private final Map<IpAddress, NetworkNamespace> byAddress = new LinkedHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  private PolicyLab(String prefix) {
    this.prefix = prefix;
  }

  public static PolicyLab create() {
    PolicyLab lab =
        new PolicyLab("flp" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet());
    try {
      lab.build();
      return lab;
    } catch (RuntimeException e) {
      lab.close();
      throw e;
    }
  }

  public NetworkNamespace node() {
    return namespace("node");
  }

  NetworkNamespace namespace(String name) {
    NetworkNamespace found = namespaces.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no namespace " + name);
    }
    return found;
  }

  /// Whether something in the lab has that address and can send from it.
  boolean has(IpAddress address) {
    return byAddress.containsKey(address);
  }

  public NetworkNamespace at(IpAddress address) {
    NetworkNamespace found = byAddress.get(address);
    if (found == null) {
      throw new IllegalArgumentException("nothing here has " + address);
    }
    return found;
  }

  private void build() {
    for (String name : List.of("node", "ext", "xa", "xb", "ya", "yb", "za", "zb")) {
      namespaces.put(name, NetworkNamespace.create(prefix + name));
    }
    StringBuilder script = new StringBuilder("set -e\n");
    for (NetworkNamespace each : namespaces.values()) {
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
        ip netns exec %1$s sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1
        ip link add ext netns %1$s type veth peer name eth0 netns %2$s
        ip -n %1$s link set ext up
        ip -n %2$s link set eth0 up
        ip -n %1$s addr add 192.0.2.1/24 dev ext
        ip -n %1$s addr add 192.168.0.1/32 dev lo
        ip -n %1$s addr add 2001:db8::1/64 dev ext nodad
        ip -n %2$s addr add 192.0.2.2/24 dev eth0
        ip -n %2$s addr add 2001:db8::2/64 dev eth0 nodad
        ip -n %2$s route add default via 192.0.2.1
        ip -n %2$s route add default via 2001:db8::1
        ip -n %1$s route add default via 192.0.2.2
        ip -n %1$s route add default via 2001:db8::2
        """
            .formatted(node().name(), namespace("ext").name()));
    for (String address : OUTSIDE) {
      IpAddress parsed = IpAddress.parse(address);
      byAddress.put(parsed, namespace("ext"));
      script.append(
          "ip -n %s addr add %s dev lo%n"
              .formatted(namespace("ext").name(), address + (parsed.isIpv4() ? "/32" : "/128")));
    }
    byAddress.put(IpAddress.parse("192.168.0.1"), node());
    for (String pod : LOCAL) {
      script.append(pod(pod));
    }
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1)).run(script.toString(), List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException("cannot build the lab: " + result.error());
    }
    for (String name : namespaces.keySet()) {
      for (int port : PORTS) {
        serve(namespace(name), port);
      }
    }
    for (String address : OUTSIDE) {
      // One socket for all addresses would answer from another one.
      serveDatagrams(namespace("ext"), new InetSocketAddress(inet(IpAddress.parse(address)), 81));
    }
  }

  static String address(String pod, boolean ipv4) {
    int place = "xyz".indexOf(pod.charAt(0)) * 10 + 11 + "ab".indexOf(pod.charAt(1));
    return ipv4 ? "10.244.1." + place : "fd00:244:1::" + place;
  }

  private String pod(String pod) {
    byAddress.put(IpAddress.parse(address(pod, true)), namespace(pod));
    byAddress.put(IpAddress.parse(address(pod, false)), namespace(pod));
    return """
    ip link add %3$s netns %1$s type veth peer name eth0 netns %2$s
    ip -n %1$s link set %3$s up
    ip -n %2$s link set eth0 up
    ip -n %1$s addr add 10.244.1.1/32 dev %3$s
    ip -n %1$s addr add fd00:244:1::1/128 dev %3$s nodad
    ip -n %2$s addr add %4$s/32 dev eth0
    ip -n %2$s addr add %5$s/128 dev eth0 nodad
    ip -n %2$s route add 10.244.1.1 dev eth0
    ip -n %2$s route add default via 10.244.1.1
    ip -n %2$s route add fd00:244:1::1 dev eth0
    ip -n %2$s route add default via fd00:244:1::1
    ip -n %1$s route add %4$s dev %3$s
    ip -n %1$s route add %5$s dev %3$s
    """
        .formatted(
            node().name(),
            namespace(pod).name(),
            "p" + pod,
            address(pod, true),
            address(pod, false));
  }

  private void serve(NetworkNamespace where, int port) {
    ServerSocket stream = where.call(() -> new ServerSocket(port, 1024));
    open.add(stream);
    Thread.ofPlatform().daemon().name("tcp-" + port).start(() -> streams(stream));
    if (!where.equals(namespace("ext"))) {
      serveDatagrams(where, new InetSocketAddress(port));
    }
  }

  private void serveDatagrams(NetworkNamespace where, InetSocketAddress address) {
    DatagramSocket datagrams = where.call(() -> new DatagramSocket(address));
    open.add(datagrams);
    Thread.ofPlatform().daemon().name("udp-" + address).start(() -> datagrams(datagrams));
  }

  private static void streams(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket client = server.accept()) {
        client.getOutputStream().write(client.getInetAddress().getAddress());
      } catch (IOException _) {
        continue;
      }
    }
  }

  private static void datagrams(DatagramSocket server) {
    byte[] buffer = new byte[64];
    while (!server.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        server.receive(packet);
        byte[] answer = packet.getAddress().getAddress();
        server.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException _) {
        continue;
      }
    }
  }

  static InetAddress inet(IpAddress address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  /// Whether a packet of that protocol comes through and back. A refusal by the other end counts:
  /// it was reached.
  public boolean reaches(IpAddress from, IpAddress to, String protocol, int port, Duration limit) {
    return switch (protocol) {
      case "TCP" -> tcp(from, to, port, limit);
      case "UDP" -> udp(from, to, port, limit);
      case "ICMP" -> ping(from, to, limit);
      default -> throw new IllegalArgumentException(protocol);
    };
  }

  private boolean tcp(IpAddress from, IpAddress to, int port, Duration limit) {
    try (Socket socket =
        at(from)
            .call(
                () -> {
                  Socket made = new Socket();
                  made.bind(new InetSocketAddress(inet(from), 0));
                  return made;
                })) {
      socket.setSoTimeout((int) limit.toMillis());
      socket.connect(new InetSocketAddress(inet(to), port), (int) limit.toMillis());
      return socket.getInputStream().readAllBytes().length > 0;
    } catch (ConnectException e) {
      return String.valueOf(e.getMessage()).contains("refused");
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("calling " + to, e);
    }
  }

  private boolean udp(IpAddress from, IpAddress to, int port, Duration limit) {
    try (DatagramSocket socket =
        at(from).call(() -> new DatagramSocket(new InetSocketAddress(inet(from), 0)))) {
      socket.setSoTimeout((int) limit.toMillis());
      socket.connect(new InetSocketAddress(inet(to), port));
      socket.send(new DatagramPacket(new byte[] {'?'}, 1));
      socket.receive(new DatagramPacket(new byte[64], 64));
      return true;
    } catch (PortUnreachableException _) {
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("calling " + to, e);
    }
  }

  private boolean ping(IpAddress from, IpAddress to, Duration limit) {
    long seconds = Math.max(1, limit.toSeconds());
    return run(at(from), "ping -c 1 -W " + seconds + " -I " + from + " " + to + " > /dev/null")
        .succeeded();
  }

  /// A shell command inside a namespace.
  public static CommandRunner.Result run(NetworkNamespace where, String command) {
    return CommandRunner.here(Duration.ofMinutes(1))
        .run("", List.of("ip", "netns", "exec", where.name(), "sh", "-c", command));
  }

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
