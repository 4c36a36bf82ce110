package io.fairlead.policy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.RawObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Which elements a plan has, and which a change touches: PV86 to PV95 of section 14.
class PlanElementsTest {
  private static final String FROM_B =
      "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod:"
          + " b}}}]}]}";
  private static final String FROM_Y =
      "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels:"
          + " {ns: 'y'}}}], ports: [{port: 80}]}]}";

  private final World world = new World();

  private Map<String, Integer> elements(PolicySet set) {
    Map<String, Integer> found = new TreeMap<>();
    world.plan("node1").of(set).forEach((key, value) -> found.put(key.toString(), value.number()));
    return found;
  }

  private PlanChange change() {
    PlanChange change = world.planner("node1").drain();
    world.table("node1").apply(change);
    return change;
  }

  @Test
  void pv86WithoutPoliciesOnlyPodsAreKnown() {
    PolicyPlan plan = world.plan("node1");
    for (PolicySet set : PolicySet.values()) {
      assertThat(plan.of(set)).as(set.name()).hasSize(set == PolicySet.PODS ? 6 : 0);
    }
  }

  @Test
  void pv87OneSelectorMakesOneClassAndOnePair() {
    world.putPolicy("p", FROM_B);
    assertThat(elements(PolicySet.INGRESS_ANYONE)).isEqualTo(Map.of("10.244.1.11", 0));
    assertThat(elements(PolicySet.CLASSES)).isEqualTo(Map.of("10.244.1.12", 1));
    assertThat(elements(PolicySet.INGRESS_GRANTS)).isEqualTo(Map.of("1 . 10.244.1.11", 1));
    assertThat(elements(PolicySet.SELVES)).containsOnlyKeys("10.244.1.11");
    assertThat(elements(PolicySet.INGRESS_DROPS)).containsOnlyKeys("10.244.1.11");
    assertThat(elements(PolicySet.EGRESS_DROPS)).isEmpty();
    assertThat(elements(PolicySet.PORTS)).isEmpty();
    assertThat(world.plan("node1").of(PolicySet.INGRESS_ANYONE).values())
        .extracting(PlanValue::comment)
        .containsExactly("x/a by p");
  }

  @Test
  void pv88PodsOfANamespaceShareAClass() {
    world.putPolicy("p", FROM_Y);
    assertThat(elements(PolicySet.CLASSES))
        .isEqualTo(Map.of("10.244.1.21", 1, "10.244.1.22", 1, "10.244.2.23", 1));
    assertThat(elements(PolicySet.INGRESS_GRANTS)).isEqualTo(Map.of("1 . 10.244.1.11", 2));
    assertThat(elements(PolicySet.PORTS)).containsOnlyKeys("2 . TCP 80");
  }

