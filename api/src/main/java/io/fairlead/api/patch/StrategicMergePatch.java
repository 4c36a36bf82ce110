package io.fairlead.api.patch;

import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.MergeStrategy;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Strategic merge patch, the patch of `kubectl apply` and `kubectl edit`: a merge patch that knows
/// the types, so that lists can merge item by item.
///
/// How it works: both trees are walked together with the schema. Objects merge member by member and
/// null removes. A list is replaced unless its field says that it merges: then items pair by the
/// merge key, or scalars form a set ([ListMerge]). Directives beside the data change that:
/// - `$patch: replace | delete | merge` in an object: take the patch as it is, empty the object, or
///   merge as usual; in an item of a list: replace the whole list by the other items, delete the
///   item with that key, or merge as usual
/// - `$retainKeys: […]` drops all members that are not named
/// - `$deleteFromPrimitiveList/finalizers: […]` removes scalars from a list
/// - `$setElementOrder/ports: […]` gives the order of the result
///
/// Members the schema does not know merge like free JSON: objects recursively, lists whole.
public final class StrategicMergePatch {
  static final String DIRECTIVE = "$patch";
  private static final String RETAIN_KEYS = "$retainKeys";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
  private static final String SET_ORDER = "$setElementOrder/";

  private StrategicMergePatch() {}

  /// The patched object. No argument is changed. Malformed directives give an ApiException.
  public static ObjectNode apply(ObjectNode current, ObjectNode patch, StructType type) {
    ObjectNode result = current.deepCopy();
    return merge(result, patch, type);
  }

  /// Merges into `target` and returns the result, which is `target` unless a directive replaces it.
  static ObjectNode merge(ObjectNode target, ObjectNode patch, @Nullable Type type) {
    JsonNode directive = patch.get(DIRECTIVE);
    if (directive != null) {
      switch (directive.asString("")) {
        case "replace" -> {
          return withoutDirectives(patch);
        }
        case "delete" -> {
          return target.objectNode();
        }
        case "merge" -> {
          // What happens anyway.
        }
        default -> throw PatchErrors.unknownDirective(directive, patch);
      }
    }
    retainKeys(target, patch);
    Set<String> done = mergeOrderedLists(target, patch, type);
    for (Map.Entry<String, JsonNode> member : patch.properties()) {
      String key = member.getKey();
      if (key.startsWith(DELETE_FROM)) {
        deleteFrom(target, key.substring(DELETE_FROM.length()), member.getValue());
      } else if (!isDirective(key) && !done.contains(key)) {
        mergeMember(target, key, member.getValue(), type);
      }
    }
    return target;
  }

  private static void mergeMember(
      ObjectNode target, String key, JsonNode value, @Nullable Type type) {
    JsonNode current = target.get(key);
    if (value.isNull()) {
      target.remove(key);
    } else if (current instanceof ObjectNode object && value instanceof ObjectNode patch) {
      target.set(key, merge(object, patch, memberType(type, key)));
    } else if (current instanceof ArrayNode list && value instanceof ArrayNode patch) {
      target.set(key, mergeLists(list, patch, type, key));
    } else {
      target.set(key, cleaned(value));
    }
  }

  private static ArrayNode mergeLists(
      ArrayNode list, ArrayNode patch, @Nullable Type type, String key) {
    MergeStrategy merge = memberMerge(type, key);
    return merge.patchMerge()
        ? new ListMerge(merge.patchMergeKey(), elementType(type, key)).merge(list, patch)
        : (ArrayNode) cleaned(patch);
  }

  private static void retainKeys(ObjectNode target, ObjectNode patch) {
    JsonNode retained = patch.get(RETAIN_KEYS);
    if (retained == null) {
      return;
    }
    if (!(retained instanceof ArrayNode)) {
      throw PatchErrors.malformed("retainKeys");
    }
    Set<String> keys = new HashSet<>();
    retained.forEach(key -> keys.add(key.asString("")));
    for (Map.Entry<String, JsonNode> member : patch.properties()) {
      if (!isDirective(member.getKey())
          && !member.getValue().isNull()
          && !keys.contains(member.getKey())) {
        throw PatchErrors.malformed("retainKeys");
      }
    }
    target.retain(keys);
  }

