package io.fairlead.controller.testing;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A recorded history: what was done, and what was there after each step.
///
/// @param difference where Fairlead means to act differently; empty where it does not
public record Scenario(String id, String title, List<Step> steps, String difference) {
  /// @param title what is done
  /// @param operations in order
  /// @param writes the events a watcher saw
  /// @param slices the EndpointSlices after it
  /// @param endpoints the Endpoints after it
  public record Step(
      String title,
      List<ObjectNode> operations,
      List<ObjectNode> writes,
      List<ObjectNode> slices,
      List<ObjectNode> endpoints,
      List<ObjectNode> events) {}

  private static final Set<String> THREE_ZONES = Set.of("node-a1", "node-b1", "node-c1");

  public static Scenario parse(byte[] file) {
    ObjectNode tree = Json.parseObject(file);
    List<Step> steps = new ArrayList<>();
    for (JsonNode step : tree.path("steps")) {
      steps.add(
          new Step(
              Json.textOr(step, "", "do"),
              objects(step.path("ops")),
              objects(step.path("writes")),
              objects(step.path("result").path("endpointslices")),
              objects(step.path("result").path("endpoints")),
              objects(step.path("events"))));
    }
    return new Scenario(
        Json.textOr(tree, "", "id"),
        Json.textOr(tree, "", "title"),
        steps,
        Json.textOr(tree, "", "fairlead"));
  }

  private static List<ObjectNode> objects(JsonNode list) {
    List<ObjectNode> objects = new ArrayList<>();
    list.forEach(entry -> objects.add((ObjectNode) entry));
    return objects;
  }

  /// The nodes the cluster had when it was recorded.
  public Set<String> nodes() {
    if (id.startsWith("ES-40-2z") || id.equals("ES-41")) {
      return Set.of("node-a1", "node-b1");
    }
    if (id.startsWith("ES-40") || id.equals("ES-42") || id.equals("ES-43")) {
      return THREE_ZONES;
    }
    return id.equals("ES-44")
        ? Set.of("node-a1", "node-b1", "node-x")
        : Set.of("node-a1", "node-b1", "node-c1", "node-x");
  }

  /// `ES-1 placeholder slice; …`, for the name of a test.
  @Override
  public String toString() {
    return id + " " + title;
  }
}
