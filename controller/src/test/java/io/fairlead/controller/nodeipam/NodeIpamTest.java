package io.fairlead.controller.nodeipam;

import static io.fairlead.client.ResourceType.NODES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Ranges of nodes: which pieces there are, and that no two nodes ever have one.
class NodeIpamTest {
  private static final List<Cidr> BOTH =
      List.of(Cidr.parse("10.244.0.0/22"), Cidr.parse("fd00:10:244::/56"));

  private final List<WorkloadTestCluster> worlds = new ArrayList<>();

  @AfterEach
  void close() {
    worlds.forEach(WorkloadTestCluster::close);
  }

  private WorkloadTestCluster world(NodeRanges ranges) {
    WorkloadTestCluster world =
        new WorkloadTestCluster(List.of(wiring -> new NodeIpamController(wiring, ranges, 0)))
            .sees(Node.KIND, NODES)
            .start();
    worlds.add(world);
    return world;
  }

  private static void node(WorkloadTestCluster world, String name) {
    world.create(NODES, "metadata: {name: " + name + "}");
    world.settle();
  }

  private static List<String> ranges(WorkloadTestCluster world, String name) {
    ObjectNode node = world.get(NODES, name);
    List<String> ranges = new ArrayList<>();
    for (JsonNode range : Json.at(node, "spec", "podCIDRs")) {
      ranges.add(range.asString(""));
    }
    return ranges;
  }

  @Test
  void everyNodeGetsAPieceOfEveryFamily() {
    WorkloadTestCluster world = world(NodeRanges.of(BOTH));
    node(world, "a");
    node(world, "b");
    assertThat(ranges(world, "a")).containsExactly("10.244.0.0/24", "fd00:10:244::/64");
    assertThat(Json.text(world.get(NODES, "a"), "spec", "podCIDR")).isEqualTo("10.244.0.0/24");
    assertThat(ranges(world, "b")).containsExactly("10.244.1.0/24", "fd00:10:244:1::/64");
  }

  @Test
  void whatANodeBringsAlongIsNobodyElses() {
    WorkloadTestCluster world = world(NodeRanges.of(List.of(Cidr.parse("10.244.0.0/22"))));
    world.create(NODES, "{metadata: {name: own}, spec: {podCIDRs: [10.244.0.0/23]}}");
    node(world, "a");
    node(world, "b");
    assertThat(ranges(world, "own")).containsExactly("10.244.0.0/23");
    assertThat(ranges(world, "a")).containsExactly("10.244.2.0/24");
    assertThat(ranges(world, "b")).containsExactly("10.244.3.0/24");
  }

  @Test
  void aPieceIsFreedWithItsNodeAndUsedAgainLate() {
    WorkloadTestCluster world = world(NodeRanges.of(List.of(Cidr.parse("10.244.0.0/22"))));
    for (String name : List.of("a", "b", "c")) {
      node(world, name);
    }
    world.delete(NODES, "a", DeleteOptions.DEFAULT);
    world.settle();
    node(world, "d");
    assertThat(ranges(world, "d")).containsExactly("10.244.3.0/24");
    node(world, "e");
    assertThat(ranges(world, "e")).containsExactly("10.244.0.0/24");
  }

  @Test
  void whenNothingIsLeftANodeWaitsAndIsToldSo() {
    WorkloadTestCluster world = world(NodeRanges.of(List.of(Cidr.parse("10.244.0.0/23"))));
    for (String name : List.of("a", "b", "c")) {
      node(world, name);
    }
    assertThat(ranges(world, "c")).isEmpty();
    world.until(
        () ->
            world.list(ResourceType.EVENTS).stream()
                .anyMatch(event -> Json.textOr(event, "", "reason").equals("CIDRNotAvailable")));
    world.delete(NODES, "a", DeleteOptions.DEFAULT);
    world.settle();
    assertThat(ranges(world, "c")).containsExactly("10.244.0.0/24");
  }

  @Test
  void aRestartedControllerGivesNothingTwice() {
    WorkloadTestCluster world = world(NodeRanges.of(List.of(Cidr.parse("10.244.0.0/22"))));
    node(world, "a");
    node(world, "b");
    WorkloadTestCluster again =
        new WorkloadTestCluster(
                List.of(wiring -> new NodeIpamController(wiring, NodeRanges.of(BOTH), 0)))
            .sees(Node.KIND, NODES);
    worlds.add(again);
    // Another controller, which has seen nothing, over the same objects.
    for (ObjectNode node : world.list(NODES)) {
      again.create(
          NODES,
          "{metadata: {name: %s}, spec: {podCIDRs: [%s]}}"
              .formatted(
                  Json.text(node, "metadata", "name"),
                  ranges(world, Json.textOr(node, "", "metadata", "name")).getFirst()));
    }
    again.create(NODES, "metadata: {name: c}");
    again.start();
    assertThat(ranges(again, "c")).containsExactly("10.244.2.0/24", "fd00:10:244::/64");
  }

