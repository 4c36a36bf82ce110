package io.fairlead.policy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Takes a taint off the node when the first rules are in the kernel: a node that registers with it
/// gets no pods before they can be protected. Needs the right to patch the Node.
final class StartupTaint implements AutoCloseable {
  static final String KIND = "policy-startup-taint";

  private static final Duration LOOK = Duration.ofMillis(500);

  private final Client client;
  private final ObjectKey node;
  private final String key;
  private final BooleanSupplier ready;
  private final SupervisedLoop loop;

  StartupTaint(Client client, String node, String key, BooleanSupplier ready) {
    this.client = client;
    this.node = new ObjectKey("", node);
    this.key = key;
    this.ready = ready;
    this.loop = SupervisedLoop.of(KIND).every(LOOK).build(this::step);
  }

  void start() {
    loop.start();
  }

  private void step() {
    if (!ready.getAsBoolean()) {
      return;
    }
    Optional<ObjectNode> found = client.find(ResourceType.NODES, node);
    if (found.isEmpty()) {
      return;
    }
    JsonNode taints = found.get().path("spec").path("taints");
    ObjectNode patch = Json.object();
    // A Node that has changed since is looked at again.
    patch
        .putObject("metadata")
        .put("resourceVersion", Json.textOr(found.get(), "", "metadata", "resourceVersion"));
    ArrayNode left = patch.putObject("spec").putArray("taints");
    for (JsonNode taint : taints) {
      if (!Json.textOr(taint, "", "key").equals(key)) {
        left.add(taint.deepCopy());
      }
    }
    if (left.size() < taints.size()) {
      client.patch(ResourceType.NODES, node, PatchType.MERGE, patch);
    }
    loop.finish();
  }

  @Override
  public void close() {
    loop.close();
  }
}
