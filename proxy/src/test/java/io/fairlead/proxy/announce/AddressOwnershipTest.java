package io.fairlead.proxy.announce;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.announce.AddressOwnership.NodeView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Who announces an address: vectors LV35 to LV62 of spec/loadbalancer.md, as far as they are
/// decisions.
class AddressOwnershipTest {
  private static final IpAddress VIP = IpAddress.parse("192.168.77.240");
  private static final NodeView FREE = new NodeView(true, true, false);
  private static final NodeView HOLDER = new NodeView(true, true, true);
  private static final NodeView EXCLUDED = new NodeView(true, false, false);
  private static final NodeView EXCLUDED_HOLDER = new NodeView(true, false, true);
  private static final NodeView DEAD_HOLDER = new NodeView(false, true, true);

  /// @param expected what a, b and c do, in this order
  private record Row(String name, NodeView a, NodeView b, NodeView c, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("LV35 the best rank takes it", FREE, FREE, FREE, "TAKE LEAVE LEAVE"),
        new Row("a holder keeps it", HOLDER, FREE, FREE, "KEEP LEAVE LEAVE"),
        new Row(
            "LV51 a better one that returns moves nothing", FREE, HOLDER, FREE, "LEAVE KEEP LEAVE"),
        new Row("LV50 the owner is dead: c follows a", DEAD_HOLDER, FREE, FREE, "KEEP LEAVE TAKE"),
        new Row(
            "LV42 excluded: the owner drops, the next takes",
            EXCLUDED_HOLDER,
            FREE,
            FREE,
            "DROP LEAVE TAKE"),
        new Row("LV47 rules not written yet on the best", EXCLUDED, FREE, FREE, "LEAVE LEAVE TAKE"),
        new Row("LV57 two took at once: the worse drops", FREE, HOLDER, HOLDER, "LEAVE DROP KEEP"),
        new Row("three at once", HOLDER, HOLDER, HOLDER, "KEEP DROP DROP"),
        new Row("no candidate at all", EXCLUDED, EXCLUDED, EXCLUDED, "LEAVE LEAVE LEAVE"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void everyNodeDecidesAlone(Row row) {
    Map<String, NodeView> nodes = new TreeMap<>(Map.of("a", row.a, "b", row.b, "c", row.c));
    List<String> steps =
        nodes.keySet().stream()
            .map(node -> AddressOwnership.decide(node, VIP, nodes).toString())
            .toList();
    assertThat(String.join(" ", steps)).isEqualTo(row.expected);
  }

  @Test
  void aNodeWithoutALeaseLeavesEverything() {
    assertThat(AddressOwnership.decide("x", VIP, Map.of("a", FREE)))
        .isEqualTo(AddressOwnership.LEAVE);
  }

  @Test
  void ranksAreThoseOfTheSpecification() {
    record Rank(String address, String order, String first) {}
    for (Rank rank :
        List.of(
            new Rank("192.168.77.240", "a c b", "54559b69 6150c66c aeaa007e"),
            new Rank("192.168.77.241", "c b a", "d993fe83 db59e623 dba5d905"),
            new Rank("fd77::240", "a b c", "11d722cf 926c2d68 a7cef609"))) {
      IpAddress address = IpAddress.parse(rank.address);
      List<String> sorted = Stream.of("a", "b", "c").sorted(AnnounceRank.of(address)).toList();
      assertThat(String.join(" ", sorted)).as("LV79 " + address).isEqualTo(rank.order);
      assertThat(
              String.join(
                  " ",
                  sorted.stream().map(n -> AnnounceRank.hex(address, n).substring(0, 8)).toList()))
          .isEqualTo(rank.first);
    }
  }

  @Test
  void firstChoicesSpreadOverNodes() {
    List<String> nodes = IntStream.range(0, 10).mapToObj(i -> "node-" + i).toList();
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      IpAddress address = IpAddress.parse("10.0.0.0").plus(i);
      counts.merge(AnnounceRank.best(address, nodes).orElseThrow(), 1, Integer::sum);
    }
    int most = counts.values().stream().max(Integer::compare).orElseThrow();
    int least = counts.values().stream().min(Integer::compare).orElseThrow();
    assertThat((double) most / least).as("LB9 %s", counts).isLessThanOrEqualTo(1.5);
  }

  @Test
  void timesFollowTheNumberOfNodes() {
    assertThat(AnnouncerTiming.of(3))
        .isEqualTo(new AnnouncerTiming(Duration.ofMillis(500), Duration.ofMillis(1500)));
    assertThat(AnnouncerTiming.of(31))
        .as("LV62")
        .isEqualTo(new AnnouncerTiming(Duration.ofMillis(517), Duration.ofMillis(1550)));
    assertThat(AnnouncerTiming.of(3).sure()).isEqualTo(Duration.ofMillis(1200));
  }

  @Test
  void aLeaseSaysWhatItIsToldToSay() {
    AnnouncerLease lease =
        new AnnouncerLease(
            "a",
            Duration.ofMillis(1500),
            new TreeSet<>(List.of(VIP)),
            new TreeSet<>(List.of(VIP)),
            new TreeSet<>(List.of(VIP, IpAddress.parse("fd77::240"))),
            new TreeMap<>(Map.of(VIP, LocalEndpoints.READY)),
            new TreeSet<>(List.of("02:00:00:00:00:0a")),
            List.of("eth0=192.168.77.11/24,fd77::11/64", "eth1=10.1.0.1/16"),
            new TreeSet<>(List.of(IpAddress.parse("10.77.0.1"))),
            new TreeMap<>(Map.of("tor-1", "Connect, \"Connection refused\"")),
            new TreeSet<>(List.of(IpAddress.parse("192.168.77.241"))),
            "needs strictARP in ipvs mode");
    assertThat(AnnouncerLease.of(lease.toLease(Instant.EPOCH))).isEqualTo(lease);
    Instant later = Instant.EPOCH.plus(Duration.ofHours(1));
    assertThat(AnnouncerLease.of(lease.toLease(later)))
        .as("LF10 what another machine's clock says does not matter")
        .isEqualTo(lease);
    assertThat(lease.toLease(Instant.EPOCH).at("/spec/leaseDurationSeconds").asInt()).isEqualTo(2);
  }

  /// Random deaths, returns and exclusions, every node with a view of its own that is a few steps
  /// old: when views have settled, exactly one holds the address, and it moves only when its owner
  /// cannot hold it any more.
  @Test
  void randomHistoriesEndWithOneOwner() {
    for (long seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      Map<String, NodeView> truth = new LinkedHashMap<>();
      for (String node : List.of("a", "b", "c", "d")) {
        truth.put(node, FREE);
      }
      for (int step = 0; step < 30; step++) {
        String who = "abcd".substring(step % 4, step % 4 + 1);
        NodeView now = truth.getOrDefault(who, FREE);
        int change = random.nextInt(3);
        NodeView next =
            new NodeView(
                change == 0 ? random.nextBoolean() : now.live(),
                change == 1 ? random.nextBoolean() : now.candidate(),
                now.holds() && change != 0);
        truth.put(who, next);
        settle(truth, seed);
      }
    }
  }

  private static void settle(Map<String, NodeView> truth, long seed) {
    String owner = holders(truth);
    for (int round = 0; round < 4; round++) {
      // All decide on the same old view, at once.
      Map<String, NodeView> view = Map.copyOf(truth);
      for (String node : view.keySet()) {
        if (!view.getOrDefault(node, FREE).live()) {
          continue;
        }
        boolean holds =
            switch (AddressOwnership.decide(node, VIP, view)) {
              case TAKE, KEEP -> true;
              case DROP, LEAVE -> false;
            };
        truth.put(node, new NodeView(true, view.getOrDefault(node, FREE).candidate(), holds));
      }
    }
    long candidates = truth.values().stream().filter(n -> n.live() && n.candidate()).count();
    String now = holders(truth);
    assertThat(now.length()).as("seed %d: %s", seed, truth).isEqualTo(candidates > 0 ? 1 : 0);
    NodeView before = truth.getOrDefault(owner, EXCLUDED);
    if (before.live() && before.candidate()) {
      assertThat(now).as("seed %d: it stays", seed).isEqualTo(owner);
    }
  }

  private static String holders(Map<String, NodeView> truth) {
    StringBuilder holders = new StringBuilder();
    truth.forEach(
        (name, node) -> {
          if (node.live() && node.holds() && node.candidate()) {
            holders.append(name);
          }
        });
    return holders.toString();
  }
}