  /// Handles every list with a `$setElementOrder`, together with the patch of that list; returns
  /// the members that are thereby done.
  private static Set<String> mergeOrderedLists(
      ObjectNode target, ObjectNode patch, @Nullable Type type) {
    Set<String> done = new HashSet<>();
    for (Map.Entry<String, JsonNode> member : patch.properties()) {
      if (!member.getKey().startsWith(SET_ORDER)) {
        continue;
      }
      String key = member.getKey().substring(SET_ORDER.length());
      if (!(member.getValue() instanceof ArrayNode order)) {
        throw PatchErrors.malformed("setElementOrder list");
      }
      ArrayNode current = listOrNull(target.get(key), "setElementOrder list");
      JsonNode patched = patch.get(key);
      if (patched != null && patched.isNull()) {
        continue;
      }
      ArrayNode changes = listOrNull(patched, "setElementOrder list");
      JsonNode deletions = patch.get(DELETE_FROM + key);
      if (current != null && deletions != null) {
        deleteFrom(target, key, deletions);
      }
      mergeInOrder(target, key, changes, order, type);
      done.add(key);
    }
    return done;
  }

  private static void mergeInOrder(
      ObjectNode target,
      String key,
      @Nullable ArrayNode changes,
      ArrayNode order,
      @Nullable Type type) {
    ArrayNode current = target.get(key) instanceof ArrayNode list ? list : null;
    MergeStrategy merge = memberMerge(type, key);
    ListMerge lists = new ListMerge(merge.patchMergeKey(), elementType(type, key));
    if (changes != null) {
      lists.checkOrder(changes, order);
    }
    ArrayNode merged;
    if (current == null && changes == null) {
      return;
    } else if (current == null) {
      merged = lists.merge(target.arrayNode(), changes == null ? target.arrayNode() : changes);
    } else if (changes == null) {
      merged = current;
    } else {
      merged = mergeLists(current.deepCopy(), changes, type, key);
    }
    target.set(key, lists.inOrder(merged, order, current == null ? target.arrayNode() : current));
  }

  private static void deleteFrom(ObjectNode target, String key, JsonNode scalars) {
    if (!(scalars instanceof ArrayNode unwanted)) {
      throw PatchErrors.malformed("primitive list");
    }
    if (target.get(key) instanceof ArrayNode list) {
      List<JsonNode> kept = new ArrayList<>();
      for (JsonNode item : list) {
        if (!contains(unwanted, item)) {
          kept.add(item);
        }
      }
      list.removeAll();
      kept.forEach(list::add);
    }
  }

  private static boolean contains(ArrayNode list, JsonNode value) {
    for (JsonNode item : list) {
      if (JsonEquality.value(item, value)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable ArrayNode listOrNull(@Nullable JsonNode node, String what) {
    if (node == null || node instanceof ArrayNode) {
      return (ArrayNode) node;
    }
    throw PatchErrors.malformed(what);
  }

  /// A copy for a place where nothing was: no nulls, no directives, no items to delete.
  static JsonNode cleaned(JsonNode value) {
    if (value instanceof ObjectNode object) {
      return withoutDirectives(object);
    }
    if (value instanceof ArrayNode list) {
      ArrayNode copy = list.arrayNode();
      for (JsonNode item : list) {
        boolean directive = item instanceof ObjectNode object && object.has(DIRECTIVE);
        if (!directive || "merge".equals(item.path(DIRECTIVE).asString(""))) {
          copy.add(cleaned(item));
        }
      }
      return copy;
    }
    return value;
  }

  private static ObjectNode withoutDirectives(ObjectNode object) {
    ObjectNode copy = object.objectNode();
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (!isDirective(member.getKey()) && !member.getValue().isNull()) {
        copy.set(member.getKey(), cleaned(member.getValue()));
      }
    }
    return copy;
  }

  private static boolean isDirective(String key) {
    return key.equals(DIRECTIVE)
        || key.equals(RETAIN_KEYS)
        || key.startsWith(DELETE_FROM)
        || key.startsWith(SET_ORDER);
  }

  private static @Nullable Field field(@Nullable Type type, String key) {
    return type instanceof StructType struct ? struct.field(key) : null;
  }

  private static @Nullable Type memberType(@Nullable Type type, String key) {
    if (type instanceof Type.MapOf map) {
      return map.value();
    }
    Field field = field(type, key);
    return field == null ? null : field.type();
  }

  private static @Nullable Type elementType(@Nullable Type type, String key) {
    return memberType(type, key) instanceof Type.ListOf list ? list.element() : null;
  }

  private static MergeStrategy memberMerge(@Nullable Type type, String key) {
    Field field = field(type, key);
    return field == null ? MergeStrategy.DEFAULT : field.merge();
  }
}
