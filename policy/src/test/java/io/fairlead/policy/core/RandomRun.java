package io.fairlead.policy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.policy.testing.FakePolicyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// One run of random changes and packets, repeatable by its seed.
final class RandomRun {
  private static final int ROUNDS = 100;
  private static final int EVENTS = 12;
  private static final int PACKETS = 25;
  private static final List<String> LABELS = List.of("a", "b", "c", "d");
  private static final List<String> NAMES = List.of("serve-80-tcp", "serve-81-udp", "web");
  private static final List<String> BLOCKS =
      List.of(
          "0.0.0.0/0",
          "10.0.0.0/8",
          "10.244.0.0/16",
          "10.244.1.0/24",
          "10.244.1.16/28",
          "10.244.2.13/32",
          "192.0.2.0/24",
          "192.0.2.9/32",
          "255.255.255.255/32",
          "::/0",
          "fd00:244::/32",
          "fd00:244:1::/64",
          "fd00:244:2::13/128",
          "2001:db8::/32");

  private final World world;
  private final SplittableRandom random;
  private final IpAddress.Family family;

  RandomRun(long seed, IpAddress.Family family) {
    this.random = new SplittableRandom(seed);
    this.family = family;
    this.world = new World(family);
  }

  void run() {
    for (int round = 0; round < ROUNDS; round++) {
      for (int event = random.nextInt(EVENTS); event >= 0; event--) {
        change();
      }
      for (String node : List.of("node1", "node2")) {
        PolicyPlan plan = world.plan(node);
        assertThat(plan.described()).as("round " + round).isEqualTo(world.fresh(node).described());
        assertThat(world.table(node).plan(family)).isEqualTo(plan);
        Oracle oracle = world.oracle(node);
        for (int i = 0; i < PACKETS; i++) {
          packet(node, oracle);
        }
      }
    }
    numbersAreFreeAgain();
  }

  private void packet(String node, Oracle oracle) {
    IpAddress source = address();
    IpAddress destination = address();
    int protocol = pick(List.of(6, 6, 17, 132, 1));
    int port = pick(List.of(0, 79, 80, 81, 85, 8080, 65535));
    if (World.node(node).addresses().contains(source)
        || World.node(node).addresses().contains(destination)) {
      return;
    }
    FakePolicyTable.Verdict verdict =
        world.table(node).walk(new FakePolicyTable.Packet(source, destination, protocol, port));
    Decision decision = oracle.decideHere(source, destination, protocol, port);
    assertThat(oracle.explain(source, destination, protocol, port).isAllowed())
        .isEqualTo(oracle.decide(source, destination, protocol, port).isAllowed());
    FakePolicyTable.Verdict expected =
        switch (decision) {
          case Decision.Allowed _ -> FakePolicyTable.Verdict.PASSED;
          case Decision.Unknown _ -> FakePolicyTable.Verdict.UNKNOWN;
          case Decision.Denied denied ->
              denied.direction() == Direction.EGRESS
                  ? FakePolicyTable.Verdict.EGRESS_DENIED
                  : FakePolicyTable.Verdict.INGRESS_DENIED;
        };
    assertThat(verdict)
        .as(node + " " + source + " " + destination + " " + protocol + " " + port + " " + decision)
        .isEqualTo(expected);
  }

  private void numbersAreFreeAgain() {
    new ArrayList<>(world.policies.keySet())
        .forEach(key -> world.removePolicy(key.namespace(), key.name()));
    world.sync();
    assertThat(world.planner("node1").classes()).isZero();
    assertThat(world.planner("node1").grants()).isZero();
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private IpAddress address() {
    boolean ipv4 = family == IpAddress.Family.IPV4;
    String subnet = random.nextBoolean() ? "1" : "2";
    int place = 11 + random.nextInt(30);
    return switch (random.nextInt(8)) {
      case 0 -> IpAddress.parse(ipv4 ? "192.0.2.9" : "2001:db8::9");
      case 1 -> IpAddress.parse(ipv4 ? "255.255.255.255" : "ffff::1");
      default ->
          IpAddress.parse(
              ipv4 ? "10.244." + subnet + "." + place : "fd00:244:" + subnet + "::" + place);
    };
  }

  private void change() {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> world.putPod(pod());
      case 3 -> {
        if (!world.pods.isEmpty()) {
          world.removePod(pick(List.copyOf(world.pods.keySet())).toString());
        }
      }
      case 4 -> {
        String name = pick(World.NAMESPACES);
        TreeMap<String, String> labels = new TreeMap<>();
        labels.put("kubernetes.io/metadata.name", name);
        labels.put("ns", pick(LABELS));
        if (random.nextBoolean()) {
          labels.put("team", pick(LABELS));
        }
        world.putNamespace(name, labels);
      }
      case 5 -> world.removeNamespace(pick(World.NAMESPACES));
      case 6 -> {
        if (!world.policies.isEmpty()) {
          var key = pick(List.copyOf(world.policies.keySet()));
          world.removePolicy(key.namespace(), key.name());
        }
      }
      default ->
          world.putPolicy(pick(World.NAMESPACES), "p" + random.nextInt(4), spec().toString());
    }
  }

