package io.fairlead.policy.core;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.policy.testing.FakePolicyTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The fixture of section 14: namespaces x, y, z with pods a, b on node 1 and c on node 2. Objects
/// are changed as JSON and read as the daemon reads them; both nodes plan on the way.
public final class World {
  public static final String CLIENT = "192.0.2.9";
  static final String NODE_1 = "192.168.0.1";
  static final String NODE_2 = "192.168.0.2";
  public static final List<String> NAMESPACES = List.of("x", "y", "z");
  public static final List<String> PODS =
      List.of("x/a", "x/b", "x/c", "y/a", "y/b", "y/c", "z/a", "z/b", "z/c");

  final Map<String, ObjectNode> namespaces = new TreeMap<>();
  final Map<ObjectKey, ObjectNode> pods = new LinkedHashMap<>();
  final Map<ObjectKey, ObjectNode> policies = new LinkedHashMap<>();
  private final Map<String, PolicyPlanner> planners = new TreeMap<>();
  private final Map<String, FakePolicyTable> tables = new TreeMap<>();
  private final IpAddress.Family family;
  private final Map<String, List<PlanChange>> changes = new TreeMap<>();
  private int version;

  public World() {
    this(IpAddress.Family.IPV4);
  }

  public World(IpAddress.Family family) {
    this.family = family;
    for (String node : List.of("node1", "node2")) {
      PolicyPlanner planner = new PolicyPlanner(family, node);
      planner.nodeAddresses(node(node).addresses());
      planners.put(node, planner);
      tables.put(node, new FakePolicyTable(node(node).podRanges()));
    }
    for (String name : NAMESPACES) {
      putNamespace(name, Map.of("ns", name, "kubernetes.io/metadata.name", name));
    }
    for (String pod : PODS) {
      putPod(pod(pod));
    }
  }

  public static Oracle.Node node(String name) {
    boolean first = name.equals("node1");
    String subnet = first ? "1" : "2";
    return new Oracle.Node(
        name,
        Set.of(
            IpAddress.parse(first ? NODE_1 : NODE_2),
            IpAddress.parse("10.244." + subnet + ".0"),
            IpAddress.parse("fd00:244:" + subnet + "::1")),
        List.of(
            Cidr.parse("10.244." + subnet + ".0/24"), Cidr.parse("fd00:244:" + subnet + "::/64")));
  }

  /// A pod of the fixture as an object, to change and put again.
  public ObjectNode pod(String key) {
    String[] parts = key.split("/");
    int place = NAMESPACES.indexOf(parts[0]) * 10 + 11 + "abc".indexOf(parts[1]);
    boolean remote = parts[1].equals("c");
    String subnet = remote ? "2" : "1";
    return pod(
        key,
        remote ? "node2" : "node1",
        "10.244." + subnet + "." + place,
        "fd00:244:" + subnet + "::" + place);
  }

  public ObjectNode pod(String key, String node, String... addresses) {
    String[] parts = key.split("/");
    ObjectNode pod = Json.object();
    ObjectNode metadata = pod.putObject("metadata");
    metadata.put("namespace", parts[0]).put("name", parts[1]).put("uid", "uid-" + key);
    metadata.put("creationTimestamp", "2026-01-01T00:00:00Z");
    metadata.putObject("labels").put("pod", parts[1]);
    ObjectNode spec = pod.putObject("spec").put("nodeName", node);
    ArrayNode ports = spec.putArray("containers").addObject().putArray("ports");
    for (int port : new int[] {80, 81}) {
      for (String protocol : List.of("TCP", "UDP")) {
        ports
            .addObject()
            .put("name", "serve-" + port + "-" + protocol.toLowerCase(java.util.Locale.ROOT))
            .put("containerPort", port)
            .put("protocol", protocol);
      }
    }
    ObjectNode status = pod.putObject("status").put("phase", "Running");
    ArrayNode list = status.putArray("podIPs");
    for (String address : addresses) {
      list.addObject().put("ip", address);
    }
    return pod;
  }

  static ObjectNode labels(ObjectNode object) {
    return Json.child(Json.child(object, "metadata"), "labels");
  }

  public void putPod(ObjectNode pod) {
    version(pod);
    pods.put(ObjectKey.of(pod), pod);
    planners.values().forEach(planner -> planner.put(PolicyPod.read(RawObject.of(pod))));
  }

  public void removePod(String key) {
    String[] parts = key.split("/");
    ObjectKey place = new ObjectKey(parts[0], parts[1]);
    pods.remove(place);
    planners.values().forEach(planner -> planner.removePod(place));
  }

  public void putNamespace(String name, Map<String, String> labels) {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", name);
    labels.forEach(labels(namespace)::put);
    version(namespace);
    namespaces.put(name, namespace);
    planners
        .values()
        .forEach(planner -> planner.put(PolicyNamespace.read(RawObject.of(namespace))));
  }

  void removeNamespace(String name) {
    namespaces.remove(name);
    planners.values().forEach(planner -> planner.removeNamespace(name));
  }

  /// A policy in namespace x, its spec as YAML.
  public void putPolicy(String name, String spec) {
    putPolicy("x", name, spec);
  }

