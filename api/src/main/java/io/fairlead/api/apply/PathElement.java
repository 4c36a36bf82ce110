package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One step of a path into an object, as `fieldsV1` writes it.
///
/// Keys and values are kept as canonical JSON text (members sorted), so that two steps are equal
/// exactly when their texts are.
///
/// @param text for a field its name, else JSON: `{"port":80,"protocol":"TCP"}`, `"a"`, `3`
record PathElement(Kind kind, String text) implements Comparable<PathElement> {

  /// The sorts of steps, in the order in which they are listed.
  enum Kind {
    FIELD("f:"),
    /// An item of a list that is a map.
    KEY("k:"),
    /// An item of a list that is a set.
    VALUE("v:"),
    INDEX("i:");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }
  }

  static PathElement field(String name) {
    return new PathElement(Kind.FIELD, name);
  }

  static PathElement value(JsonNode scalar) {
    return new PathElement(Kind.VALUE, text(scalar));
  }

  /// The step to the item with those key values. Must come sorted by name.
  static PathElement key(List<String> names, List<JsonNode> values) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < names.size(); i++) {
      text.append(i == 0 ? "" : ",");
      text.append('"').append(names.get(i)).append("\":").append(text(values.get(i)));
    }
    return new PathElement(Kind.KEY, text.append('}').toString());
  }

  /// Reads `f:spec` and the like, or null when it is none of them.
  static @Nullable PathElement parse(String text) {
    if (text.length() < 2) {
      return null;
    }
    String rest = text.substring(2);
    try {
      return switch (text.substring(0, 2)) {
        case "f:" -> field(rest);
        case "k:" -> parseKey(rest);
        case "v:" ->
            rest.isBlank() ? null : value(Json.parse(rest.getBytes(StandardCharsets.UTF_8)));
        case "i:" -> new PathElement(Kind.INDEX, Integer.toString(Integer.parseInt(rest)));
        default -> null;
      };
    } catch (JacksonException | NumberFormatException malformed) {
      return null;
    }
  }

  private static @Nullable PathElement parseKey(String json) {
    if (!(Json.parse(json.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode keys)) {
      return null;
    }
    Map<String, JsonNode> sorted = new TreeMap<>();
    keys.properties().forEach(key -> sorted.put(key.getKey(), key.getValue()));
    return key(List.copyOf(sorted.keySet()), List.copyOf(sorted.values()));
  }

  /// The name of the member in `fieldsV1`.
  String member() {
    return kind.prefix + text;
  }

  // Numbers and plain texts are most of all keys, and are noted at every write.
  private static String text(JsonNode value) {
    if (value.isInt()) {
      return Integer.toString(value.intValue());
    }
    if (value.isString() && isPlain(value.stringValue())) {
      return '"' + value.stringValue() + '"';
    }
    return new String(Json.bytes(value), StandardCharsets.UTF_8);
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\' || c > '~') {
        return false;
      }
    }
    return true;
  }

  @Override
  public int compareTo(PathElement other) {
    int byKind = kind.compareTo(other.kind);
    return byKind != 0 ? byKind : text.compareTo(other.text);
  }

  /// As a conflict names it: `.spec`, `[port=80,protocol="TCP"]`, `[="a"]`, `[3]`.
  @Override
  public String toString() {
    return switch (kind) {
      case FIELD -> "." + text;
      case KEY ->
          Json.parse(text.getBytes(StandardCharsets.UTF_8)).properties().stream()
              .map(key -> key.getKey() + "=" + text(key.getValue()))
              .collect(Collectors.joining(",", "[", "]"));
      case VALUE -> "[=" + text + "]";
      case INDEX -> "[" + text + "]";
    };
  }
}
