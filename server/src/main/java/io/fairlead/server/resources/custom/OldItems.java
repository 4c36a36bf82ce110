package io.fairlead.server.resources.custom;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Finds which item of a list was which before. Only the items of a list that is a map can be told
/// apart; in all others an item may have moved.
final class OldItems {
  private OldItems() {}

  /// The item with the same keys in the old list; null when there is none or no way to tell.
  static @Nullable JsonNode find(
      JsonNode item, @Nullable JsonNode oldList, StructuralSchema schema) {
    if (oldList == null || !oldList.isArray() || !schema.listType().equals("map")) {
      return null;
    }
    List<JsonNode> wanted = keys(item, schema);
    for (JsonNode old : oldList) {
      if (keys(old, schema).equals(wanted)) {
        return old;
      }
    }
    return null;
  }

  /// The values of the keys of an item; a missing node where there is none.
  static List<JsonNode> keys(JsonNode item, StructuralSchema schema) {
    List<JsonNode> keys = new ArrayList<>();
    schema.listKeys().forEach(key -> keys.add(item.path(key)));
    return keys;
  }
}