  private ObjectNode pod() {
    boolean first = random.nextBoolean();
    String subnet = first ? "1" : "2";
    int place = 11 + random.nextInt(30);
    ObjectNode pod =
        world.pod(
            pick(World.NAMESPACES) + "/" + pick(List.of("a", "b", "c", "d", "e")),
            first ? "node1" : "node2",
            "10.244." + subnet + "." + place,
            "fd00:244:" + subnet + "::" + place);
    Json.child(pod, "metadata").put("uid", "u" + random.nextInt(100));
    World.labels(pod).put("pod", pick(LABELS));
    if (random.nextBoolean()) {
      World.labels(pod).put("tier", pick(LABELS));
    }
    var ports = Json.child(pod, "spec").putArray("containers").addObject().putArray("ports");
    for (String name : NAMES) {
      if (random.nextBoolean()) {
        ports
            .addObject()
            .put("name", name)
            .put("protocol", pick(List.of("TCP", "UDP")))
            .put("containerPort", pick(List.of(80, 81, 8080)));
      }
    }
    if (random.nextInt(8) == 0) {
      Json.child(pod, "status").put("phase", "Succeeded");
    }
    if (random.nextInt(10) == 0) {
      Json.child(pod, "spec").put("hostNetwork", true);
    }
    return pod;
  }

  private ObjectNode spec() {
    ObjectNode spec = Json.object();
    spec.set("podSelector", selector("pod"));
    switch (random.nextInt(4)) {
      case 0 -> spec.putArray("policyTypes").add("Egress");
      case 1 -> spec.putArray("policyTypes").add("Ingress").add("Egress");
      default -> {}
    }
    for (String direction : List.of("ingress", "egress")) {
      var rules = spec.putArray(direction);
      for (int i = random.nextInt(3); i > 0; i--) {
        rule(rules.addObject(), direction.equals("ingress") ? "from" : "to");
      }
    }
    return spec;
  }

  private void rule(ObjectNode rule, String peersField) {
    var peers = rule.putArray(peersField);
    for (int i = random.nextInt(3); i > 0; i--) {
      ObjectNode peer = peers.addObject();
      int kind = random.nextInt(5);
      if (kind == 4) {
        ObjectNode block = peer.putObject("ipBlock").put("cidr", pick(BLOCKS));
        if (random.nextBoolean()) {
          block.putArray("except").add(pick(BLOCKS));
        }
        continue;
      }
      if (kind != 1) {
        peer.set("podSelector", selector("pod"));
      }
      if (kind != 0) {
        peer.set("namespaceSelector", selector("ns"));
      }
    }
    var ports = rule.putArray("ports");
    for (int i = random.nextInt(3); i > 0; i--) {
      ObjectNode port = ports.addObject().put("protocol", pick(List.of("TCP", "UDP", "SCTP")));
      switch (random.nextInt(4)) {
        case 0 -> port.put("port", pick(NAMES));
        case 1 -> port.put("port", pick(List.of(80, 81, 8080)));
        case 2 -> port.put("port", 80).put("endPort", pick(List.of(80, 81, 85, 65535)));
        default -> {}
      }
    }
  }

  private ObjectNode selector(String key) {
    ObjectNode selector = Json.object();
    switch (random.nextInt(6)) {
      case 0 -> {}
      case 1 -> expression(selector, key, "In").putArray("values").add(pick(LABELS)).add("a");
      case 2 -> expression(selector, key, "NotIn").putArray("values").add(pick(LABELS));
      case 3 -> expression(selector, key.equals("ns") ? "team" : "tier", "Exists");
      case 4 -> expression(selector, key.equals("ns") ? "team" : "tier", "DoesNotExist");
      default -> selector.putObject("matchLabels").put(key, pick(LABELS));
    }
    return selector;
  }

  private static ObjectNode expression(ObjectNode selector, String key, String operator) {
    return selector
        .putArray("matchExpressions")
        .addObject()
        .put("key", key)
        .put("operator", operator);
  }
}
