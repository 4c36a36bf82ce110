package io.fairlead.e2e.golden;

import io.fairlead.api.json.Json;
import io.fairlead.e2e.RecordingPlaceholders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Compares an answer with what was recorded: JSON semantics, placeholders for what differs between
/// runs, variables for what must be the same as in an earlier step.
final class GoldenMatcher {
  private static final RecordingPlaceholders PLACEHOLDERS =
      new RecordingPlaceholders(
          Map.ofEntries(
              Map.entry("uid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
              Map.entry("time", "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z"),
              Map.entry("rv", "\\d+"),
              Map.entry("num", "-?\\d+"),
              Map.entry("ip", "10\\.0\\.\\d{1,3}\\.\\d{1,3}"),
              Map.entry("nodePort", "3[0-2]\\d{3}"),
              Map.entry("age", "(?:\\d+[smhdy])+|<unknown>|<invalid>"),
              Map.entry("suffix", "[bcdfghjklmnpqrstvwxz2456789]{5}"),
              Map.entry("continue", "[A-Za-z0-9_=-]+"),
              Map.entry("token", "[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+"),
              Map.entry("any", "(?s:.*)")));
  private static final Pattern VARIABLE = Pattern.compile("\\{\\{(\\w+)}}");
  private static final Pattern ITEM_REVISION = Pattern.compile("]\\.metadata\\.resourceVersion$");
  private static final Pattern REVISION = Pattern.compile("\\d+");
  private static final List<String> IDENTITIES =
      List.of("name", "resource", "subresource", "groupVersion", "version");

  private final Map<String, String> variables;
  private final boolean contains;

  /// @param contains the answer may hold more than was recorded
  GoldenMatcher(Map<String, String> variables, boolean contains) {
    this.variables = variables;
    this.contains = contains;
  }

  /// Replaces `{{variables}}`; an unknown one becomes text that matches nothing.
  static String fill(String text, Map<String, String> variables) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    variables.getOrDefault(found.group(1), "?" + found.group(1))));
  }

  /// Null is absent; managedFields count only where a step asks for them.
  static void strip(JsonNode node, boolean keepManagedFields) {
    Json.dropNulls(node);
    if (!keepManagedFields) {
      node.findParents("managedFields").stream()
          .filter(ObjectNode.class::isInstance)
          .forEach(parent -> ((ObjectNode) parent).remove("managedFields"));
    }
  }

  /// The differences, empty when `actual` is what `expected` describes.
  List<String> differences(JsonNode expected, @Nullable JsonNode actual, String path) {
    List<String> out = new ArrayList<>();
    compare(expected, actual == null ? Json.object().path("missing") : actual, path, out);
    return out;
  }

  boolean textMatches(String expected, String actual) {
    return PLACEHOLDERS.matches(fill(expected, variables), actual);
  }

  private void compare(JsonNode expected, JsonNode actual, String path, List<String> out) {
    if (expected.isString()) {
      compareText(expected.stringValue(), actual, path, out);
    } else if (expected instanceof ObjectNode object) {
      compareObject(object, actual, path, out);
    } else if (expected instanceof ArrayNode list) {
      compareList(list, actual, path, out);
    } else if (!sameScalar(expected, actual)) {
      out.add(path + ": expected " + expected + ", got " + shown(actual));
    }
  }

  private void compareText(String expected, JsonNode actual, String path, List<String> out) {
    if (ITEM_REVISION.matcher(path).find() && VARIABLE.matcher(expected).matches()) {
      compareItemRevision(fill(expected, variables), actual, path, out);
      return;
    }
    boolean placeholder = PLACEHOLDERS.isOne(expected) || VARIABLE.matcher(expected).matches();
    boolean same =
        actual.isString()
            ? textMatches(expected, actual.stringValue())
            : (expected.equals("<any>") && !actual.isMissingNode())
                || (placeholder
                    && actual.isValueNode()
                    && textMatches(expected, actual.asString()));
    if (!same) {
      out.add(path + ": expected '" + fill(expected, variables) + "', got " + shown(actual));
    }
  }

  /// In the recording the newest item had the revision of its list, because no other client wrote
  /// between the two; here a controller may, so the item must only not be newer than the list.
  private static void compareItemRevision(
      String ofList, JsonNode actual, String path, List<String> out) {
    if (!REVISION.matcher(ofList).matches()
        || !REVISION.matcher(actual.asString()).matches()
        || Long.parseLong(actual.asString()) > Long.parseLong(ofList)) {
      out.add(path + ": expected at most '" + ofList + "', got " + shown(actual));
    }
  }

  private void compareObject(ObjectNode expected, JsonNode actual, String path, List<String> out) {
    if (!actual.isObject()) {
      out.add(path + ": expected an object, got " + shown(actual));
      return;
    }
    for (Map.Entry<String, JsonNode> member : expected.properties()) {
      JsonNode found = actual.path(member.getKey());
      if (member.getKey().equals("managedFields") && found instanceof ArrayNode entries) {
        compare(byManager(member.getValue()), byManager(entries), path + ".managedFields", out);
      } else if (found.isMissingNode()) {
        out.add(path + "." + member.getKey() + ": missing, expected " + shown(member.getValue()));
      } else {
        compare(member.getValue(), found, path + "." + member.getKey(), out);
      }
    }
    if (!contains) {
      for (Map.Entry<String, JsonNode> member : actual.properties()) {
        if (!expected.has(member.getKey())) {
          out.add(path + "." + member.getKey() + ": unexpected " + shown(member.getValue()));
        }
      }
    }
  }

  private void compareList(ArrayNode expected, JsonNode actual, String path, List<String> out) {
    if (!actual.isArray()) {
      out.add(path + ": expected a list, got " + shown(actual));
    } else if (contains && expected.path(0).isObject()) {
      for (JsonNode item : expected) {
        String identity = identity(item);
        JsonNode found = find((ArrayNode) actual, identity);
        if (found == null) {
          out.add(path + ": no item " + identity);
        } else {
          compare(item, found, path + "[" + identity + "]", out);
        }
      }
    } else if (contains) {
      if (!sorted(expected).equals(sorted(actual))) {
        out.add(path + ": expected " + expected + ", got " + shown(actual));
      }
    } else if (expected.size() != actual.size()) {
      out.add(path + ": expected " + expected.size() + " items, got " + shown(actual));
    } else {
      for (int i = 0; i < expected.size(); i++) {
        compare(expected.path(i), actual.path(i), path + "[" + i + "]", out);
      }
    }
  }

  /// Entries stand in the order of their times, which whole seconds make a matter of chance.
  private static ArrayNode byManager(JsonNode entries) {
    List<JsonNode> sorted = new ArrayList<>();
    entries.forEach(sorted::add);
    sorted.sort(
        Comparator.comparing(
            entry ->
                Json.textOr(entry, "", "operation")
                    + Json.textOr(entry, "", "manager")
                    + Json.textOr(entry, "", "subresource")));
    return Json.array().addAll(sorted);
  }

  private static boolean sameScalar(JsonNode expected, JsonNode actual) {
    if (expected.isNumber() && actual.isNumber()) {
      return expected.decimalValue().compareTo(actual.decimalValue()) == 0;
    }
    return expected.equals(actual);
  }

  private static List<String> sorted(JsonNode list) {
    List<String> out = new ArrayList<>();
    list.forEach(item -> out.add(item.asString()));
    out.sort(Comparator.naturalOrder());
    return out;
  }

  private static @Nullable JsonNode find(ArrayNode list, String identity) {
    for (JsonNode item : list) {
      if (item.isObject() && identity(item).equals(identity)) {
        return item;
      }
    }
    return null;
  }

  private static String identity(JsonNode item) {
    JsonNode metadata = item.path("metadata");
    if (metadata.isObject()) {
      return "metadata " + metadata.path("namespace") + "/" + metadata.path("name");
    }
    for (String key : IDENTITIES) {
      if (item.has(key)) {
        return key + " " + item.path(key);
      }
    }
    return "?";
  }

  private static String shown(JsonNode node) {
    String text = node.isMissingNode() ? "nothing" : node.toString();
    return text.length() > 300 ? text.substring(0, 300) + "…" : text;
  }
}
