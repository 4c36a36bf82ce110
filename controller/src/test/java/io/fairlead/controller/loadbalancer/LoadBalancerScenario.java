package io.fairlead.controller.loadbalancer;

import static io.fairlead.client.ResourceType.CONFIG_MAPS;
import static io.fairlead.client.ResourceType.LEASES;
import static io.fairlead.client.ResourceType.NAMESPACES;
import static io.fairlead.client.ResourceType.NODES;
import static io.fairlead.client.ResourceType.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFlagReader;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A cluster with the pool of the vectors and this controller, which runs when it is told to.
final class LoadBalancerScenario implements AutoCloseable {
  static final String LAN = "lan=192.168.77.240-192.168.77.242,fd77::240/126";

  /// What a node tells its routers of: all addresses of the pool, so that none lacks an announcer.
  private static final String ALL =
      "192.168.77.240,192.168.77.241,192.168.77.242,fd77::240,fd77::241,fd77::242,fd77::243'";

  final WorkloadTestCluster cluster;
  private final AtomicReference<ServiceLoadBalancerController> controller = new AtomicReference<>();

  private LoadBalancerScenario(boolean isDefault, List<String> pools) {
    cluster =
        new WorkloadTestCluster(
            List.of(
                wiring -> {
                  controller.set(
                      new ServiceLoadBalancerController(
                          wiring,
                          new LoadBalancerOptions(
                              PoolFlagReader.read(pools),
                              isDefault,
                              List.of(),
                              pools.contains(PoolFlagReader.NODE)
                                  ? Optional.of(NodeAddressPool.STANDARD)
                                  : Optional.empty()),
                          0));
                  return controller.get();
                }));
    cluster.sees(BalancedService.KIND, SERVICES).sees(ServedNode.KIND, NODES);
    cluster.create(NAMESPACES, "metadata: {name: kube-public}");
    cluster.client.create(
        LEASES, "kube-public", (ObjectNode) Yaml.parse(announcer("fairlead.dev/routes: '" + ALL)));
  }

  /// The Lease of a node that never dies.
  static String announcer(String annotation) {
    return """
        metadata: {name: fairlead-announce-a, labels: {fairlead.dev/announce: ""},
          annotations: {fairlead.dev/lease-millis: "6000000", %s}}
        spec: {holderIdentity: a}
        """
        .formatted(annotation);
  }

  static LoadBalancerScenario standard() {
    return with(LAN).start();
  }

  /// Not started yet.
  static LoadBalancerScenario with(String... pools) {
    return new LoadBalancerScenario(true, List.of(pools));
  }

  static LoadBalancerScenario notDefault() {
    return new LoadBalancerScenario(false, List.of(LAN));
  }

  /// One that starts with the objects of another: the controller was restarted.
  LoadBalancerScenario restarted(String... pools) {
    LoadBalancerScenario again = with(pools);
    List<ObjectNode> all = new ArrayList<>(cluster.list(SERVICES));
    all.sort(java.util.Comparator.comparing(LoadBalancerScenario::created));
    for (ObjectNode service : all) {
      again.cluster.clock.advance(Duration.ofSeconds(1));
      again.cluster.client.create(SERVICES, ObjectMeta.of(service).namespace(), service);
    }
    return again.start();
  }

  private static String created(ObjectNode service) {
    return Json.textOr(service, "", "metadata", "creationTimestamp");
  }

  LoadBalancerScenario start() {
    cluster.start();
    cluster.until(() -> controller.get().configMaps().hasSynced());
    return this;
  }

  /// Makes a Service of type LoadBalancer with port 80.
  void service(String name, String... spec) {
    inNamespace("default", name, "{}", spec);
  }

  void annotated(String name, String annotations, String... spec) {
    inNamespace("default", name, annotations, spec);
  }

  void inNamespace(String namespace, String name, String annotations, String... spec) {
    cluster.clock.advance(Duration.ofSeconds(1));
    ObjectNode body =
        (ObjectNode)
            Yaml.parse(
                """
                metadata: {name: %s, annotations: %s}
                spec: {type: LoadBalancer, ipFamilies: [IPv4], ipFamilyPolicy: SingleStack,
                  externalTrafficPolicy: Cluster, ports: [{port: 80, protocol: TCP}]}
                """
                    .formatted(name, annotations));
    for (String one : spec) {
      ((ObjectNode) body.path("spec")).setAll((ObjectNode) Yaml.parse("{" + one + "}"));
    }
    cluster.client.create(SERVICES, namespace, body);
    cluster.settle();
  }

