package io.fairlead.api.patch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/// A JSON pointer (RFC 6901): the steps from the root to a value.
///
/// @param steps unescaped; empty for the root
record Pointer(List<String> steps) {

  Pointer {
    steps = List.copyOf(steps);
  }

  /// Reads `/a/b~1c`, or null when the text is no pointer.
  static @Nullable Pointer parse(String text) {
    if (text.isEmpty()) {
      return new Pointer(List.of());
    }
    if (text.charAt(0) != '/') {
      return null;
    }
    List<String> steps = new ArrayList<>();
    for (String step : text.substring(1).split("/", -1)) {
      String plain = unescape(step);
      if (plain == null) {
        return null;
      }
      steps.add(plain);
    }
    return new Pointer(steps);
  }

  private static @Nullable String unescape(String step) {
    for (int tilde = step.indexOf('~'); tilde >= 0; tilde = step.indexOf('~', tilde + 1)) {
      char next = tilde + 1 < step.length() ? step.charAt(tilde + 1) : ' ';
      if (next != '0' && next != '1') {
        return null;
      }
    }
    return step.replace("~1", "/").replace("~0", "~");
  }

  boolean isRoot() {
    return steps.isEmpty();
  }

  String last() {
    return steps.getLast();
  }

  /// Whether `other` lies inside the value this one points to, or is the same place.
  boolean encloses(Pointer other) {
    return other.steps.size() >= steps.size() && other.steps.subList(0, steps.size()).equals(steps);
  }

  /// The value it points to, or null.
  @Nullable JsonNode in(JsonNode root) {
    return walk(root, steps.size());
  }

  /// The object or list that holds the value, or null. Not for the root.
  @Nullable JsonNode parentIn(JsonNode root) {
    return walk(root, steps.size() - 1);
  }

  private @Nullable JsonNode walk(JsonNode root, int depth) {
    JsonNode at = root;
    for (String step : steps.subList(0, depth)) {
      if (at instanceof ArrayNode list) {
        int index = index(step, list.size());
        at = index < 0 ? null : list.get(index);
      } else {
        at = at.get(step);
      }
      if (at == null) {
        return null;
      }
    }
    return at;
  }

  /// The number of a list item below `bound`, or -1: digits only, no leading zero.
  static int index(String step, int bound) {
    if (step.isEmpty() || step.length() > 9 || (step.length() > 1 && step.charAt(0) == '0')) {
      return -1;
    }
    int index = 0;
    for (int i = 0; i < step.length(); i++) {
      char c = step.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      index = index * 10 + c - '0';
    }
    return index < bound ? index : -1;
  }
}
