package io.fairlead.api.apply;

import io.fairlead.api.patch.JsonEquality;
import io.fairlead.api.schema.StructType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What is different between two versions of an object, as paths.
///
/// Containers count too: a list or object that was not there before is itself added, beside what is
/// in it.
///
/// @param added not in the old object
/// @param modified in both, with another value
/// @param removed not in the new object
record FieldComparison(FieldSet added, FieldSet modified, FieldSet removed) {

  /// Compares objects of one type. `metadata.managedFields` must not be in them.
  static FieldComparison of(ObjectNode old, ObjectNode now, StructType type) {
    FieldComparison result = new FieldComparison(new FieldSet(), new FieldSet(), new FieldSet());
    Spot root = new Spot(null, PathElement.field(""), result);
    compareMembers(root, old, now, Shape.of(type));
    return result;
  }

  /// Everything the new object has of its own.
  FieldSet taken() {
    return modified.isEmpty() ? added : added.union(modified);
  }

  FieldComparison without(FieldSet ignored) {
    return new FieldComparison(
        added.minusSubtrees(ignored),
        modified.minusSubtrees(ignored),
        removed.minusSubtrees(ignored));
  }

  boolean isEmpty() {
    return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
  }

  private enum Side {
    ADDED,
    MODIFIED,
    REMOVED
  }

  /// A place in both objects. Nodes in the three sets are made only when something is put there.
  private static final class Spot {
    private final @Nullable Spot parent;
    private final PathElement element;
    private final FieldComparison result;
    private @Nullable FieldSet added;

    Spot(@Nullable Spot parent, PathElement element, FieldComparison result) {
      this.parent = parent;
      this.element = element;
      this.result = result;
    }

    Spot at(PathElement next) {
      return new Spot(this, next, result);
    }

    void put(Side side) {
      node(side).own();
    }

    private FieldSet node(Side side) {
      return switch (side) {
        case ADDED -> added();
        case MODIFIED -> parent == null ? result.modified : parent.node(side).child(element);
        case REMOVED -> parent == null ? result.removed : parent.node(side).child(element);
      };
    }

    // Kept, because a new object is nothing but additions.
    private FieldSet added() {
      FieldSet node = added;
      if (node == null) {
        node = parent == null ? result.added : parent.added().child(element);
        added = node;
      }
      return node;
    }
  }

  private static void compare(
      Spot spot, @Nullable JsonNode old, @Nullable JsonNode now, Shape shape) {
    if (old == null && now == null) {
      return;
    }
    boolean leaf =
        shape.kind() == Shape.Kind.LEAF
            || !shape.fits(old)
            || !shape.fits(now)
            || (isEmpty(old) && isEmpty(now));
    if (leaf) {
      compareLeaf(spot, old, now);
      return;
    }
    if (shape.kind() == Shape.Kind.STRUCT || shape.kind() == Shape.Kind.MAP) {
      compareMembers(spot, (ObjectNode) old, (ObjectNode) now, shape);
    } else {
      compareItems(spot, (ArrayNode) old, (ArrayNode) now, shape);
    }
    if (old == null) {
      spot.put(Side.ADDED);
    } else if (now == null) {
      spot.put(Side.REMOVED);
    }
  }

  private static boolean isEmpty(@Nullable JsonNode value) {
    return value == null || value.isEmpty();
  }

  private static void compareLeaf(Spot spot, @Nullable JsonNode old, @Nullable JsonNode now) {
    if (old == null) {
      spot.put(Side.ADDED);
    } else if (now == null) {
      spot.put(Side.REMOVED);
    } else if (!JsonEquality.value(old, now)) {
      spot.put(Side.MODIFIED);
    }
  }

  private static void compareMembers(
      Spot spot, @Nullable ObjectNode old, @Nullable ObjectNode now, Shape shape) {
    Set<String> known = Set.of();
    if (shape.type() instanceof StructType struct && !struct.isFree()) {
      compareFields(spot, old, now, struct);
      if (struct.others() == null) {
        return;
      }
      known = StructMembers.of(struct).names();
    }
    Set<String> names = new LinkedHashSet<>();
    if (old != null) {
      names.addAll(old.propertyNames());
    }
    if (now != null) {
      names.addAll(now.propertyNames());
    }
    names.removeAll(known);
    for (String name : names) {
      Shape member = shape.member(name);
      if (member != null) {
        compare(spot.at(PathElement.field(name)), get(old, name), get(now, name), member);
      }
    }
  }

  private static void compareFields(
      Spot spot, @Nullable ObjectNode old, @Nullable ObjectNode now, StructType struct) {
    for (StructMembers.Member member : StructMembers.of(struct).all()) {
      JsonNode before = old == null ? null : member.in(old);
      JsonNode after = now == null ? null : member.in(now);
      if (before != null || after != null) {
        compare(spot.at(member.element()), before, after, member.shape());
      }
    }
  }

  private static @Nullable JsonNode get(@Nullable ObjectNode object, String name) {
    JsonNode value = object == null ? null : object.get(name);
    return value == null || value.isNull() ? null : value;
  }

  private static void compareItems(
      Spot spot, @Nullable ArrayNode old, @Nullable ArrayNode now, Shape shape) {
    Map<PathElement, List<JsonNode>> before = items(old, shape);
    Map<PathElement, List<JsonNode>> after = items(now, shape);
    Set<PathElement> elements = new LinkedHashSet<>(before.keySet());
    elements.addAll(after.keySet());
    for (PathElement element : elements) {
      List<JsonNode> left = before.getOrDefault(element, List.of());
      List<JsonNode> right = after.getOrDefault(element, List.of());
      Spot item = spot.at(element);
      if (left.size() <= 1 && right.size() <= 1) {
        compare(item, firstOrNull(left), firstOrNull(right), shape.item());
      } else if (left.isEmpty()) {
        item.put(Side.ADDED);
      } else if (right.isEmpty()) {
        item.put(Side.REMOVED);
      } else if (!left.equals(right)) {
        // Items with one key cannot be told apart, so they change together.
        item.put(Side.MODIFIED);
      }
    }
  }

  private static @Nullable JsonNode firstOrNull(List<JsonNode> items) {
    return items.isEmpty() ? null : items.getFirst();
  }

  private static Map<PathElement, List<JsonNode>> items(@Nullable ArrayNode list, Shape shape) {
    Map<PathElement, List<JsonNode>> items = new LinkedHashMap<>();
    if (list != null) {
      for (JsonNode item : list) {
        PathElement element = shape.element(item);
        if (element != null) {
          items.computeIfAbsent(element, _ -> new ArrayList<>(1)).add(item);
        }
      }
    }
    return items;
  }
}
