package io.fairlead.api.patch;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON patch (RFC 6902): a list of operations, applied all or not at all.
///
/// Our own and not a library's because the work one request may cause must be bounded: at most
/// [#MAX_OPERATIONS] operations, applied in place on one copy of the object, and at most
/// [#MAX_COPIED_BYTES] made by `copy`, which could otherwise double the object at each step.
public final class JsonPatch {
  static final int MAX_OPERATIONS = 10_000;
  static final int MAX_COPIED_BYTES = 3 << 20;

  private JsonNode root;
  private long copied;
  private boolean refuted;

  private JsonPatch(JsonNode root) {
    this.root = root;
  }

  /// The patched object. Neither argument is changed. An operation that does not fit gives a 422
  /// ApiException, too many of them a 413.
  public static ObjectNode apply(ObjectNode current, ArrayNode operations) {
    if (applyAny(current, operations) instanceof ObjectNode object) {
      return object;
    }
    throw PatchBody.doesNotApply();
  }

  /// The same, or null when a `test` among the operations does not hold.
  public static @Nullable ObjectNode applyIfTestsHold(ObjectNode current, ArrayNode operations) {
    JsonPatch patch = checked(current, operations);
    try {
      operations.forEach(patch::perform);
    } catch (ApiException e) {
      if (patch.refuted) {
        return null;
      }
      throw e;
    }
    if (patch.root instanceof ObjectNode object) {
      return object;
    }
    throw PatchBody.doesNotApply();
  }

  /// Any value, as the RFC defines it.
  static JsonNode applyAny(JsonNode current, ArrayNode operations) {
    JsonPatch patch = checked(current, operations);
    operations.forEach(patch::perform);
    return patch.root;
  }

  private static JsonPatch checked(JsonNode current, ArrayNode operations) {
    if (operations.size() > MAX_OPERATIONS) {
      throw PatchBody.tooMuch(
          "The allowed maximum operations in a JSON patch is "
              + MAX_OPERATIONS
              + ", got "
              + operations.size());
    }
    return new JsonPatch(current.deepCopy());
  }

  private void perform(JsonNode operation) {
    Pointer path = pointer(operation, "path");
    String name = Json.textOr(operation, "", "op");
    switch (name) {
      case "add" -> add(path, value(operation).deepCopy());
      case "remove" -> remove(path);
      case "replace" -> replace(path, value(operation).deepCopy());
      case "move" -> move(pointer(operation, "from"), path);
      case "copy" -> add(path, copyOf(pointer(operation, "from")));
      case "test" -> test(path, value(operation));
      default -> throw PatchBody.doesNotApply();
    }
  }

  private static Pointer pointer(JsonNode operation, String member) {
    String text = Json.text(operation, member);
    Pointer pointer = text == null ? null : Pointer.parse(text);
    return required(pointer);
  }

  private static JsonNode value(JsonNode operation) {
    return required(operation.get("value"));
  }

  private static <T> T required(@Nullable T found) {
    if (found == null) {
      throw PatchBody.doesNotApply();
    }
    return found;
  }

  private void add(Pointer path, JsonNode value) {
    if (path.isRoot()) {
      root = value;
      return;
    }
    JsonNode parent = required(path.parentIn(root));
    if (parent instanceof ObjectNode object) {
      object.set(path.last(), value);
    } else if (parent instanceof ArrayNode list) {
      int index =
          path.last().equals("-") ? list.size() : Pointer.index(path.last(), list.size() + 1);
      if (index < 0) {
        throw PatchBody.doesNotApply();
      }
      list.insert(index, value);
    } else {
      throw PatchBody.doesNotApply();
    }
  }

  private JsonNode remove(Pointer path) {
    JsonNode removed = required(path.in(root));
    if (path.isRoot()) {
      root = NullNode.getInstance();
      return removed;
    }
    JsonNode parent = required(path.parentIn(root));
    if (parent instanceof ObjectNode object) {
      object.remove(path.last());
    } else if (parent instanceof ArrayNode list) {
      list.remove(Pointer.index(path.last(), list.size()));
    }
    return removed;
  }

  private void replace(Pointer path, JsonNode value) {
    required(path.in(root));
    if (path.isRoot()) {
      root = value;
    } else if (path.parentIn(root) instanceof ObjectNode object) {
      // In place, so that the member keeps its position.
      object.set(path.last(), value);
    } else if (path.parentIn(root) instanceof ArrayNode list) {
      list.set(Pointer.index(path.last(), list.size()), value);
    }
  }

  private void move(Pointer from, Pointer to) {
    if (from.equals(to)) {
      required(from.in(root));
      return;
    }
    if (from.encloses(to)) {
      throw PatchBody.doesNotApply();
    }
    add(to, remove(from));
  }

  private JsonNode copyOf(Pointer from) {
    JsonNode source = required(from.in(root));
    copied += Json.bytes(source).length;
    if (copied > MAX_COPIED_BYTES) {
      throw PatchBody.tooMuch(
          "the copy operations of a JSON patch may make at most " + MAX_COPIED_BYTES + " bytes");
    }
    return source.deepCopy();
  }

  // A member that is absent passes as null: objects here hold no nulls.
  private void test(Pointer path, JsonNode expected) {
    JsonNode found = path.in(root);
    if (found == null ? !expected.isNull() : !JsonEquality.value(found, expected)) {
      refuted = true;
      throw PatchBody.doesNotApply();
    }
  }
}
