package io.fairlead.agent;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An API in memory with what agents expect to find there, and the questions their tests ask it.
public final class MemoryCluster implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(60);
  public static final ResourceType SECRETS = new ResourceType("", "v1", "secrets", "Secret", true);

  private final Client client =
      new Client(
          new FakeApi(
              List.of(
                  ResourceType.PODS,
                  ResourceType.SERVICES,
                  ResourceType.NODES,
                  ResourceType.LEASES,
                  ResourceType.EVENTS,
                  ResourceType.CONFIG_MAPS,
                  SECRETS)));

  public MemoryCluster() {
    create(ResourceType.NAMESPACES, "", "metadata: {name: kube-node-lease}");
    create(
        ResourceType.SERVICES,
        "default",
        "metadata: {name: kubernetes}\nspec: {clusterIP: 10.96.0.1, ports: [{port: 443}]}");
  }

  /// What a server answers a client inside a network; empty when it does not.
  public static String curl(NetworkNamespace from, String url) {
    return CommandRunner.inside(from, PATIENCE)
        .run("", List.of("curl", "-s", "--max-time", "20", url))
        .output()
        .strip();
  }

  public Client client() {
    return client;
  }

  public void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, (ObjectNode) Yaml.parse(yaml));
  }

  /// Asks for a pod on a node.
  ///
  /// @param spec what stands in its braces, but for the node
  public void pod(String node, String name, String spec) {
    create(
        ResourceType.PODS,
        "default",
        "metadata: {name: " + name + "}\nspec: {nodeName: " + node + ", " + spec + "}");
  }

  public ObjectNode pod(String name) {
    return client.get(ResourceType.PODS, new ObjectKey("default", name));
  }

  /// Deletes a pod and waits until it is gone.
  public void delete(String name) {
    ObjectKey key = new ObjectKey("default", name);
    client.delete(ResourceType.PODS, key, DeleteOptions.DEFAULT);
    await().atMost(PATIENCE).until(() -> client.find(ResourceType.PODS, key).isEmpty());
  }

  public boolean ready(String name) {
    return condition(pod(name), "Ready", "status").equals("True");
  }

  public void awaitReady(String name) {
    await(name + " is ready").atMost(PATIENCE).until(() -> ready(name));
  }

  /// What a condition of a pod or a node says; empty when it has none of that type.
  public static String condition(ObjectNode object, String type, String field) {
    for (JsonNode condition : Json.at(object, "status", "conditions")) {
      if (Json.textOr(condition, "", "type").equals(type)) {
        return Json.textOr(condition, "", field);
      }
    }
    return "";
  }

  public String phase(String name) {
    return Json.textOr(pod(name), "", "status", "phase");
  }

  /// The status of a pod's first container.
  public JsonNode status(String name) {
    return Json.at(pod(name), "status", "containerStatuses").path(0);
  }

  /// Text in the status of a pod's first container; empty when it is not there.
  public String says(String name, String... path) {
    return Json.textOr(status(name), "", path);
  }

  /// Every address of a pod, in order.
  public List<String> addresses(String name) {
    return Json.at(pod(name), "status", "podIPs")
        .valueStream()
        .map(one -> one.path("ip").asString(""))
        .toList();
  }

  @Override
  public void close() {
    client.close();
  }
}
