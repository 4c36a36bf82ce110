package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import io.fairlead.controller.testing.Placeholders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Compares Endpoints with recorded ones. The order of subsets and ports means nothing; long lists
/// of addresses are recorded as the first, how many more, and the last, which holds their order
/// too.
final class EndpointsComparison {
  private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

  private final Placeholders placeholders;

  EndpointsComparison(Placeholders placeholders) {
    this.placeholders = placeholders;
  }

  /// The recorded objects as they must be in this run.
  ///
  /// @param trigger whether the trigger time counts
  List<JsonNode> wanted(List<ObjectNode> recorded, boolean trigger) {
    List<JsonNode> shapes = new ArrayList<>();
    for (ObjectNode object : recorded) {
      String name = Json.textOr(object, "svc", "metadata", "name");
      shapes.add(shape((ObjectNode) placeholders.fill(object, name), trigger));
    }
    return shapes;
  }

  /// The objects of this run, shortened like recorded ones.
  static List<JsonNode> shapes(List<ObjectNode> actual, boolean trigger) {
    List<JsonNode> shapes = new ArrayList<>();
    actual.forEach(object -> shapes.add(shape(object, trigger)));
    return shapes;
  }

  private static ObjectNode shape(ObjectNode object, boolean trigger) {
    ObjectNode shape = Json.object();
    JsonNode metadata = object.path("metadata");
    shape.put("name", metadata.path("name").asString(""));
    shape.set(
        "labels", metadata.path("labels").isObject() ? metadata.path("labels") : Json.object());
    ObjectNode annotations =
        metadata.get("annotations") instanceof ObjectNode some ? some.deepCopy() : Json.object();
    if (!trigger) {
      annotations.remove(TRIGGER);
    }
    shape.set("annotations", annotations);
    List<ObjectNode> subsets = new ArrayList<>();
    for (JsonNode subset : object.path("subsets")) {
      ObjectNode one = Json.object();
      one.set("addresses", shortened(subset.path("addresses")));
      one.set("notReadyAddresses", shortened(subset.path("notReadyAddresses")));
      one.set("ports", sorted(withProtocols(subset.path("ports"))));
      subsets.add(one);
    }
    subsets.sort(Comparator.comparing(ObjectNode::toString));
    subsets.forEach(shape.putArray("subsets")::add);
    return shape;
  }

  private static ArrayNode shortened(JsonNode list) {
    ArrayNode some = Json.array();
    boolean isShort = list.size() == 3 && list.path(1).has("$more");
    if (list.size() <= 40 && !isShort) {
      return sorted(list);
    }
    int more = isShort ? list.path(1).path("$more").asInt(0) : list.size() - 2;
    some.add(list.path(0));
    some.addObject().put("$more", more);
    some.add(list.path(list.size() - 1));
    return some;
  }

  /// The fake gives no defaults.
  private static ArrayNode withProtocols(JsonNode ports) {
    ArrayNode complete = Json.array();
    for (JsonNode port : ports) {
      ObjectNode copy = Json.object();
      for (String member : List.of("name", "port", "protocol", "appProtocol")) {
        if (port.has(member)) {
          copy.set(member, port.get(member));
        } else if (member.equals("protocol")) {
          copy.put(member, "TCP");
        }
      }
      complete.add(copy);
    }
    return complete;
  }

  private static ArrayNode sorted(JsonNode list) {
    List<JsonNode> entries = new ArrayList<>();
    list.forEach(entries::add);
    entries.sort(Comparator.comparing(JsonNode::toString));
    ArrayNode sorted = Json.array();
    entries.forEach(sorted::add);
    return sorted;
  }
}
