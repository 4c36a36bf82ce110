package io.fairlead.policy.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackLabels;
import io.fairlead.kernel.nftables.LoggedPacket;
import io.fairlead.kernel.nftables.PacketLogListener;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.PolicyPlan;
import io.fairlead.policy.core.PolicyTable;
import io.fairlead.policy.core.World;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The table in a real kernel: its text, its owner, translation before it, sources that lie, cut
/// connections, and what it logs and counts.
@Tag("system")
class LivePolicyTableTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration DENIED = Duration.ofMillis(300);
  private static final IpAddress.Family IPV4 = IpAddress.Family.IPV4;
  private static final String CLOSED = "{podSelector: {}, policyTypes: [Ingress, Egress]}";

  private static PolicyLab lab;
  private final World world = new World();
  private final List<KernelPolicyTable> open = new ArrayList<>();

  @BeforeAll
  static void build() {
    lab = PolicyLab.create();
  }

  @AfterAll
  static void remove() {
    lab.close();
  }

  @AfterEach
  void clean() {
    for (KernelPolicyTable table : open) {
      table.close();
    }
    try (KernelPolicyTable last = table()) {
      last.remove();
    }
    PolicyLab.run(lab.node(), "nft delete table ip services; conntrack -F");
  }

  private static KernelPolicyTable table() {
    return table(TableSettings.of(World.node("node1").podRanges()));
  }

  private static KernelPolicyTable table(TableSettings settings) {
    return lab.node().call(() -> KernelPolicyTable.open(IPV4, settings));
  }

  private KernelPolicyTable enforce() {
    KernelPolicyTable table = table();
    open.add(table);
    table.reconcile(world.plan("node1"));
    return table;
  }

  private static boolean reaches(String from, String to, int port) {
    return lab.reaches(IpAddress.parse(from), IpAddress.parse(to), "TCP", port, LIMIT);
  }

  private static boolean isDropped(String from, String to, int port) {
    return !lab.reaches(IpAddress.parse(from), IpAddress.parse(to), "TCP", port, DENIED);
  }

  private static String listing() {
    return PolicyLab.run(lab.node(), "nft list table ip fairlead-policy").output();
  }

  @Test
  void nftListsTheTableAsTheSpecificationHasIt() throws IOException {
    world.putPolicy(
        "p",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels:"
            + " {pod: b}}}, {ipBlock: {cidr: 192.0.2.0/24}}], ports: [{port: 80}, {port: 90,"
            + " endPort: 100}]}]}");
    enforce();
    try (InputStream text = getClass().getResourceAsStream("/policy-table.nft")) {
      String expected =
          new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(listing()).isEqualTo(expected);
    }
  }

  @Test
  void pf3AFlushOfAllRulesLeavesTheTable() {
    world.putPolicy("p", CLOSED);
    KernelPolicyTable table = enforce();
    assertThat(table.isOwned()).isTrue();
    PolicyLab.run(lab.node(), "nft flush ruleset");
    assertThat(table.reconcile(world.plan("node1"))).isZero();
    assertThat(PolicyLab.run(lab.node(), "nft flush table ip fairlead-policy").succeeded())
        .isFalse();
    assertThat(isDropped("10.244.1.21", "10.244.1.11", 80)).isTrue();
  }

  @Test
  void theTableStaysWhenTheProcessEndsAndTheNextTakesItOver() {
    world.putPolicy("p", CLOSED);
    enforce().close();
    assertThat(isDropped("10.244.1.21", "10.244.1.11", 80)).isTrue();
    try (KernelPolicyTable next = table()) {
      PolicyTable.Numbers numbers = next.numbers();
      assertThat(numbers.classes()).isEmpty();
      assertThat(next.reconcile(world.plan("node1"))).isZero();
      assertThat(next.isOwned()).isTrue();
      next.remove();
    }
    assertThat(reaches("10.244.1.21", "10.244.1.11", 80)).isTrue();
    open.clear();
  }

  @Test
  void aTableMadeByOthersIsReplaced() {
    PolicyLab.run(
        lab.node(), "nft add table ip fairlead-policy; nft add chain ip fairlead-policy x");
    world.putPolicy("p", CLOSED);
    KernelPolicyTable table = enforce();
    assertThat(table.installed(IPV4)).isEqualTo(world.plan("node1"));
    assertThat(table.isOwned()).isTrue();
  }

  @Test
  void px8AServiceIsJudgedByItsEndpoint() {
    for (String command :
        List.of(
            "add table ip services",
            "add chain ip services pre '{ type nat hook prerouting priority dstnat; }'",
            "add chain ip services post '{ type nat hook postrouting priority srcnat; }'",
            "add rule ip services pre ip daddr 10.96.0.10 tcp dport 8000 dnat to 10.244.1.21:80",
            "add rule ip services pre ip daddr 10.96.0.11 tcp dport 80 dnat to 10.244.1.11:80",
            "add rule ip services pre ip daddr 192.168.0.1 tcp dport 30080 meta mark set 1 dnat to"
                + " 10.244.1.11:80",
            "add rule ip services post meta mark 1 masquerade",
            "add rule ip services post ip saddr 10.244.1.11 ip daddr 10.244.1.11 masquerade")) {
      assertThat(PolicyLab.run(lab.node(), "nft " + command).error()).isEmpty();
    }
    String toY =
        "{podSelector: {matchLabels: {pod: a}}, policyTypes: [Egress], egress: [{to:"
            + " [{namespaceSelector: {matchLabels: {ns: 'y'}}}], ports: [{port: %d}]}]}";
    world.putPolicy("p", toY.formatted(80));
    KernelPolicyTable table = enforce();
    assertThat(reaches("10.244.1.11", "10.96.0.10", 8000)).as("PV62").isTrue();
    assertThat(reaches("10.244.1.11", "10.96.0.11", 80)).as("PV68 itself").isTrue();
    world.putPolicy("p", toY.formatted(8000));
    table.reconcile(world.plan("node1"));
    assertThat(isDropped("10.244.1.11", "10.96.0.10", 8000)).as("PV62 service port").isTrue();
    world.putPolicy(
        "p",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{ipBlock: {cidr:"
            + " 192.0.2.0/24}}]}]}");
    table.reconcile(world.plan("node1"));
    assertThat(reaches("192.0.2.9", "192.168.0.1", 30080)).as("PV63").isTrue();
    assertThat(isDropped("10.1.2.5", "192.168.0.1", 30080)).as("PV63 other client").isTrue();
  }

  @Test
  void theNodeReachesItsPodsAndPodsTheirNode() {
    world.putPolicy("p", CLOSED);
    enforce();
    assertThat(reaches("192.168.0.1", "10.244.1.11", 80)).as("PV65").isTrue();
    assertThat(reaches("10.244.1.11", "192.168.0.1", 80)).as("PV66").isTrue();
    assertThat(isDropped("10.244.1.11", "10.244.1.21", 80)).isTrue();
  }

  @Test
  void px9AnUnknownPodIsClosedUntilItIsKnown() {
    world.removePod("z/b");
    KernelPolicyTable table = enforce();
    assertThat(isDropped("10.244.1.32", "10.244.1.11", 80)).isTrue();
    assertThat(isDropped("10.244.1.11", "10.244.1.32", 80)).isTrue();
    assertThat(reaches("192.168.0.1", "10.244.1.32", 80)).as("its own node").isTrue();
    assertThat(table.counters().unknown()).isPositive();
    world.putPod(world.pod("z/b"));
    world.takeChanges("node1").forEach(table::apply);
    assertThat(reaches("10.244.1.32", "10.244.1.11", 80)).isTrue();
  }

  @Test
  void pv72aAPodCannotSendAsItsNeighbour() {
    world.putPolicy(
        "p",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels:"
            + " {ns: 'y'}}}]}]}");
    KernelPolicyTable table = enforce();
    PolicyLab.run(lab.namespace("xb"), "ip addr add 10.244.1.21/32 dev lo");
    try {
      assertThat(
              lab.namespace("xb")
                  .call(
                      () -> {
                        try (DatagramSocket liar =
                            new DatagramSocket(new InetSocketAddress("10.244.1.21", 0))) {
                          liar.setSoTimeout(300);
                          liar.connect(new InetSocketAddress("10.244.1.11", 80));
                          liar.send(new DatagramPacket(new byte[1], 1));
                          liar.receive(new DatagramPacket(new byte[9], 9));
                          return true;
                        } catch (SocketTimeoutException _) {
                          return false;
                        }
                      }))
          .isFalse();
      assertThat(table.counters().spoofed()).isOne();
    } finally {
      PolicyLab.run(lab.namespace("xb"), "ip addr del 10.244.1.21/32 dev lo");
    }
  }

  @Test
  void dropsAreCountedAndLogged() {
    world.putPolicy("p", CLOSED);
    KernelPolicyTable table = enforce();
    List<LoggedPacket> logged = new CopyOnWriteArrayList<>();
    try (PacketLogListener listener =
        lab.node()
            .call(
                () ->
                    PacketLogListener.start(TableSettings.LOG_GROUP, 128, logged::add, () -> {}))) {
      assertThat(listener).isNotNull();
      assertThat(isDropped("10.244.1.21", "10.244.1.11", 80)).isTrue();
      await().atMost(LIMIT).until(() -> !logged.isEmpty());
    }
    LoggedPacket packet = logged.getFirst();
    assertThat(packet.prefix()).isEqualTo("fairlead-policy ingress ");
    assertThat(packet.source().getHostAddress()).isEqualTo("10.244.1.21");
    assertThat(packet.destination().getHostAddress()).isEqualTo("10.244.1.11");
    assertThat(packet.protocol()).isEqualTo(6);
    assertThat(packet.destinationPort()).isEqualTo(80);
    assertThat(
            Objects.requireNonNull(table.counters().drops().get(Direction.INGRESS))
                .get(IpAddress.parse("10.244.1.11")))
        .isPositive();
  }

  @Test
  void aLabelledConnectionStopsBothWaysAndGoesOnWithoutIt() throws IOException {
    enforce();
    try (DatagramSocket client =
            lab.namespace("ya")
                .call(() -> new DatagramSocket(new InetSocketAddress("10.244.1.21", 0)));
        ConntrackLabels labels =
            lab.node().call(() -> ConntrackLabels.open(TableSettings.CUT_LABEL))) {
      client.connect(new InetSocketAddress("10.244.1.11", 80));
      assertThat(answers(client, 10_000)).isTrue();
      var entry =
          labels
              .list(
                  Conntrack.IPV4,
                  (each, _) -> each.original().source().getHostAddress().equals("10.244.1.21"))
              .getFirst();
      assertThat(entry.labelled()).isFalse();
      assertThat(labels.set(entry.entry(), true)).isEqualTo(ConntrackLabels.Outcome.DONE);
      assertThat(labels.list(Conntrack.IPV4, (_, on) -> on)).hasSize(1);
      assertThat(answers(client, 300)).isFalse();
      labels.set(entry.entry(), false);
      assertThat(answers(client, 10_000)).isTrue();
    }
  }

  private static boolean answers(DatagramSocket client, int millis) throws IOException {
    client.setSoTimeout(millis);
    client.send(new DatagramPacket(new byte[1], 1));
    try {
      client.receive(new DatagramPacket(new byte[9], 9));
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    }
  }

  @Test
  void rejectAnswersAtOnce() {
    world.putPolicy("p", CLOSED);
    TableSettings settings =
        new TableSettings(World.node("node1").podRanges(), List.of(), true, 0, 121);
    KernelPolicyTable table = table(settings);
    open.add(table);
    table.reconcile(world.plan("node1"));
    // A reset reads as a refusal by the other end.
    assertThat(reaches("10.244.1.21", "10.244.1.11", 80)).isTrue();
    assertThat(table.counters().drops().get(Direction.INGRESS))
        .containsEntry(IpAddress.parse("10.244.1.11"), 1L);
    table.settings(TableSettings.of(World.node("node1").podRanges()));
    assertThat(table.reconcile(world.plan("node1"))).isPositive();
    assertThat(isDropped("10.244.1.21", "10.244.1.11", 80)).isTrue();
  }

  @Test
  void removingLeavesNothing() {
    PolicyPlan plan = world.plan("node1");
    KernelPolicyTable table = enforce();
    assertThat(table.installed(IPV4)).isEqualTo(plan);
    table.remove();
    table.remove();
    assertThat(PolicyLab.run(lab.node(), "nft list ruleset").output()).isEmpty();
  }
}
