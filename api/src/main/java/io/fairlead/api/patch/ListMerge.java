package io.fairlead.api.patch;

import io.fairlead.api.schema.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Merges a list of a strategic merge patch into a list of an object.
///
/// Items pair by the value of one member, the merge key, or as scalars by themselves. The order of
/// the result: items of the patch as the patch has them, items only the server knows as the server
/// has them; where the two meet, a server item comes first only if it stood before the patch item
/// already. So a new item of the patch goes in front.
final class ListMerge {
  private final String key;
  private final @Nullable Type element;

  /// `key` is empty for scalars; `element` is the type of the items.
  ListMerge(String key, @Nullable Type element) {
    this.key = key;
    this.element = element;
  }

  /// The merged list. `current` may be changed and its items are used, `patch` is not changed.
  ArrayNode merge(ArrayNode current, ArrayNode patch) {
    checkItems(current, patch);
    if (current.isEmpty() && patch.isEmpty()) {
      return current;
    }
    ArrayNode original = current.arrayNode().addAll(current);
    ArrayNode plain = plainItems(patch);
    if (key.isEmpty()) {
      ArrayNode union = current.arrayNode();
      Positions seen = new Positions(union);
      for (ArrayNode side : List.of(current, plain)) {
        side.forEach(item -> seen.addIfNew(item));
      }
      return inOrder(union, plain, original);
    }
    if (isReplacement(patch)) {
      // Taken as it is, also where two items have one key, such as two addresses of one kind.
      ArrayNode replaced = current.arrayNode();
      plain.forEach(item -> replaced.add(StrategicMergePatch.cleaned(item)));
      return inOrder(replaced, plain, original);
    }
    ArrayNode merged = withoutDeleted(current, patch);
    Positions positions = new Positions(merged);
    for (JsonNode item : plain) {
      int position = positions.of(item);
      if (position < 0) {
        positions.addIfNew(StrategicMergePatch.cleaned(item));
      } else {
        ObjectNode into = (ObjectNode) merged.get(position);
        merged.set(position, StrategicMergePatch.merge(into, (ObjectNode) item, element));
      }
    }
    return inOrder(merged, plain, original);
  }

  /// Sorts `merged` by the wanted order, mixed with the items that only `original` orders.
  ArrayNode inOrder(ArrayNode merged, ArrayNode wanted, ArrayNode original) {
    Positions inWanted = new Positions(wanted);
    Positions inOriginal = new Positions(original);
    List<JsonNode> ours = new ArrayList<>();
    List<JsonNode> servers = new ArrayList<>();
    for (JsonNode item : merged) {
      (inWanted.of(item) >= 0 ? ours : servers).add(item);
    }
    ours.sort(Comparator.comparingInt(inWanted::of));
    servers.sort(Comparator.comparingInt(inOriginal::of));
    ArrayNode result = merged.arrayNode();
    int next = 0;
    for (JsonNode server : servers) {
      int place = inOriginal.of(server);
      while (next < ours.size() && !standsBefore(place, inOriginal.of(ours.get(next)))) {
        result.add(ours.get(next));
        next++;
      }
      result.add(server);
    }
    while (next < ours.size()) {
      result.add(ours.get(next));
      next++;
    }
    return result;
  }

  private static boolean standsBefore(int server, int other) {
    return server >= 0 && other >= 0 && server < other;
  }

  /// Refuses a patch whose items are not in the order that it asks for itself.
  void checkOrder(ArrayNode patch, ArrayNode order) {
    if (key.isEmpty() ? hasObjects(patch) : !allHaveKey(order)) {
      throw PatchErrors.malformed("setElementOrder list");
    }
    int next = 0;
    for (JsonNode item : plainItems(patch)) {
      while (next < order.size() && !isSame(order.get(next), item)) {
        next++;
      }
      if (next == order.size()) {
        throw PatchErrors.wrongOrder(patch, order);
      }
      next++;
    }
  }

  private boolean isSame(JsonNode one, JsonNode two) {
    return identity(one).equals(identity(two));
  }

  private boolean allHaveKey(ArrayNode items) {
    for (JsonNode item : items) {
      if (!item.has(key)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasObjects(ArrayNode items) {
    for (JsonNode item : items) {
      if (item.isObject()) {
        return true;
      }
    }
    return false;
  }

  private void checkItems(ArrayNode current, ArrayNode patch) {
    boolean objects = !key.isEmpty();
    for (ArrayNode side : List.of(current, patch)) {
      for (JsonNode item : side) {
        if (item.isArray()) {
          throw PatchErrors.listOfLists();
        }
        if (item.isObject() != objects) {
          throw PatchErrors.mixedList();
        }
      }
    }
  }

  /// The items that carry data, as opposed to `$patch: replace` and `$patch: delete`.
  private ArrayNode plainItems(ArrayNode patch) {
    ArrayNode plain = patch.arrayNode();
    for (JsonNode item : patch) {
      JsonNode directive = item.path(StrategicMergePatch.DIRECTIVE);
      if (!directive.isMissingNode()) {
        switch (directive.asString("")) {
          case "merge" -> plain.add(item);
          case "replace", "delete" -> {
            // Not data.
          }
          default -> throw PatchErrors.unknownDirective(directive, item);
        }
      } else {
        plain.add(item);
      }
    }
    if (!key.isEmpty()) {
      for (JsonNode item : plain) {
        if (!item.has(key)) {
          throw PatchErrors.noMergeKey(item, key);
        }
      }
    }
    return plain;
  }

  private static boolean isReplacement(ArrayNode patch) {
    for (JsonNode item : patch) {
      if (item.path(StrategicMergePatch.DIRECTIVE).asString("").equals("replace")) {
        return true;
      }
    }
    return false;
  }

  private ArrayNode withoutDeleted(ArrayNode current, ArrayNode patch) {
    ArrayNode deleted = patch.arrayNode();
    for (JsonNode item : patch) {
      if (item.path(StrategicMergePatch.DIRECTIVE).asString("").equals("delete")) {
        if (!item.has(key)) {
          throw PatchErrors.noMergeKey(item, key);
        }
        deleted.add(item);
      }
    }
    Positions unwanted = new Positions(deleted);
    ArrayNode kept = current.arrayNode();
    for (JsonNode item : current) {
      if (unwanted.of(item) < 0) {
        kept.add(item);
      }
    }
    return kept;
  }

  /// What items are compared by: the merge key, or a scalar itself. An item without the key is only
  /// the same as itself.
  private Object identity(JsonNode item) {
    JsonNode value = key.isEmpty() ? item : item.path(key);
    if (value.isMissingNode()) {
      return item;
    }
    return value.isIntegralNumber() && value.canConvertToLong()
        ? (Object) value.longValue()
        : value;
  }

  /// Where in a list an item with the same identity stands first.
  private final class Positions {
    private final ArrayNode list;
    private final Map<Object, Integer> first = new HashMap<>();

    Positions(ArrayNode list) {
      this.list = list;
      for (int i = 0; i < list.size(); i++) {
        first.putIfAbsent(identity(list.get(i)), i);
      }
    }

    int of(JsonNode item) {
      return first.getOrDefault(identity(item), -1);
    }

    void addIfNew(JsonNode item) {
      if (first.putIfAbsent(identity(item), list.size()) == null) {
        list.add(item);
      }
    }
  }
}