  @Test
  void whatIsPromisedIsNotGiven() {
    List<Cidr> promised = List.of(Cidr.parse("10.244.0.0/24"));
    WorkloadTestCluster world =
        world(NodeRanges.of(List.of(Cidr.parse("10.244.0.0/23"))).without(promised));
    node(world, "early");
    assertThat(ranges(world, "early")).containsExactly("10.244.1.0/24");
  }

  @Test
  void withoutRangesNothingIsGiven() {
    WorkloadTestCluster world = world(NodeRanges.NONE);
    node(world, "a");
    assertThat(ranges(world, "a")).isEmpty();
  }

  private record Row(String name, String range, int length, int number, String piece) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Row> pieces() {
    return List.of(
        new Row("first of IPv4", "10.244.0.0/16", 24, 0, "10.244.0.0/24"),
        new Row("last of IPv4", "10.244.0.0/16", 24, 255, "10.244.255.0/24"),
        new Row("single addresses", "10.0.0.0/30", 32, 3, "10.0.0.3/32"),
        new Row("a range that is its only piece", "10.9.0.0/24", 24, 0, "10.9.0.0/24"),
        new Row("IPv6 above the middle", "fd00::/48", 64, 0xabcd, "fd00:0:0:abcd::/64"),
        new Row("IPv6 across the middle", "fd00::/60", 72, 0xfff, "fd00:0:0:f:ff00::/72"),
        new Row("IPv6 below the middle", "fd00::/112", 120, 0x7f, "fd00::7f00/120"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pieces")
  void aPieceIsFoundByItsNumberAndBack(Row row) {
    CidrSubnets pieces = new CidrSubnets(Cidr.parse(row.range), row.length);
    assertThat(pieces.at(row.number)).hasToString(row.piece);
    List<Cidr> others = new ArrayList<>();
    for (int i = 0; i < pieces.count(); i++) {
      if (i != row.number) {
        others.add(pieces.at(i));
      }
    }
    assertThat(pieces.free(0, others)).contains(row.number);
    others.add(pieces.at(row.number));
    assertThat(pieces.free(row.number, others)).isEmpty();
  }

  @Test
  void ofAnyUsedRangesTheFreePieceOverlapsNone() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      CidrSubnets pieces = new CidrSubnets(Cidr.parse("10.0.0.0/20"), 20 + random.nextInt(9));
      List<Cidr> used = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        String text = "10.0." + random.nextInt(20) + "." + random.nextInt(256);
        used.add(Cidr.parse(text + "/" + (18 + random.nextInt(15))).masked());
      }
      Optional<Integer> free = pieces.free(random.nextInt(1 << 10), used);
      boolean any = false;
      for (int i = 0; i < pieces.count(); i++) {
        Cidr piece = pieces.at(i);
        any |= used.stream().noneMatch(piece::overlaps);
      }
      assertThat(free.isPresent()).as("%s %s", pieces, used).isEqualTo(any);
      free.ifPresent(number -> assertThat(used).noneMatch(one -> one.overlaps(pieces.at(number))));
    }
  }

  @Test
  void rangesThatCannotBeCutSoAreRefused() {
    assertThatThrownBy(() -> new NodeRanges(List.of(Cidr.parse("10.0.0.0/26")), 24, 64))
        .hasMessage("10.0.0.0/26 in pieces of /24: give a length from /26 to /32");
    assertThatThrownBy(() -> new NodeRanges(List.of(Cidr.parse("fd00::/40")), 24, 64))
        .hasMessage("fd00::/40 in pieces of /64: give a length from /40 to /56");
    assertThatThrownBy(
            () ->
                new NodeRanges(
                    List.of(Cidr.parse("10.0.0.0/16"), Cidr.parse("10.1.0.0/16")), 24, 64))
        .hasMessageStartingWith("two ranges of one family");
    assertThat(NodeRanges.of(List.of(Cidr.parse("10.0.0.0/26"))).ipv4Length()).isEqualTo(26);
    assertThat(NodeRanges.of(List.of(Cidr.parse("fd00::/40"))).ipv6Length()).isEqualTo(56);
  }
}