  void namespace(String name) {
    cluster.create(NAMESPACES, "metadata: {name: " + name + ", labels: {name: " + name + "}}");
    cluster.settle();
  }

  void patch(String name, String yaml) {
    cluster.patch(SERVICES, name, yaml);
    cluster.settle();
  }

  /// The pools that nodes are told of.
  String published() {
    return Json.textOr(
        cluster.client.get(
            CONFIG_MAPS,
            new ObjectKey(LoadBalancerPools.PUBLISHED_NAMESPACE, LoadBalancerPools.PUBLISHED_NAME)),
        "",
        "data",
        LoadBalancerPools.PUBLISHED_FILE);
  }

  /// What a user with the right to write statuses does.
  void writeStatus(String name, String yaml) {
    cluster.client.patch(
        SERVICES,
        new ObjectKey("default", name),
        "status",
        PatchType.MERGE,
        Yaml.parse("status: {loadBalancer: " + yaml + "}"));
  }

  void delete(String name) {
    cluster.delete(SERVICES, name, DeleteOptions.DEFAULT);
    cluster.settle();
  }

  void advance(int seconds) {
    cluster.advance(Duration.ofSeconds(seconds));
  }

  /// Writes the ConfigMap and waits until its pools are in force.
  void pools(String yaml) {
    ObjectKey key = LoadBalancerPoolSource.CONFIG_MAP;
    ObjectNode body = Json.object();
    body.putObject("metadata").put("name", key.name());
    body.putObject("data").put(LoadBalancerPoolSource.FILE, yaml);
    boolean there = cluster.client.find(CONFIG_MAPS, key).isPresent();
    ObjectNode written =
        there
            ? cluster.client.patch(CONFIG_MAPS, key, PatchType.MERGE, body)
            : cluster.client.create(CONFIG_MAPS, key.namespace(), body);
    String version = ObjectMeta.of(written).resourceVersion();
    cluster.until(
        () ->
            controller
                .get()
                .configMaps()
                .get(key)
                .filter(map -> map.metadata().resourceVersion().equals(version))
                .isPresent());
    cluster.settle();
  }

  /// The addresses of its status.
  String ip(String name) {
    return ip("default", name);
  }

  String ip(String namespace, String name) {
    List<String> addresses = new ArrayList<>();
    for (JsonNode one :
        cluster
            .client
            .get(SERVICES, new ObjectKey(namespace, name))
            .at("/status/loadBalancer/ingress")) {
      assertThat(Json.textOr(one, "", "ipMode")).isEqualTo("VIP");
      addresses.add(Json.textOr(one, "", "ip"));
    }
    return String.join(",", addresses);
  }

  List<String> finalizers(String name) {
    return ObjectMeta.of(cluster.get(SERVICES, name)).finalizers();
  }

  String pool(String name) {
    return Json.textOr(
        cluster.get(SERVICES, name), "", "metadata", "annotations", "fairlead.dev/allocated-from");
  }

  boolean exists(String name) {
    return cluster.exists(SERVICES, name);
  }

  /// Waits for an event with that reason whose message contains the text.
  void told(String reason, String text) {
    cluster.until(() -> cluster.messages(reason).stream().anyMatch(one -> one.contains(text)));
  }

  String condition(String name) {
    for (JsonNode one : cluster.get(SERVICES, name).at("/status/conditions")) {
      if (Json.textOr(one, "", "type").equals(BalancedService.READY)) {
        return Json.textOr(one, "", "status") + " " + Json.textOr(one, "", "reason");
      }
    }
    return "";
  }

  @Override
  public void close() {
    cluster.close();
  }

  /// Four Services for the three addresses of the pool.
  void fill() {
    for (String name : List.of("a", "b", "c", "d")) {
      service(name);
    }
  }

  /// One vector.
  record Row(String name, Consumer<LoadBalancerScenario> steps) {
    @Override
    public String toString() {
      return name;
    }
  }
}