  @Test
  void pv89AllPodsNeedNoPair() {
    world.putPolicy(
        "p",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {}}]}]}");
    assertThat(elements(PolicySet.INGRESS_ANYPOD)).isEqualTo(Map.of("10.244.1.11", 1));
    assertThat(elements(PolicySet.CLASSES)).hasSize(9).allSatisfy((_, c) -> assertThat(c).isOne());
    assertThat(elements(PolicySet.INGRESS_GRANTS)).isEmpty();
  }

  @Test
  void pv90ARemotePodIsOneElement() {
    world.putPolicy("p", FROM_Y);
    world.sync();
    world.putPod(world.pod("y/d", "node2", "10.244.2.24"));
    PlanChange change = change();
    assertThat(change.size()).isOne();
    assertThat(change.of(PolicySet.CLASSES).getFirst().key()).hasToString("10.244.2.24");
    assertThat(change.narrows()).isFalse();
    world.removePod("y/d");
    assertThat(change().size()).isOne();
  }

  @Test
  void pv91ALabelNoSelectorNamesChangesNothing() {
    world.putPolicy("p", FROM_Y);
    world.sync();
    ObjectNode pod = world.pod("x/c");
    World.labels(pod).put("other", "1");
    world.putPod(pod);
    world.putNamespace("z", Map.of("ns", "z", "kubernetes.io/metadata.name", "z", "other", "1"));
    assertThat(change().isEmpty()).isTrue();
  }

  @Test
  void pv92DenyAllNeedsOneElementPerPod() {
    PolicyPlanner planner = new PolicyPlanner(IpAddress.Family.IPV4, "node1");
    List<PolicyPod> pods = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      pods.add(
          PolicyPod.read(
              RawObject.of(
                  world.pod("w/p" + i, "node1", "10.9." + i / 250 + "." + (1 + i % 250)))));
    }
    planner.load(List.of(), pods, List.of(policy("w", "{podSelector: {}}")));
    PolicyPlan plan = planner.plan();
    assertThat(plan.of(PolicySet.INGRESS_ANYONE)).hasSize(1000);
    assertThat(plan.of(PolicySet.INGRESS_GRANTS)).isEmpty();
    assertThat(plan.of(PolicySet.CLASSES)).isEmpty();
  }

  private static NetworkPolicy policy(String namespace, String spec) {
    ObjectNode policy = Json.object();
    policy.putObject("metadata").put("namespace", namespace).put("name", "p");
    policy.set("spec", io.fairlead.api.yaml.Yaml.parse(spec));
    return NetworkPolicyReader.read(policy);
  }

  @Test
  void pv93TheOrderOfObjectsDoesNotMatter() {
    world.putPolicy("p", FROM_Y);
    world.putPolicy("q", FROM_B);
    world.putPolicy("y", "r", "{podSelector: {}, egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}");
    List<PolicyPod> pods = new ArrayList<>(world.readPods());
    List<NetworkPolicy> policies = new ArrayList<>(world.readPolicies());
    PolicyPlan expected = null;
    for (int seed = 0; seed < 10; seed++) {
      Collections.shuffle(pods, new java.util.Random(seed));
      Collections.shuffle(policies, new java.util.Random(seed));
      PolicyPlanner planner = new PolicyPlanner(IpAddress.Family.IPV4, "node1");
      planner.load(world.readNamespaces(), pods, policies);
      PolicyPlan plan = planner.plan();
      assertThat(plan).isEqualTo(expected == null ? plan : expected);
      expected = plan;
    }
  }

  @Test
  void pv94ADeletedPolicyLeavesNothing() {
    PolicyPlan before = world.plan("node1");
    world.putPolicy("p", FROM_Y);
    world.sync();
    world.removePolicy("x", "p");
    assertThat(world.plan("node1")).isEqualTo(before);
    world.putPolicy("p", FROM_B);
    assertThat(elements(PolicySet.CLASSES)).isEqualTo(Map.of("10.244.1.12", 1));
  }

  @Test
  void pv95APodHasTheSameInBothFamilies() {
    World six = new World(IpAddress.Family.IPV6);
    for (World each : List.of(world, six)) {
      each.putPolicy("p", FROM_B);
      each.putPod(each.pod("x/b", "node1", "10.244.1.12"));
    }
    assertThat(elements(PolicySet.CLASSES)).containsOnlyKeys("10.244.1.12");
    PolicyPlan plan = six.plan("node1");
    assertThat(plan.of(PolicySet.INGRESS_ANYONE).keySet())
        .extracting(Object::toString)
        .containsExactly("fd00:244:1::11");
    assertThat(plan.of(PolicySet.CLASSES)).isEmpty();
  }

  @Test
  void pv33ARangeIsOneElementAndPv39RangesAreMerged() {
    world.putPolicy("p", "{podSelector: {}, ingress: [{ports: [{port: 80, endPort: 90}]}]}");
    world.putPolicy("q", "{podSelector: {}, ingress: [{ports: [{port: 85, endPort: 100}]}]}");
    assertThat(elements(PolicySet.PORT_RANGES)).containsOnlyKeys("2 . TCP 80-100");
    assertThat(elements(PolicySet.PORTS)).isEmpty();
  }

  @Test
  void pv53PiecesOfTheSameBlocksShareAClass() {
    world.putPolicy(
        "p",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8,"
            + " except: [10.1.0.0/16]}}, {ipBlock: {cidr: 10.1.2.0/24}}]}]}");
    Map<String, Integer> blocks = elements(PolicySet.BLOCKS);
    assertThat(blocks)
        .containsOnlyKeys(
            "10.0.0.0-10.0.255.255", "10.1.2.0-10.1.2.255", "10.2.0.0-10.255.255.255");
    assertThat(blocks.get("10.0.0.0-10.0.255.255"))
        .isEqualTo(blocks.get("10.2.0.0-10.255.255.255"));
    assertThat(blocks.get("10.1.2.0-10.1.2.255")).isNotEqualTo(blocks.get("10.0.0.0-10.0.255.255"));
  }

  @Test
  void pv55TheLastAddressOfTheSpaceIsIn() {
    for (World each : List.of(world, new World(IpAddress.Family.IPV6))) {
      each.putPolicy(
          "p",
          "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 0.0.0.0/0}}, {ipBlock: {cidr:"
              + " '::/0'}}]}]}");
      assertThat(each.plan("node1").of(PolicySet.BLOCKS).keySet())
          .extracting(Object::toString)
          .containsExactly(
              each.equals(world)
                  ? "0.0.0.0-255.255.255.255"
                  : "::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    }
  }

  @Test
  void aPairHidesNeitherAnypodNorAnyone() {
    world.putPolicy("p", FROM_Y);
    world.putPolicy(
        "q",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {}}], ports:"
            + " [{port: 81}]}, {ports: [{port: 82}]}]}");
    assertThat(world.reaches("y/a", "x/a", 80, "TCP")).isTrue();
    assertThat(world.reaches("y/a", "x/a", 81, "TCP")).isTrue();
    assertThat(world.reaches("y/a", "x/a", 82, "TCP")).isTrue();
    assertThat(world.reaches("z/a", "x/a", 80, "TCP")).isFalse();
  }

  @Test
  void aFreedNumberWaitsForTheAcknowledgement() {
    PolicyPlanner planner = world.planner("node1");
    world.putPolicy("p", FROM_B);
    change();
    planner.acknowledged();
    world.removePolicy("x", "p");
    change();
    world.putPolicy("p", FROM_Y);
    assertThat(change().of(PolicySet.CLASSES))
        .allSatisfy(e -> assertThat(e.after()).extracting(PlanValue::number).isEqualTo(2));
    planner.acknowledged();
    world.putPolicy("q", FROM_B);
    assertThat(change().of(PolicySet.CLASSES))
        .allSatisfy(e -> assertThat(e.after()).extracting(PlanValue::number).isEqualTo(1));
  }

  @Test
  void aRestartKeepsTheNumbersOfTheKernel() {
    world.putPolicy("p", FROM_B);
    world.putPolicy("q", FROM_Y);
    world.sync();
    world.removePolicy("x", "p");
    world.sync();
    PolicyPlan kept = world.plan("node1");
    assertThat(kept).isNotEqualTo(world.fresh("node1"));
    PolicyPlanner planner = new PolicyPlanner(IpAddress.Family.IPV4, "node1");
    var numbers = world.table("node1").numbers();
    planner.adopt(numbers.classes(), numbers.grants());
    planner.load(world.readNamespaces(), world.readPods(), world.readPolicies());
    assertThat(planner.plan()).isEqualTo(kept);
  }

  @Test
  void aRestartKeepsTheNumbersOfBlocksThatCutEachOther() {
    for (int i = 0; i < 4; i++) {
      world.putPolicy(
          "p" + i,
          "{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 172.16.0.0/12, except: [172.16."
              + i
              + ".0/24]}}], ports: [{port: 8"
              + i
              + "}]}]}");
    }
    PolicyPlan kept = world.plan("node1");
    PolicyTable.Numbers numbers = world.table("node1").numbers();
    PolicyPlanner planner = new PolicyPlanner(IpAddress.Family.IPV4, "node1");
    planner.adopt(numbers.classes(), numbers.grants());
    planner.load(world.readNamespaces(), world.readPods(), world.readPolicies());
    assertThat(planner.plan()).isEqualTo(kept);
  }

  @Test
  void aPolicyThatNamesAWorkloadLeavesWhatOthersGrantIt() {
    world.putPolicy("p", FROM_Y);
    world.sync();
    int number = java.util.Objects.requireNonNull(elements(PolicySet.CLASSES).get("10.244.1.21"));
    world.putPolicy(
        "z",
        "q",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels:"
            + " {ns: 'y'}}}]}]}");
    world.putPolicy(
        "z",
        "r",
        "{podSelector: {matchLabels: {pod: b}}, ingress: [{from: [{namespaceSelector:"
            + " {matchExpressions: [{key: ns, operator: In, values: ['y', w]}]}}]}]}");
    PlanChange change = change();
    assertThat(change.of(PolicySet.CLASSES)).isEmpty();
    assertThat(change.of(PolicySet.INGRESS_GRANTS))
        .extracting(element -> element.key().toString())
        .containsExactlyInAnyOrder(number + " . 10.244.1.31", number + " . 10.244.1.32");
    assertThat(world.plan("node1").described()).isEqualTo(world.fresh("node1").described());
  }

  @Test
  void pv76AnAddressThatChangesItsPodIsReleased() {
    world.sync();
    world.removePod("x/b");
    world.putPod(world.pod("x/d", "node1", "10.244.1.12"));
    assertThat(change().released()).containsExactly(IpAddress.parse("10.244.1.12"));
    // A StatefulSet's pod: the same name, no element is other.
    ObjectNode again = world.pod("x/d", "node1", "10.244.1.12");
    Json.child(again, "metadata").put("uid", "uid-of-the-next");
    world.putPod(again);
    PlanChange change = change();
    assertThat(change.isEmpty()).isTrue();
    assertThat(change.released()).containsExactly(IpAddress.parse("10.244.1.12"));
    world.putPod(again);
    assertThat(change().released()).isEmpty();
  }

  @Test
  void invalidEntriesAreNamed() {
    NetworkPolicy policy =
        policy(
            "x",
            "{podSelector: {}, ingress: [{from: [{}, {ipBlock: {cidr: 10.0.0.0/8, except:"
                + " [11.0.0.0/8]}}], ports: [{port: 81, endPort: 80}, {protocol: X}]}]}");
    assertThat(
            policy.invalid().stream()
                .map(NetworkPolicy.InvalidEntry::path)
                .collect(Collectors.toList()))
        .containsExactly(
            "spec.ingress[0].from[0]",
            "spec.ingress[0].from[1].ipBlock.except",
            "spec.ingress[0].ports[0]",
            "spec.ingress[0].ports[1]");
  }
}
