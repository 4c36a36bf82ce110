package io.fairlead.bench.pods;

import io.fairlead.api.json.Json;
import io.fairlead.bench.endtoend.SimpleInformer;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Notes when each pod was first seen ready.
public final class PodTimes implements AutoCloseable, SimpleInformer.Listener {
  // Guarded by the lock of what follows.
  private final Map<String, Long> ready = new HashMap<>();
  private final Map<String, String> states = new HashMap<>();
  private final SimpleInformer following;

  public PodTimes(Client client) {
    following = new SimpleInformer(client, ResourceType.PODS, this);
  }

  @Override
  public void seen(ObjectNode pod, boolean initial) {
    long now = System.nanoTime();
    String name = Json.textOr(pod, "", "metadata", "name");
    states.put(name, Json.at(pod, "status").toString());
    for (JsonNode condition : Json.at(pod, "status", "conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")
          && Json.textOr(condition, "", "status").equals("True")) {
        ready.putIfAbsent(name, now);
      }
    }
  }

  @Override
  public void removed(ObjectNode pod) {
    String name = Json.textOr(pod, "", "metadata", "name");
    states.remove(name);
    ready.remove(name);
  }

  /// When a pod was first seen ready; waits for it.
  public long ready(String name) throws InterruptedException {
    following.await(() -> ready.containsKey(name), name + " ready", states::toString);
    return following.read(() -> ready.getOrDefault(name, 0L));
  }

  public void awaitNone() throws InterruptedException {
    following.await(states::isEmpty, "no pods", states::toString);
  }

  @Override
  public void close() {
    following.close();
  }
}
