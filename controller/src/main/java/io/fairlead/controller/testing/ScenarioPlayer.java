package io.fairlead.controller.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.patch.MergePatch;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Does what the steps of a recording say, in one namespace.
public final class ScenarioPlayer {
  private static final Map<String, ResourceType> KINDS =
      Map.of(
          "Service", ResourceType.SERVICES,
          "Pod", ResourceType.PODS,
          "Node", ResourceType.NODES,
          "Endpoints", ResourceType.ENDPOINTS,
          "EndpointSlice", ResourceType.ENDPOINT_SLICES);
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String LONG_AGO = "2026-01-01T00:00:00Z";
  private static final String ALL_READY =
      "PATCH status of p-0 .. p-100 in order, Ready True at 2026-01-01T01:00:00Z";

  private final Client client;
  private final String namespace;
  private final UnaryOperator<ObjectNode> complete;
  private final Runnable settle;
  private final Placeholders placeholders;

  /// @param complete adds what a real server adds to a Service that is made; identity with one
  /// @param settle waits until the controllers have done what is to do: called after every object
  ///   that is made, because the recordings were made at a pace that let them
  public ScenarioPlayer(
      Client client, String namespace, UnaryOperator<ObjectNode> complete, Runnable settle) {
    this.client = client;
    this.namespace = namespace;
    this.complete = complete;
    this.settle = settle;
    this.placeholders = new Placeholders(namespace);
  }

  public Placeholders placeholders() {
    return placeholders;
  }

  /// Sees to it that the cluster has these nodes of the recordings and no other: `node-a1` is in
  /// zone a, and so on; `node-x` in none.
  public void nodes(Set<String> wanted) {
    Set<String> present = new HashSet<>();
    client.listAll(
        ResourceType.NODES,
        "",
        ListOptions.ALL,
        node -> present.add(Json.textOr(node, "", "metadata", "name")));
    for (String name : present) {
      if (!wanted.contains(name)) {
        client.delete(ResourceType.NODES, new ObjectKey("", name), DeleteOptions.DEFAULT);
      }
    }
    for (String name : wanted) {
      if (!present.contains(name)) {
        node(name, name.equals("node-x") ? "" : name.substring(5, 6));
      }
    }
  }

