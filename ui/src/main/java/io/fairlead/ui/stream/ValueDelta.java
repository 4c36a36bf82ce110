package io.fairlead.ui.stream;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What turns one value of a topic into the next: fields to set and to remove, named by slash paths
/// with the escapes of RFC 6901. Objects are compared field by field; everything else is replaced
/// as a whole.
///
/// @param set in the order they are to be set
public record ValueDelta(Map<String, JsonNode> set, List<String> remove) {
  static final ValueDelta NONE = new ValueDelta(Map.of(), List.of());

  public ValueDelta {
    set = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(set));
    remove = List.copyOf(remove);
  }

  /// The difference between two values.
  public static ValueDelta between(ObjectNode before, ObjectNode after) {
    Map<String, JsonNode> set = new LinkedHashMap<>();
    List<String> remove = new ArrayList<>();
    compare("", before, after, set, remove);
    return new ValueDelta(set, remove);
  }

  private static void compare(
      String path,
      ObjectNode before,
      ObjectNode after,
      Map<String, JsonNode> set,
      List<String> remove) {
    for (Map.Entry<String, JsonNode> field : before.properties()) {
      if (!after.has(field.getKey())) {
        remove.add(path + escape(field.getKey()));
      }
    }
    for (Map.Entry<String, JsonNode> field : after.properties()) {
      String place = path + escape(field.getKey());
      JsonNode old = before.get(field.getKey());
      if (old instanceof ObjectNode one && field.getValue() instanceof ObjectNode other) {
        compare(place + "/", one, other, set, remove);
      } else if (!field.getValue().equals(old)) {
        set.put(place, field.getValue());
      }
    }
  }

  private static String escape(String key) {
    return key.replace("~", "~0").replace("/", "~1");
  }

  public boolean isEmpty() {
    return set.isEmpty() && remove.isEmpty();
  }

  /// This and then a later one, as one.
  ValueDelta then(ValueDelta later) {
    Map<String, JsonNode> both = new LinkedHashMap<>(set);
    Set<String> gone = new LinkedHashSet<>(remove);
    for (String path : later.remove()) {
      both.keySet().removeIf(key -> key.equals(path) || key.startsWith(path + "/"));
      gone.add(path);
    }
    later
        .set()
        .forEach(
            (path, value) -> {
              // What was set below a place that is now set as a whole is part of it.
              both.keySet().removeIf(key -> key.startsWith(path + "/"));
              both.remove(path);
              both.put(path, value);
            });
    // Removals come first, so one that is set again later stays.
    return new ValueDelta(both, List.copyOf(gone));
  }

  /// The fields `set` and `remove` of an event.
  void writeTo(ObjectNode event) {
    ObjectNode fields = event.putObject("set");
    set.forEach(fields::set);
    ArrayNode gone = Json.array();
    remove.forEach(gone::add);
    event.set("remove", gone);
  }
}
