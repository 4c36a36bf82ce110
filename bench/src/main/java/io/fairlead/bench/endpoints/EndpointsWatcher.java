package io.fairlead.bench.endpoints;

import io.fairlead.api.json.Json;
import io.fairlead.bench.endtoend.SimpleInformer;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Follows slices or Endpoints as a node does: what came, how much of it, and when an endpoint was
/// first seen in a state.
final class EndpointsWatcher implements AutoCloseable, SimpleInformer.Listener {
  /// The endpoints that an API server writes for itself; no controller does.
  private static final String API_SERVER = "kubernetes";

  /// @param needed bytes of writes that changed an endpoint
  record Traffic(int writes, long bytes, long needed) {
    Traffic minus(Traffic before) {
      return new Traffic(writes - before.writes, bytes - before.bytes, needed - before.needed);
    }
  }

  // Guarded by the lock of what follows.
  private final Map<ObjectKey, JsonNode> contents = new HashMap<>();
  private final Map<String, String> states = new HashMap<>();
  private int writes;
  private long bytes;
  private long needed;
  private final SimpleInformer following;

  EndpointsWatcher(Client client, ResourceType type) {
    following = new SimpleInformer(client, type, this);
  }

  @Override
  public void seen(ObjectNode object, boolean initial) {
    if (Json.textOr(object, "", "metadata", "name").equals(API_SERVER)) {
      return;
    }
    JsonNode content = object.has("subsets") ? object.path("subsets") : object.path("endpoints");
    JsonNode before = contents.put(ObjectKey.of(object), content);
    if (!initial) {
      int size = Json.bytes(object).length;
      writes++;
      bytes += size;
      needed += content.equals(before) ? 0 : size;
    }
    for (JsonNode endpoint : object.path("endpoints")) {
      states.put(
          Json.textOr(endpoint, "", "targetRef", "name"),
          endpoint.path("conditions").path("ready").asBoolean(false) ? "ready" : "unready");
    }
  }

  @Override
  public void removed(ObjectNode object) {
    contents.remove(ObjectKey.of(object));
    writes++;
  }

  /// Waits until a pod is shown in that state.
  void await(String pod, String state) throws InterruptedException {
    following.await(() -> state.equals(states.get(pod)), pod + " " + state, this::shown);
  }

  /// Waits until so many endpoints are shown.
  void awaitEndpoints(int count) throws InterruptedException {
    following.await(() -> endpoints() == count, count + " endpoints", this::shown);
  }

  private int endpoints() {
    return contents.values().stream().mapToInt(JsonNode::size).sum();
  }

  private String shown() {
    return endpoints() + " endpoints in " + contents.size() + " objects";
  }

  Traffic traffic() {
    return following.read(() -> new Traffic(writes, bytes, needed));
  }

  int objects() {
    return following.read(contents::size);
  }

  @Override
  public void close() {
    following.close();
  }
}