  /// Does one operation. False for one it does not know how to do.
  public boolean play(ObjectNode operation) {
    switch (Json.textOr(operation, "", "op")) {
      case "create" -> create((ObjectNode) filled(operation, "object"));
      case "createPods" -> createPods(operation);
      case "createNode" ->
          node(Json.textOr(operation, "", "name"), Json.textOr(operation, "", "zone"));
      case "patch" -> patch(type(operation), key(operation), filled(operation, "patch"));
      case "patchStatus" -> patchStatus(key(operation), filled(operation, "patch"));
      case "delete" -> delete(operation);
      case "note" -> {
        return note(Json.textOr(operation, "", "text"));
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean note(String text) {
    if (!text.startsWith(ALL_READY)) {
      // The others only explain the operation beside them.
      return true;
    }
    for (int i = 0; i <= 100; i++) {
      ObjectNode patch = Json.object();
      ready(patch.putObject("status"), true, "2026-01-01T01:00:00Z");
      patchStatus(new ObjectKey(namespace, "p-" + i), patch);
    }
    return true;
  }

  private JsonNode filled(ObjectNode operation, String member) {
    return placeholders.fill(operation.path(member), "svc");
  }

  private static ResourceType type(ObjectNode operation) {
    ResourceType type = KINDS.get(Json.textOr(operation, "", "kind"));
    if (type == null) {
      throw new IllegalArgumentException("unknown kind in " + operation);
    }
    return type;
  }

  private ObjectKey key(ObjectNode operation) {
    String name = Json.textOr(operation, "", "name");
    return new ObjectKey(
        type(operation).namespaced() ? namespace : "", placeholders.name(name).orElse(name));
  }

  private void create(ObjectNode object) {
    ResourceType type = type(object);
    String home = type.namespaced() ? namespace : "";
    boolean service = type.equals(ResourceType.SERVICES);
    placeholders.made(client.create(type, home, service ? complete.apply(object) : object));
  }

  private void patch(ResourceType type, ObjectKey key, JsonNode patch) {
    if (!type.equals(ResourceType.SERVICES)) {
      client.patch(type, key, PatchType.MERGE, patch);
      return;
    }
    // A change of the type may need an address, which only `complete` can give where the server
    // does not.
    ObjectNode merged = MergePatch.apply(client.get(type, key), (ObjectNode) patch);
    ObjectNode completed = complete.apply(merged.deepCopy());
    if (completed.equals(merged)) {
      client.patch(type, key, PatchType.MERGE, patch);
    } else {
      client.update(type, completed);
    }
  }

  private void delete(ObjectNode operation) {
    DeleteOptions options = DeleteOptions.DEFAULT;
    String propagation = Json.textOr(operation, "", "propagationPolicy");
    for (DeleteOptions.Propagation known : DeleteOptions.Propagation.values()) {
      if (known.word().equals(propagation)) {
        options = DeleteOptions.of(known);
      }
    }
    JsonNode grace = operation.path("gracePeriodSeconds");
    if (grace.isNumber()) {
      options = options.within(grace.asLong(0));
    }
    client.delete(type(operation), key(operation), options);
    settle.run();
  }

  private void patchStatus(ObjectKey key, JsonNode patch) {
    client.raw(
        ApiRequest.with("PATCH", ResourceType.PODS.path(key) + "/status", Map.of(), patch)
            .ofType(MERGE_PATCH));
  }

  private void node(String name, String zone) {
    ObjectNode node = Json.object().put("kind", "Node").put("apiVersion", "v1");
    ObjectNode metadata = node.putObject("metadata").put("name", name);
    if (!zone.isEmpty()) {
      metadata.putObject("labels").put("topology.kubernetes.io/zone", zone);
    }
    ObjectNode status = node.putObject("status");
    status.putObject("allocatable").put("cpu", "4");
    ready(status, true, LONG_AGO);
    client.create(ResourceType.NODES, "", node);
    ObjectNode patch = Json.object();
    patch.set("status", status.deepCopy());
    client.raw(
        ApiRequest.with(
                "PATCH",
                ResourceType.NODES.path(new ObjectKey("", name)) + "/status",
                Map.of(),
                patch)
            .ofType(MERGE_PATCH));
  }

  private void createPods(ObjectNode operation) {
    int first = operation.path("first").asInt(0);
    int count = operation.path("count").asInt(1);
    for (int i = 0; i < count; i++) {
      ObjectNode pod = pod(operation, first + i, count);
      placeholders.made(client.create(ResourceType.PODS, namespace, pod));
      ObjectNode patch = Json.object();
      patch.set("status", status(operation, i));
      patchStatus(new ObjectKey(namespace, Json.textOr(pod, "", "metadata", "name")), patch);
      settle.run();
    }
  }

  private static ObjectNode pod(ObjectNode operation, int number, int count) {
    ObjectNode pod = Json.object().put("kind", "Pod").put("apiVersion", "v1");
    ObjectNode metadata =
        pod.putObject("metadata").put("name", operation.path("prefix").asString("") + "-" + number);
    metadata.set("labels", operation.path("labels").deepCopy());
    ObjectNode spec = pod.putObject("spec");
    ObjectNode container =
        spec.putArray("containers").addObject().put("name", "c").put("image", "example.com/c");
    if (operation.path("containerPorts").isArray()) {
      container.set("ports", operation.path("containerPorts").deepCopy());
    }
    text(operation, "node").ifPresent(node -> spec.put("nodeName", node));
    text(operation, "hostname")
        .ifPresent(name -> spec.put("hostname", count > 1 ? name + "-" + number : name));
    text(operation, "subdomain").ifPresent(name -> spec.put("subdomain", name));
    if (operation.get("podSpec") instanceof ObjectNode more) {
      spec.setAll(more.deepCopy());
    }
    return pod;
  }

  private static ObjectNode status(ObjectNode operation, int offset) {
    ObjectNode status = Json.object().put("phase", text(operation, "phase").orElse("Running"));
    ready(status, operation.path("ready").asBoolean(false), LONG_AGO);
    ArrayNode addresses = Json.array();
    for (String family : List.of("firstIP", "firstIPv6")) {
      text(operation, family)
          .ifPresent(
              first ->
                  addresses.addObject().put("ip", IpAddress.parse(first).plus(offset).toString()));
    }
    if (!addresses.isEmpty()) {
      status.put("podIP", addresses.path(0).path("ip").asString(""));
      status.set("podIPs", addresses);
    }
    return status;
  }

  private static void ready(ObjectNode status, boolean ready, String since) {
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", ready ? "True" : "False")
        .put("lastTransitionTime", since);
  }

  private static Optional<String> text(ObjectNode operation, String member) {
    return Optional.ofNullable(Json.text(operation, member));
  }
}