  public void putPolicy(String namespace, String name, String spec) {
    ObjectNode policy = Json.object();
    policy.putObject("metadata").put("namespace", namespace).put("name", name);
    policy.set("spec", Yaml.parse(spec));
    version(policy);
    policies.put(new ObjectKey(namespace, name), policy);
    planners.values().forEach(planner -> planner.put(NetworkPolicyReader.read(policy)));
  }

  public void removePolicy(String namespace, String name) {
    ObjectKey key = new ObjectKey(namespace, name);
    policies.remove(key);
    planners.values().forEach(planner -> planner.removePolicy(key));
  }

  private void version(ObjectNode object) {
    Json.child(object, "metadata").put("resourceVersion", "" + ++version);
  }

  public List<PolicyNamespace> readNamespaces() {
    return namespaces.values().stream().map(RawObject::of).map(PolicyNamespace::read).toList();
  }

  public List<PolicyPod> readPods() {
    return pods.values().stream().map(RawObject::of).map(PolicyPod::read).toList();
  }

  public List<NetworkPolicy> readPolicies() {
    return policies.values().stream().map(NetworkPolicyReader::read).toList();
  }

  public Oracle oracle(String node) {
    return new Oracle(node(node), readNamespaces(), readPods(), readPolicies());
  }

  /// What a node's planner has made out of all changes, in the fake table.
  public PolicyPlan plan(String node) {
    sync();
    return planner(node).plan();
  }

  /// Brings both tables up to date.
  void sync() {
    planners.forEach(
        (node, planner) -> {
          PlanChange change = planner.drain();
          table(node).apply(change);
          if (!change.isEmpty()) {
            changes.computeIfAbsent(node, _ -> new ArrayList<>()).add(change);
          }
          planner.acknowledged();
        });
  }

  /// What has changed in a node's plan since the last call, oldest first.
  public List<PlanChange> takeChanges(String node) {
    sync();
    List<PlanChange> taken = changes.remove(node);
    return taken == null ? List.of() : taken;
  }

  PolicyPlanner planner(String node) {
    return Objects.requireNonNull(planners.get(node));
  }

  FakePolicyTable table(String node) {
    return Objects.requireNonNull(tables.get(node));
  }

  /// The same plan from nothing.
  public PolicyPlan fresh(String node) {
    PolicyPlanner planner = new PolicyPlanner(family, node);
    planner.nodeAddresses(node(node).addresses());
    planner.load(readNamespaces(), readPods(), readPolicies());
    return planner.plan();
  }

  private static ObjectKey key(String name) {
    String[] parts = name.split("/");
    return new ObjectKey(parts[0], parts[1]);
  }

  /// Whether there is such a pod; every address counts as known.
  public boolean knows(String name) {
    return !name.contains("/") || pods.containsKey(key(name));
  }

  /// `x/a`, or an address.
  public IpAddress address(String name) {
    if (!name.contains("/")) {
      return IpAddress.parse(name);
    }
    ObjectNode pod = Objects.requireNonNull(pods.get(key(name)));
    return PolicyPod.read(RawObject.of(pod)).addresses().stream()
        .filter(address -> address.family() == family)
        .findFirst()
        .orElseThrow();
  }

  /// Whether a connection passes both nodes, by their tables. The oracle must say the same.
  boolean reaches(String source, String destination, int port, String protocol) {
    sync();
    IpAddress from = address(source);
    IpAddress to = address(destination);
    int number = number(protocol);
    boolean passes = true;
    boolean allowed = true;
    for (String node : tables.keySet()) {
      boolean ownNode =
          node(node).addresses().contains(from) || node(node).addresses().contains(to);
      FakePolicyTable.Verdict verdict =
          ownNode
              ? FakePolicyTable.Verdict.PASSED
              : table(node).walk(new FakePolicyTable.Packet(from, to, number, port));
      Decision decision = oracle(node).decideHere(from, to, number, port);
      org.assertj.core.api.Assertions.assertThat(verdict == FakePolicyTable.Verdict.PASSED)
          .as(
              node
                  + ": "
                  + source
                  + " -> "
                  + destination
                  + ":"
                  + port
                  + "/"
                  + protocol
                  + " "
                  + decision)
          .isEqualTo(decision.isAllowed());
      passes &= verdict == FakePolicyTable.Verdict.PASSED;
      allowed &= decision.isAllowed();
    }
    return passes && allowed;
  }

  static int number(String protocol) {
    return switch (protocol) {
      case "TCP" -> 6;
      case "UDP" -> 17;
      case "SCTP" -> 132;
      case "ICMP" -> 1;
      default -> throw new IllegalArgumentException(protocol);
    };
  }

  /// All sources that reach a destination, without itself.
  Set<String> reaching(String destination, int port, String protocol) {
    List<String> sources = new ArrayList<>();
    pods.keySet().forEach(key -> sources.add(key.toString()));
    sources.addAll(List.of(CLIENT, NODE_2));
    Set<String> found = new TreeSet<>();
    for (String source : sources) {
      boolean counts =
          !source.contains("/")
              || !PolicyPod.read(RawObject.of(Objects.requireNonNull(pods.get(key(source)))))
                  .hostNetwork();
      if (counts && !source.equals(destination) && reaches(source, destination, port, protocol)) {
        found.add(source);
      }
    }
    return found;
  }
}
