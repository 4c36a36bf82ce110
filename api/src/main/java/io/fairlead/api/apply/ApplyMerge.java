package io.fairlead.api.apply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Lays an applied configuration over the live object, and takes fields away again.
final class ApplyMerge {
  private ApplyMerge() {}

  /// The live object with everything the configuration sets. Neither is changed.
  static ObjectNode merge(ObjectNode live, ObjectNode applied, Shape shape) {
    ObjectNode result = live.deepCopy();
    for (Map.Entry<String, JsonNode> member : applied.properties()) {
      Shape inner = shape.member(member.getKey());
      JsonNode current = result.get(member.getKey());
      result.set(
          member.getKey(),
          inner == null ? member.getValue().deepCopy() : value(current, member.getValue(), inner));
    }
    return result;
  }

  private static JsonNode value(@Nullable JsonNode live, JsonNode applied, Shape shape) {
    if (live instanceof ObjectNode left
        && applied instanceof ObjectNode right
        && shape.kind() != Shape.Kind.LEAF) {
      return merge(left, right, shape);
    }
    boolean list = shape.kind() == Shape.Kind.KEYED || shape.kind() == Shape.Kind.SET;
    if (list && live instanceof ArrayNode left && applied instanceof ArrayNode right) {
      return items(left, right, shape);
    }
    return applied.deepCopy();
  }

  /// Merges item by item. Applied items come in their order; live items that are not applied keep
  /// their place before the applied item that followed them.
  private static ArrayNode items(ArrayNode live, ArrayNode applied, Shape shape) {
    List<PathElement> left = elements(live, shape);
    List<PathElement> right = elements(applied, shape);
    Map<PathElement, JsonNode> liveItems = byElement(live, left);
    Set<PathElement> appliedSet = new HashSet<>(right);
    List<PathElement> shared = new ArrayList<>();
    for (PathElement element : right) {
      if (liveItems.containsKey(element)) {
        shared.add(element);
      }
    }
    ArrayNode result = live.arrayNode();
    Set<PathElement> done = new HashSet<>();
    int nextShared = 0;
    int l = 0;
    int r = 0;
    while (l < left.size() || r < right.size()) {
      if (l < left.size()) {
        PathElement element = left.get(l);
        boolean wanted = r < right.size() && element.equals(right.get(r));
        boolean isLater = nextShared < shared.size() && !shared.get(nextShared).equals(element);
        if (!wanted && !appliedSet.contains(element)) {
          result.add(live.get(l).deepCopy());
          l++;
          continue;
        }
        if (!wanted && (done.contains(element) || (r < right.size() && isLater))) {
          // Applied too, but at another place.
          l++;
          continue;
        }
        if (wanted) {
          l++;
        }
      }
      if (r < right.size()) {
        PathElement element = right.get(r);
        result.add(value(liveItems.get(element), applied.get(r), shape.item()));
        done.add(element);
        if (nextShared < shared.size() && shared.get(nextShared).equals(element)) {
          nextShared++;
        }
        r++;
      }
    }
    return result;
  }

  private static List<PathElement> elements(ArrayNode list, Shape shape) {
    List<PathElement> elements = new ArrayList<>(list.size());
    int index = 0;
    for (JsonNode item : list) {
      PathElement element = shape.element(item);
      elements.add(
          element == null
              ? new PathElement(PathElement.Kind.INDEX, Integer.toString(index))
              : element);
      index++;
    }
    return elements;
  }

  private static Map<PathElement, JsonNode> byElement(ArrayNode list, List<PathElement> elements) {
    Map<PathElement, JsonNode> items = new HashMap<>();
    for (int i = 0; i < elements.size(); i++) {
      items.putIfAbsent(elements.get(i), list.get(i));
    }
    return items;
  }

  /// Removes every path of the set, with all below it, from the object. Changes it.
  static void remove(JsonNode node, FieldSet paths, Shape shape) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<PathElement, FieldSet> child : paths.children().entrySet()) {
        String name = child.getKey().text();
        JsonNode value = object.get(name);
        Shape inner = shape.member(name);
        if (value != null && inner != null && child.getKey().kind() == PathElement.Kind.FIELD) {
          if (child.getValue().isOwned()) {
            object.remove(name);
          } else {
            remove(value, child.getValue(), inner);
          }
        }
      }
    } else if (node instanceof ArrayNode list
        && (shape.kind() == Shape.Kind.KEYED || shape.kind() == Shape.Kind.SET)) {
      removeItems(list, paths, shape);
    }
  }

  private static void removeItems(ArrayNode list, FieldSet paths, Shape shape) {
    List<JsonNode> kept = new ArrayList<>();
    for (JsonNode item : list) {
      PathElement element = shape.element(item);
      FieldSet found = element == null ? null : paths.childOrNull(element);
      if (found == null || !found.isOwned()) {
        kept.add(item);
        if (found != null) {
          remove(item, found, shape.item());
        }
      }
    }
    list.removeAll();
    kept.forEach(list::add);
  }

  /// The set with every known field on the way to a path put into it, so that an object that no
  /// manager owns anything of is taken away itself.
  static FieldSet withParents(FieldSet paths, @Nullable Shape shape) {
    FieldSet result = new FieldSet();
    if (paths.isOwned()) {
      result.own();
    }
    for (Map.Entry<PathElement, FieldSet> child : paths.children().entrySet()) {
      PathElement element = child.getKey();
      Shape inner = shape == null ? null : step(shape, element);
      FieldSet deeper = withParents(child.getValue(), inner);
      FieldSet there = result.child(element);
      deeper.children().forEach((next, set) -> there.children().put(next, set));
      boolean named = shape != null && shape.kind() == Shape.Kind.STRUCT && inner != null;
      if (deeper.isOwned() || named) {
        there.own();
      }
    }
    return result;
  }

  private static @Nullable Shape step(Shape shape, PathElement element) {
    return switch (shape.kind()) {
      case STRUCT, MAP ->
          element.kind() == PathElement.Kind.FIELD ? shape.member(element.text()) : null;
      case KEYED, SET -> shape.item();
      case LEAF -> null;
    };
  }
}
