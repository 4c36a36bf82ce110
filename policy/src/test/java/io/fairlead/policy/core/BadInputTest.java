package io.fairlead.policy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.RawObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Section 10 of the specification: what a policy or a pod must not be able to do to the others.
class BadInputTest {
  /// @param tooLarge whether it is refused: then it isolates and allows nothing
  private record Size(String name, Consumer<ObjectNode> spec, boolean tooLarge) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static void rules(ObjectNode spec, int count, Consumer<ObjectNode> each) {
    ArrayNode rules = spec.putArray("ingress");
    for (int i = 0; i < count; i++) {
      each.accept(rules.addObject());
    }
  }

  private static String network(int number) {
    return "%d.%d.%d.0/24".formatted(20 + number / 65536, number / 256 % 256, number % 256);
  }

  private static void blocks(ObjectNode rule, int count, boolean overlapping) {
    ArrayNode from = rule.putArray("from");
    for (int i = 0; i < count; i++) {
      ObjectNode block = from.addObject().putObject("ipBlock");
      if (overlapping) {
        block.put("cidr", "0.0.0.0/0").putArray("except").add(network(i));
      } else {
        block.put("cidr", network(i));
      }
    }
  }

  private static void ports(ObjectNode rule, int first, int count) {
    ArrayNode ports = rule.putArray("ports");
    IntStream.range(first, first + count).forEach(port -> ports.addObject().put("port", port));
  }

  static Stream<Size> sizes() {
    return Stream.of(
        new Size(
            "10,000 rules of one port each",
            spec -> rules(spec, 10_000, rule -> ports(rule, 80 + spec.path("ingress").size(), 1)),
            false),
        new Size("10,000 ports", spec -> rules(spec, 1, rule -> ports(rule, 80, 10_000)), false),
        new Size(
            "a block of 1,000 excepts",
            spec ->
                rules(
                    spec,
                    1,
                    rule -> {
                      ObjectNode block =
                          rule.putArray("from")
                              .addObject()
                              .putObject("ipBlock")
                              .put("cidr", "16.0.0.0/4");
                      ArrayNode excepts = block.putArray("except");
                      IntStream.range(0, 1_000).forEach(i -> excepts.add(network(2 * i)));
                    }),
            false),
        new Size(
            "10,000 networks side by side",
            spec -> rules(spec, 1, rule -> blocks(rule, 10_000, false)),
            false),
        new Size("60,000 ports", spec -> rules(spec, 2, rule -> ports(rule, 80, 30_000)), true),
        new Size(
            "10,000 blocks, each over all others",
            spec -> rules(spec, 1, rule -> blocks(rule, 10_000, true)),
            true));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void aLargePolicyIsPlannedOrIsolatesAndAllowsNothing(Size size) {
    World world = new World();
    ObjectNode spec = Json.object();
    spec.putObject("podSelector");
    size.spec().accept(spec);
    world.putPolicy("large", spec.toString());
    NetworkPolicy read = world.readPolicies().getFirst();
    assertThat(read.invalid().stream().anyMatch(NetworkPolicy.InvalidEntry::isTooLarge))
        .isEqualTo(size.tooLarge());
    PolicyPlan plan = world.plan("node1");
    assertThat(plan.of(PolicySet.INGRESS_ANYONE)).hasSize(2);
    int allowed =
        Stream.of(PolicySet.PORTS, PolicySet.PORT_RANGES, PolicySet.BLOCKS)
            .mapToInt(set -> plan.of(set).size())
            .sum();
    assertThat(allowed == 0).isEqualTo(size.tooLarge());
    assertThat(world.reaches("y/a", "x/a", 79, "TCP")).isFalse();
    assertThat(world.reaches("x/a", "y/a", 80, "TCP")).isTrue();
  }

  @Test
  void theOtherPoliciesOfTheNodeHoldBesideOneThatIsTooLarge() {
    World world = new World();
    ObjectNode spec = Json.object();
    spec.putObject("podSelector").putObject("matchLabels").put("pod", "a");
    rules(spec, 2, rule -> ports(rule, 80, 30_000));
    world.putPolicy("large", spec.toString());
    world.putPolicy("other", "{podSelector: {}, ingress: [{ports: [{port: 81}]}]}");
    assertThat(world.reaches("y/a", "x/a", 80, "TCP")).isFalse();
    assertThat(world.reaches("y/a", "x/a", 81, "TCP")).isTrue();
    assertThat(world.reaches("y/a", "x/b", 81, "TCP")).isTrue();
  }

  @Test
  void overlappingBlocksOfManyPoliciesArePlanned() {
    World world = new World();
    for (int i = 0; i < 150; i++) {
      ObjectNode spec = Json.object();
      spec.putObject("podSelector").putObject("matchLabels").put("pod", "a");
      int number = i;
      rules(
          spec,
          1,
          rule ->
              rule.putArray("from")
                  .addObject()
                  .putObject("ipBlock")
                  .put("cidr", "0.0.0.0/0")
                  .putArray("except")
                  .add(network(number)));
      world.putPolicy("p" + i, spec.toString());
    }
    assertThat(world.plan("node1").of(PolicySet.BLOCKS)).hasSize(152);
    assertThat(world.plan("node1").described()).isEqualTo(world.fresh("node1").described());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense",
        "127.0.0.1",
        "169.254.1.1",
        "224.0.0.1",
        "0.0.0.0",
        "::ffff:10.244.1.50",
        "fe80::1",
        "::1",
        "010.244.1.50",
        "10.244.1.050"
      })
  void anAddressThatNoPodCanHaveIsNoAddress(String address) {
    World world = new World();
    assertThat(PolicyPod.read(RawObject.of(world.pod("x/d", "node1", address))).addresses())
        .isEmpty();
  }

