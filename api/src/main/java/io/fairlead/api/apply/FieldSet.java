package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A set of paths into an object: the fields that a manager owns.
///
/// How it works: a tree of steps. A node says whether the path to it is in the set, and has a child
/// for every longer path; a node that is neither in the set nor leads to one does not exist. That
/// is also its JSON form, `fieldsV1`: `{"f:spec":{"f:ports":{".":{},"k:{\"port\":80}":{}}}}`, where
/// `.` stands for the path to the node itself, which a leaf leaves out.
///
/// Built by one thread through [#child] and [#own], then only read.
public final class FieldSet {
  private static final String SELF = ".";

  private boolean owned;
  private final TreeMap<PathElement, FieldSet> children = new TreeMap<>();

  FieldSet() {}

  /// Reads `fieldsV1`. Null when it is malformed.
  public static @Nullable FieldSet parse(JsonNode fields) {
    FieldSet set = new FieldSet();
    return set.read(fields) ? set : null;
  }

  private boolean read(JsonNode fields) {
    if (!(fields instanceof ObjectNode members)) {
      return false;
    }
    for (Map.Entry<String, JsonNode> member : members.properties()) {
      if (member.getKey().equals(SELF)) {
        owned = true;
        continue;
      }
      PathElement element = PathElement.parse(member.getKey());
      if (element == null) {
        return false;
      }
      FieldSet child = new FieldSet();
      if (!child.read(member.getValue())) {
        return false;
      }
      child.owned |= child.children.isEmpty();
      children.put(element, child);
    }
    return true;
  }

  /// The JSON form, in canonical order.
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    if (owned && !children.isEmpty()) {
      json.putObject(SELF);
    }
    children.forEach((element, child) -> json.set(element.member(), child.toJson()));
    return json;
  }

  /// Whether no path is in it.
  public boolean isEmpty() {
    return !owned && children.isEmpty();
  }

  boolean isOwned() {
    return owned;
  }

  Map<PathElement, FieldSet> children() {
    return children;
  }

  /// The node one step further, made when it is missing; the caller must put a path in it.
  FieldSet child(PathElement element) {
    return children.computeIfAbsent(element, _ -> new FieldSet());
  }

  @Nullable FieldSet childOrNull(PathElement element) {
    return children.get(element);
  }

  /// Puts the path to this node into the set.
  FieldSet own() {
    owned = true;
    return this;
  }

  /// Paths that are in one of them.
  public FieldSet union(FieldSet other) {
    FieldSet result = copy();
    result.addAll(other);
    return result;
  }

  private void addAll(FieldSet other) {
    owned |= other.owned;
    other.children.forEach((element, child) -> child(element).addAll(child));
  }

  private FieldSet copy() {
    FieldSet copy = new FieldSet();
    copy.owned = owned;
    children.forEach((element, child) -> copy.children.put(element, child.copy()));
    return copy;
  }

  /// Paths that are in this set and not in the other.
  public FieldSet minus(FieldSet other) {
    return combine(other, false, false);
  }

  /// Paths that are in both.
  public FieldSet intersection(FieldSet other) {
    return combine(other, true, false);
  }

  /// Paths that are in this set and neither in the other nor below a path of the other.
  public FieldSet minusSubtrees(FieldSet other) {
    return combine(other, false, true);
  }

  private FieldSet combine(FieldSet other, boolean common, boolean subtrees) {
    if (!common && other.isEmpty()) {
      return this;
    }
    FieldSet result = new FieldSet();
    result.owned = owned && other.owned == common;
    for (Map.Entry<PathElement, FieldSet> entry : children.entrySet()) {
      FieldSet theirs = other.children.get(entry.getKey());
      FieldSet kept;
      if (theirs == null) {
        kept = common ? null : entry.getValue();
      } else if (subtrees && theirs.owned) {
        kept = null;
      } else {
        kept = entry.getValue().combine(theirs, common, subtrees);
      }
      if (kept != null && !kept.isEmpty()) {
        result.children.put(entry.getKey(), kept);
      }
    }
    return result;
  }

  /// Visits every path: at each node first the steps that end there, then the longer ones.
  void forEach(Consumer<List<PathElement>> visitor) {
    visit(new ArrayList<>(), visitor);
  }

  private void visit(List<PathElement> path, Consumer<List<PathElement>> visitor) {
    children.forEach(
        (element, child) -> {
          if (child.owned) {
            path.add(element);
            visitor.accept(path);
            path.removeLast();
          }
        });
    children.forEach(
        (element, child) -> {
          path.add(element);
          child.visit(path, visitor);
          path.removeLast();
        });
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet that && owned == that.owned && children.equals(that.children);
  }

  @Override
  public int hashCode() {
    return children.hashCode() * 2 + (owned ? 1 : 0);
  }

  @Override
  public String toString() {
    return toJson().toString();
  }
}
