package io.fairlead.policy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.policy.core.World;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Two nodes as network namespaces, each with its own table: the source's node judges egress, the
/// destination's ingress, by the addresses that the packet has there.
@Tag("system")
class LiveTwoNodesTest {
  private static final int LIMIT_MILLIS = 20_000;
  private static final int DENIED_MILLIS = 300;
  private static final String X_A = "10.244.1.11";
  private static final String Y_A = "10.244.1.21";
  private static final String X_C = "10.244.2.13";
  private static final String Y_C = "10.244.2.23";
  private static final String CLIENT = "192.0.2.9";
  private static final String NODE_1 = "192.168.0.1";
  private static final int NODE_PORT = 30080;

  private static final String PREFIX = "flp" + ProcessHandle.current().pid() + "n";
  private static final Map<String, NetworkNamespace> NAMESPACES = new LinkedHashMap<>();
  private static final List<ServerSocket> SERVERS = new ArrayList<>();

  private final World world = new World();
  private final Map<String, KernelPolicyTable> tables = new LinkedHashMap<>();

  @BeforeAll
  static void build() {
    for (String name : List.of("node1", "node2", "client", "xa", "ya", "xc", "yc")) {
      NAMESPACES.put(name, NetworkNamespace.create(PREFIX + name));
    }
    StringBuilder script = new StringBuilder("set -e\n");
    NAMESPACES.forEach(
        (name, namespace) ->
            script.append(
                """
                ip netns exec %1$s sysctl -q -w net.ipv4.conf.all.rp_filter=0 \
                  net.ipv4.conf.default.rp_filter=0 net.ipv4.ip_forward=1
                ip -n %1$s link set lo up
                """
                    .formatted(namespace.name())));
    // The nodes' own network, and a client behind node 1.
    script.append(cable("node1", "n2", "node2", "n1"));
    script.append(cable("node1", "c", "client", "eth0"));
    script.append(
        """
        ip -n %1$s addr add 192.168.0.1/24 dev n2
        ip -n %2$s addr add 192.168.0.2/24 dev n1
        ip -n %1$s route add 10.244.2.0/24 via 192.168.0.2
        ip -n %2$s route add 10.244.1.0/24 via 192.168.0.1
        ip -n %2$s route add 192.0.2.0/24 via 192.168.0.1
        ip -n %1$s addr add 192.0.2.1/24 dev c
        ip -n %3$s addr add 192.0.2.9/24 dev eth0
        ip -n %3$s route add default via 192.0.2.1
        """
            .formatted(at("node1").name(), at("node2").name(), at("client").name()));
    script.append(pod("node1", "xa", X_A)).append(pod("node1", "ya", Y_A));
    script.append(pod("node2", "xc", X_C)).append(pod("node2", "yc", Y_C));
    // A node port of node 1 that leads to a pod of node 2, with the node's address as source.
    script.append(
        """
        ip netns exec %1$s nft -f - <<'RULES'
        table ip services {
          chain pre {
            type nat hook prerouting priority dstnat;
            ip daddr 192.168.0.1 tcp dport 30080 dnat to 10.244.2.13:80
          }
          chain post {
            type nat hook postrouting priority srcnat;
            ct status dnat oifname "n2" masquerade
          }
        }
        RULES
        """
            .formatted(at("node1").name()));
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1)).run(script.toString(), List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException("cannot build two nodes: " + result.error());
    }
    for (String name : List.of("xa", "ya", "xc", "yc", "node1", "node2")) {
      serve(at(name));
    }
  }

  private static NetworkNamespace at(String name) {
    NetworkNamespace found = NAMESPACES.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no namespace " + name);
    }
    return found;
  }

  private static String cable(String one, String end, String other, String otherEnd) {
    return """
    ip link add %2$s netns %1$s type veth peer name %4$s netns %3$s
    ip -n %1$s link set %2$s up
    ip -n %3$s link set %4$s up
    """
        .formatted(at(one).name(), end, at(other).name(), otherEnd);
  }

  private static String pod(String node, String name, String address) {
    return cable(node, "p" + name, name, "eth0")
        + """
        ip -n %1$s addr add 10.244.0.1/32 dev p%3$s
        ip -n %2$s addr add %4$s/32 dev eth0
        ip -n %2$s route add 10.244.0.1 dev eth0
        ip -n %2$s route add default via 10.244.0.1
        ip -n %1$s route add %4$s dev p%3$s
        """
            .formatted(at(node).name(), at(name).name(), name, address);
  }

  private static void serve(NetworkNamespace where) {
    ServerSocket server = where.call(() -> new ServerSocket(80, 64));
    SERVERS.add(server);
    Thread.ofPlatform()
        .daemon()
        .name("server")
        .start(
            () -> {
              while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                  client.getOutputStream().write(client.getInetAddress().getAddress());
                } catch (IOException _) {
                  continue;
                }
              }
            });
  }

  @AfterAll
  static void remove() throws IOException {
    for (ServerSocket server : SERVERS) {
      server.close();
    }
    NAMESPACES.values().forEach(NetworkNamespace::delete);
  }

  @AfterEach
  void clean() {
    for (KernelPolicyTable table : tables.values()) {
      table.remove();
      table.close();
    }
    for (String node : List.of("node1", "node2")) {
      PolicyLab.run(at(node), "conntrack -F");
    }
  }

  private void enforce() {
    for (String node : List.of("node1", "node2")) {
      KernelPolicyTable table =
          tables.computeIfAbsent(
              node,
              name ->
                  at(name)
                      .call(
                          () ->
                              KernelPolicyTable.open(
                                  IpAddress.Family.IPV4,
                                  new TableSettings(
                                      World.node(name).podRanges(),
                                      List.of(Cidr.parse("10.244.0.0/16")),
                                      false,
                                      0,
                                      TableSettings.CUT_LABEL))));
      table.reconcile(world.plan(node));
    }
  }

  /// The address that the server saw; empty when nothing came through.
  private static String calls(String from, String to, int port, boolean expected) {
    return at(from)
        .call(
            () -> {
              int limit = expected ? LIMIT_MILLIS : DENIED_MILLIS;
              try (Socket socket = new Socket()) {
                socket.setSoTimeout(limit);
                socket.connect(new InetSocketAddress(to, port), limit);
                return IpAddress.ofBytes(socket.getInputStream().readNBytes(4)).toString();
              } catch (SocketTimeoutException _) {
                return "";
              }
            });
  }

  private static void passes(String from, String to, String seenAs) {
    assertThat(calls(from, to, 80, true)).isEqualTo(seenAs);
  }

  private static void isDropped(String from, String to) {
    assertThat(calls(from, to, 80, false)).isEmpty();
  }

  @Test
  void theSourcesNodeJudgesEgressAndTheDestinationsNodeIngress() {
    enforce();
    passes("xa", Y_C, X_A);
    world.putPolicy("y", "in", "{podSelector: {}}");
    enforce();
    isDropped("xa", Y_C);
    isDropped("xc", Y_A);
    world.removePolicy("y", "in");
    world.putPolicy(
        "out",
        "{podSelector: {}, policyTypes: [Egress], egress: [{to: [{namespaceSelector: {matchLabels:"
            + " {ns: 'y'}}}]}]}");
    enforce();
    passes("xa", Y_C, X_A);
    passes("xc", Y_A, X_C);
    isDropped("xa", X_C);
    isDropped("xc", X_A);
  }

  @Test
  void pv64AClientBehindAnotherNodeIsSeenAsThatNode() {
    enforce();
    assertThat(calls("client", NODE_1, NODE_PORT, true)).isEqualTo(NODE_1);
    String from =
        "{podSelector: {matchLabels: {pod: c}}, ingress: [{from: [{ipBlock: {cidr: %s}}]}]}";
    world.putPolicy("p", from.formatted("192.0.2.0/24"));
    enforce();
    assertThat(calls("client", NODE_1, NODE_PORT, false)).isEmpty();
    passes("client", X_C, CLIENT);
    world.putPolicy("p", from.formatted(NODE_1 + "/32"));
    enforce();
    assertThat(calls("client", NODE_1, NODE_PORT, true)).isEqualTo(NODE_1);
    isDropped("client", X_C);
  }

  @Test
  void aNodeReachesItsOwnPodsAndNotThoseOfOthers() {
    world.putPolicy("p", "{podSelector: {}}");
    enforce();
    passes("node1", X_A, "10.244.0.1");
    isDropped("node1", X_C);
    world.putPolicy(
        "p", "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 192.168.0.1/32}}]}]}");
    enforce();
    passes("node1", X_C, NODE_1);
    isDropped("node2", X_A);
  }
}