  @Test
  void aPodWithTheNodesOwnAddressHasNone() {
    World world = new World();
    world.putPod(world.pod("x/d", "node1", World.NODE_1));
    assertThat(world.plan("node1").of(PolicySet.PODS)).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{podSelector: {}, ingress: [{from: everyone}]}",
        "{podSelector: {}, ingress: [{from: {}}]}",
        "{podSelector: {}, ingress: [{ports: 80}]}",
        "{podSelector: {}, ingress: [{from: [{podSelector: {matchExpressions: [{key: a, operator: Near}]}}]}]}",
        "{podSelector: {}, ingress: [{from: [{podSelector: {matchExpressions: [{key: a, operator: In}]}}]}]}",
        "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.244.0.0}}]}]}",
        "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.244.0.0/16}, podSelector: {}}]}]}",
        "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.244.0.0/16, except: [10.0.0.0/8]}}]}]}",
        "{podSelector: {}, ingress: [{ports: [{port: 0}]}]}",
        "{podSelector: {}, ingress: [{ports: [{port: 65536}]}]}",
        "{podSelector: {}, ingress: [{ports: [{endPort: 90}]}]}",
        "{podSelector: {}, ingress: [{ports: [{protocol: ICMP}]}]}"
      })
  void aMistakeOpensNothing(String spec) {
    World world = new World();
    world.putPolicy("p", spec);
    assertThat(world.reaching("x/a", 80, "TCP")).isEmpty();
  }

  @Test
  void labelsAreData() {
    World world = new World();
    ObjectNode pod = world.pod("x/b");
    World.labels(pod).put("pod", "\" drop; flush ruleset");
    world.putPod(pod);
    world.putPolicy(
        "p",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod:"
            + " '\" drop; flush ruleset'}}}]}]}");
    assertThat(world.reaching("x/a", 80, "TCP")).containsExactly("x/b");
  }

  @Test
  void pf10EventsInAnyOrderGiveOnePlan() {
    World world = new World();
    world.putPolicy(
        "x",
        "p",
        "{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {ns: 'y'}}}]}]}");
    world.putPolicy("y", "q", "{podSelector: {}, egress: [{ports: [{port: serve-80-tcp}]}]}");
    PolicyPlan expected = world.fresh("node1");
    for (int seed = 0; seed < 50; seed++) {
      PolicyPlanner planner = new PolicyPlanner(IpAddress.Family.IPV4, "node1");
      List<Runnable> events = new ArrayList<>();
      events.add(() -> planner.nodeAddresses(World.node("node1").addresses()));
      world.readNamespaces().forEach(each -> events.add(() -> planner.put(each)));
      world.readPods().forEach(each -> events.add(() -> planner.put(each)));
      world.readPolicies().forEach(each -> events.add(() -> planner.put(each)));
      Collections.shuffle(events, new Random(seed));
      for (int i = 0; i < events.size(); i++) {
        events.get(i).run();
        if (i % (1 + seed % 5) == 0) {
          assertThat(planner.drain()).isNotNull();
          planner.acknowledged();
        }
      }
      assertThat(planner.plan().described()).as("seed " + seed).isEqualTo(expected.described());
    }
  }
}
