package io.fairlead.proxy.announce;

import static io.fairlead.proxy.announce.AnnouncerSimulation.VIP;
import static io.fairlead.proxy.announce.AnnouncerSimulation.VIP6;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.proxy.announce.AnnouncerSimulation.SimulatedNode;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Vectors LV35 to LV62 and LF1 to LF13 of spec/loadbalancer.md, as far as they need no kernel:
/// three nodes in a time of their own. By rank a comes first for 192.168.77.240, then c, then b.
class AnnouncerVectorsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration SETTLED = Duration.ofSeconds(10);
  private static final IpAddress NEXT = IpAddress.parse("192.168.77.241");
  private static final HardwareAddress PRINTER = HardwareAddress.parse("52:54:00:aa:bb:cc");

  private record Row(String name, Scenario scenario) {
    interface Scenario {
      void run(AnnouncerSimulation cluster);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /// One address that all rules carry, and time for its first owner.
  private static AnnouncerSimulation settled() {
    AnnouncerSimulation cluster = AnnouncerSimulation.ofThree().demand(VIP);
    cluster.run(SETTLED);
    assertThat(cluster.owning(VIP)).as(cluster.history.toString()).containsExactly("a");
    return cluster;
  }

  private static void owned(AnnouncerSimulation cluster, String by) {
    assertThat(cluster.answering(VIP)).as(cluster.history.toString()).containsExactly(by);
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row(
            "LV35 the best rank answers, alone, and announces five times",
            cluster -> {
              assertThat(cluster.node("a").sent)
                  .filteredOn(one -> one.startsWith("announce"))
                  .hasSize(5);
              assertThat(cluster.history).hasSize(2);
            }),
        new Row(
            "LV42 exclude-from-external-load-balancers: handed over, always answered",
            cluster -> {
              cluster.node("a").label(Map.of("excluded", ""));
              assertThat(cluster.until(VIP, "c", SECOND)).isLessThanOrEqualTo(100);
              cluster.run(SECOND);
              owned(cluster, "c");
              assertNeverSilent(cluster);
            }),
        new Row(
            "LV42 the label with the value false includes",
            cluster -> {
              cluster.node("a").label(Map.of("excluded", "false"));
              cluster.run(SECOND);
              owned(cluster, "a");
            }),
        new Row(
            "LV43 the pool's nodeSelector decides",
            cluster -> {
              cluster.node("b").label(Map.of("edge", "true"));
              cluster
                  .nodes
                  .values()
                  .forEach(
                      node ->
                          node.demand(
                              VIP,
                              false,
                              LocalEndpoints.NONE,
                              LabelSelector.of(Map.of("edge", "true")),
                              ""));
              cluster.run(SECOND.multipliedBy(3));
              owned(cluster, "b");
            }),
        new Row(
            "LV39 policy Local: the node with the endpoint, and it follows the endpoint",
            cluster -> {
              endpoints(cluster, Map.of("b", LocalEndpoints.READY));
              cluster.run(SECOND.multipliedBy(3));
              owned(cluster, "b");
              endpoints(cluster, Map.of("c", LocalEndpoints.READY));
              assertThat(cluster.until(VIP, "c", SECOND)).isLessThanOrEqualTo(100);
              cluster.run(SECOND);
              owned(cluster, "c");
            }),
        new Row(
            "LV40 policy Local: one that serves while it ends is better than none",
            cluster -> {
              endpoints(cluster, Map.of("b", LocalEndpoints.TERMINATING));
              cluster.run(SECOND.multipliedBy(3));
              owned(cluster, "b");
            }),
        new Row(
            "LV41 no endpoints at all: still announced",
            cluster -> {
              endpoints(cluster, Map.of());
              cluster.run(SECOND.multipliedBy(3));
              owned(cluster, "a");
            }),
        new Row(
            "LV60 the owner loses its last Local endpoint",
            cluster -> {
              endpoints(cluster, Map.of("a", LocalEndpoints.READY, "c", LocalEndpoints.READY));
              cluster.run(SECOND);
              owned(cluster, "a");
              endpoints(cluster, Map.of("c", LocalEndpoints.READY));
              assertThat(cluster.until(VIP, "c", SECOND)).isLessThanOrEqualTo(100);
            }),
        new Row(
            "LV50 LF1 the owner loses power: c after 1.5 to 1.6 s",
            cluster -> {
              cluster.node("a").dead = true;
              assertThat(cluster.until(VIP, "c", Duration.ofSeconds(3))).isBetween(950L, 1600L);
              cluster.run(SECOND);
              owned(cluster, "c");
            }),
        new Row(
            "LV51 the old owner comes back: nothing moves",
            cluster -> {
              cluster.node("a").cableCut = true;
              cluster.node("a").apiCut = true;
              cluster.run(SECOND.multipliedBy(5));
              owned(cluster, "c");
              cluster.node("a").cableCut = false;
              cluster.node("a").reconnect();
              cluster.run(SETTLED);
              owned(cluster, "c");
            }),
        new Row(
            "LV52 the owner is asked to end: its successor takes first",
            cluster -> {
              cluster.node("a").end();
              assertThat(cluster.until(VIP, "c", SECOND)).isLessThanOrEqualTo(150);
              cluster.run(SECOND);
              owned(cluster, "c");
              assertThat(cluster.node("a").core.isIdle()).isTrue();
              assertNeverSilent(cluster);
            }),
        new Row(
            "LV54 LF3 the API is away for all: the owner goes on and asks the network",
            cluster -> {
              cluster.apiAway = true;
              cluster.node("a").sent.clear();
              cluster.run(Duration.ofMinutes(10));
              owned(cluster, "a");
              assertThat(cluster.node("a").sent)
                  .filteredOn(one -> one.startsWith("probe"))
                  .hasSizeBetween(1000, 1200);
              assertThat(cluster.history).as("who answers never changed").hasSize(2);
              cluster.apiAway = false;
              cluster.nodes.values().forEach(SimulatedNode::reconnect);
              cluster.run(SETTLED);
              owned(cluster, "a");
            }),
        new Row(
            "LV55 LF4 the API is away for the owner only: c takes, a yields at once",
            cluster -> {
              cluster.node("a").apiCut = true;
              assertThat(cluster.until(VIP, "c", Duration.ofSeconds(3))).isBetween(950L, 1600L);
              cluster.run(Duration.ofMillis(700));
              owned(cluster, "c");
              cluster.node("a").reconnect();
              cluster.run(SETTLED);
              owned(cluster, "c");
            }),
        new Row(
            "LV56 LF5 the owner is stopped for 10 s: it answers nothing until it knows",
            cluster -> {
              cluster.node("a").frozen = true;
              cluster.run(SETTLED);
              owned(cluster, "c");
              cluster.node("a").frozen = false;
              for (int i = 0; i < 3000; i++) {
                cluster.run(Duration.ofMillis(1));
                owned(cluster, "c");
              }
            }),
        new Row(
            "LF6 the network is split and both halves see the API: one owner",
            cluster -> {
              cluster.node("c").side = 1;
              cluster.run(SETTLED);
              owned(cluster, "a");
              cluster.node("c").side = 0;
              cluster.run(SETTLED);
              owned(cluster, "a");
            }),
        new Row(
            "LF7 the network is split, the API on the other side: healed, one yields",
            cluster -> {
              SimulatedNode a = cluster.node("a");
              a.side = 1;
              a.apiCut = true;
              cluster.run(SETTLED);
              assertThat(cluster.answering(VIP)).containsExactly("a", "c");
              a.side = 0;
              cluster.run(Duration.ofMillis(700));
              owned(cluster, "c");
            }),
        new Row(
            "LV59 a device takes the address that a holds: one defence in 10 s",
            cluster -> {
              cluster.node("a").sent.clear();
              for (int i = 0; i < 50; i++) {
                cluster.claim(VIP, PRINTER, cluster.node("b"), 0);
                cluster.run(Duration.ofMillis(100));
              }
              assertThat(cluster.node("a").sent)
                  .filteredOn(one -> one.startsWith("announce"))
                  .hasSizeLessThanOrEqualTo(1);
              assertThat(cluster.told)
                  .filteredOn(one -> one.contains("in use"))
                  .containsExactly(VIP + " in use by " + PRINTER);
              owned(cluster, "a");
            }),
        new Row(
            "LV61 rebalance: the best rank takes over, once",
            cluster -> {
              SimulatedNode a = cluster.node("a");
              a.label(Map.of("excluded", ""));
              cluster.run(SECOND.multipliedBy(3));
              a.label(Map.of());
              cluster.run(SECOND.multipliedBy(3));
              owned(cluster, "c");
              cluster
                  .nodes
                  .values()
                  .forEach(
                      node ->
                          node.demand(
                              VIP, false, LocalEndpoints.NONE, LabelSelector.EVERYTHING, "1"));
              assertThat(cluster.until(VIP, "a", SECOND)).isLessThanOrEqualTo(150);
              cluster.run(SETTLED);
              owned(cluster, "a");
              assertNeverSilent(cluster);
            }),
        new Row(
            "the Service goes: no node answers, no Lease lists the address",
            cluster -> {
              cluster.nodes.values().forEach(node -> node.demands.clear());
              cluster.run(Duration.ofMillis(200));
              assertThat(cluster.answering(VIP)).isEmpty();
              assertThat(cluster.node("a").core.toAnnounce(cluster.now)).isEmpty();
            }));
  }

  private static void endpoints(AnnouncerSimulation cluster, Map<String, LocalEndpoints> has) {
    cluster
        .nodes
        .values()
        .forEach(node -> node.demand(VIP, true, has.getOrDefault(node.name, LocalEndpoints.NONE)));
  }

  private static void assertNeverSilent(AnnouncerSimulation cluster) {
    assertThat(cluster.history.subList(1, cluster.history.size()))
        .as("at every moment some node answers")
        .noneMatch(line -> line.endsWith("="));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void vector(Row row) {
    row.scenario.run(settled());
  }

  @Test
  void lv46AndLv79AddressesSpreadByRank() {
    AnnouncerSimulation cluster =
        AnnouncerSimulation.ofThree().demand(VIP).demand(VIP6).demand(NEXT);
    cluster.run(SETTLED);
    assertThat(cluster.owning(VIP)).containsExactly("a");
    assertThat(cluster.owning(VIP6)).containsExactly("a");
    assertThat(cluster.owning(NEXT)).containsExactly("c");
  }

  @Test
  void lv47RulesNotWrittenYetOnTheBestNode() {
    AnnouncerSimulation cluster = AnnouncerSimulation.ofThree().demand(VIP);
    cluster.node("a").rulesWritten = false;
    cluster.run(SETTLED);
    owned(cluster, "c");
  }

  @Test
  void lv58ADeviceHasTheAddressBefore() {
    AnnouncerSimulation cluster = AnnouncerSimulation.ofThree();
    cluster.devices.put(VIP, PRINTER);
    cluster.demand(VIP);
    cluster.run(SETTLED);
    assertThat(cluster.answering(VIP)).isEmpty();
    assertThat(cluster.told).containsExactly(VIP + " in use by " + PRINTER);
    cluster.devices.clear();
    cluster.run(Duration.ofSeconds(31));
    owned(cluster, "a");
  }

  @Test
  void anOwnerInDoubtYieldsToOneThatKnowsWhateverTheirRank() {
    AnnouncerSimulation cluster = settled();
    cluster.node("a").apiCut = true;
    cluster.node("a").side = 1;
    cluster.run(SECOND.multipliedBy(3));
    assertThat(cluster.answering(VIP)).containsExactly("a", "c");
    cluster.node("a").reconnect();
    cluster.run(SECOND);
    owned(cluster, "c");
  }

  @Test
  void lv62ManyNodesRenewLessOften() {
    AnnouncerTiming timing = AnnouncerTiming.of(31);
    assertThat(timing.period()).isEqualTo(Duration.ofMillis(517));
    assertThat(timing.limit()).isEqualTo(Duration.ofMillis(1550));
  }

  /// LF13: nodes restart, freeze and lose the API at random. Within the network at most one machine
  /// answers that is not letting go, apart from the moments in which one in doubt hears of its
  /// successor.
  @Test
  void randomHistoriesHaveOneOwner() {
    for (int seed = 0; seed < 20; seed++) {
      AnnouncerSimulation cluster =
          new AnnouncerSimulation(seed, "a", "b", "c").demand(VIP).demand(NEXT);
      cluster.run(SETTLED);
      Random random = new Random(seed);
      int twice = 0;
      for (int round = 0; round < 30; round++) {
        disturb(cluster, random);
        for (int i = 0; i < 40; i++) {
          cluster.run(Duration.ofMillis(50));
          twice = owners(cluster) > 1 ? twice + 1 : 0;
          assertThat(twice).as("seed " + seed + ": " + cluster.history).isLessThan(15);
        }
      }
      cluster.nodes.values().forEach(AnnouncerVectorsTest::heal);
      cluster.run(SETTLED);
      assertThat(cluster.answering(VIP)).as("seed " + seed).hasSize(1);
      assertThat(cluster.answering(NEXT)).as("seed " + seed).hasSize(1);
    }
  }

  private static int owners(AnnouncerSimulation cluster) {
    return Stream.of(VIP, NEXT).map(cluster::owning).mapToInt(Collection::size).max().orElse(0);
  }

  private static void disturb(AnnouncerSimulation cluster, Random random) {
    SimulatedNode node = cluster.nodes.values().stream().toList().get(random.nextInt(3));
    switch (random.nextInt(4)) {
      case 0 -> node.frozen = !node.frozen;
      case 1 -> {
        if (node.apiCut) {
          node.reconnect();
        } else {
          node.apiCut = true;
        }
      }
      case 2 -> node.label(node.labels.isEmpty() ? Map.of("excluded", "") : Map.of());
      default -> heal(node);
    }
  }

  private static void heal(SimulatedNode node) {
    node.frozen = false;
    node.label(Map.of());
    node.reconnect();
  }

  @Test
  void everyNodeHasAReasonWhenNobodyAnnounces() {
    AnnouncerSimulation cluster = AnnouncerSimulation.ofThree().demand(VIP);
    cluster.run(SECOND);
    AddressDemand demand = Objects.requireNonNull(cluster.node("a").demands.get(VIP));
    AnnouncerView view =
        new AnnouncerView(
            "a",
            Map.of(VIP, demand),
            Set.of(),
            Map.of(
                "a", AnnouncerNode.of(ready("a", "")),
                "b",
                    AnnouncerNode.of(
                        ready("b", "node.kubernetes.io/exclude-from-external-load-balancers"))),
            Map.of(),
            Set.of());
    assertThat(view.reasons(VIP, demand))
        .isEqualTo(Map.of("a", "has no network for it", "b", "is excluded by label"));
  }

  private static ObjectNode ready(String name, String label) {
    ObjectNode node = Json.object();
    ObjectNode metadata = node.putObject("metadata").put("name", name);
    if (!label.isEmpty()) {
      metadata.putObject("labels").put(label, "");
    }
    node.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True");
    return node;
  }
}
