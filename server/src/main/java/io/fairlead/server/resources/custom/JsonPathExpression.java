package io.fairlead.server.resources.custom;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A path into an object, as columns of a definition give it: `.status.conditions[?(@.type ==
/// "Ready")].status`. It knows members, indexes, slices, `*`, `..` and comparisons, which is what
/// kubectl's templates have.
final class JsonPathExpression {
  private final List<Step> steps;

  private JsonPathExpression(List<Step> steps) {
    this.steps = steps;
  }

  /// One step: from values to values inside them.
  private interface Step {
    void walk(JsonNode value, List<JsonNode> found);
  }

  /// Reads a path that begins with a dot or a bracket.
  ///
  /// @throws IllegalArgumentException saying what is wrong with it
  static JsonPathExpression parse(String text) {
    Reader reader = new Reader(text);
    List<Step> steps = reader.steps();
    if (reader.hasMore()) {
      throw new IllegalArgumentException("unexpected \"" + text.substring(reader.at) + "\"");
    }
    return new JsonPathExpression(steps);
  }

  /// All values the path leads to.
  List<JsonNode> find(JsonNode object) {
    List<JsonNode> present = List.of(object);
    for (Step step : steps) {
      List<JsonNode> next = new ArrayList<>();
      for (JsonNode value : present) {
        step.walk(value, next);
      }
      present = next;
    }
    return present;
  }

  private static void addUnlessMissing(@Nullable JsonNode value, List<JsonNode> found) {
    if (value != null && !value.isMissingNode()) {
      found.add(value);
    }
  }

  private static void descend(JsonNode value, List<JsonNode> found) {
    found.add(value);
    value.forEach(inner -> descend(inner, found));
  }

  /// Reads the text of a path once, from left to right.
  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    boolean hasMore() {
      return at < text.length();
    }

    List<Step> steps() {
      List<Step> steps = new ArrayList<>();
      while (hasMore()) {
        char c = text.charAt(at);
        if (c == '.') {
          at++;
          if (hasMore() && text.charAt(at) == '.') {
            steps.add(JsonPathExpression::descend);
          } else if (hasMore() && text.charAt(at) != '[') {
            steps.add(member());
          }
        } else if (c == '[') {
          at++;
          steps.add(bracket());
        } else {
          break;
        }
      }
      return steps;
    }

    private Step member() {
      StringBuilder name = new StringBuilder();
      while (hasMore() && ".[ )=!<>".indexOf(text.charAt(at)) < 0) {
        if (text.charAt(at) == '\\' && at + 1 < text.length()) {
          at++;
        }
        name.append(text.charAt(at));
        at++;
      }
      String key = name.toString();
      if (key.isEmpty()) {
        throw new IllegalArgumentException("a name is missing");
      }
      return key.equals("*")
          ? (value, found) -> value.forEach(found::add)
          : (value, found) -> addUnlessMissing(value.path(key), found);
    }

    private Step bracket() {
      if (text.startsWith("?(", at)) {
        at += 2;
        Predicate<JsonNode> condition = condition();
        expect(")]");
        return (value, found) -> {
          for (JsonNode item : value) {
            if (condition.test(item)) {
              found.add(item);
            }
          }
        };
      }
      if (hasMore() && (text.charAt(at) == '\'' || text.charAt(at) == '"')) {
        List<String> keys = new ArrayList<>();
        keys.add(quoted());
        while (hasMore() && text.charAt(at) == ',') {
          at++;
          skipBlanks();
          keys.add(quoted());
        }
        expect("]");
        return (value, found) -> keys.forEach(key -> addUnlessMissing(value.path(key), found));
      }
      int end = text.indexOf(']', at);
      if (end < 0) {
        throw new IllegalArgumentException("unterminated array");
      }
      String inside = text.substring(at, end).strip();
      at = end + 1;
      if (inside.equals("*")) {
        return (value, found) -> value.forEach(found::add);
      }
      return inside.contains(":") ? slice(inside) : index(inside);
    }

    private static Step index(String inside) {
      int index = number(inside, 0);
      return (value, found) -> {
        int place = index < 0 ? value.size() + index : index;
        if (value.isArray()) {
          addUnlessMissing(value.get(place), found);
        }
      };
    }

    private static Step slice(String inside) {
      String[] parts = inside.split(":", -1);
      return (value, found) -> {
        int size = value.size();
        int from = number(parts[0], 0);
        int to = number(parts[1], size);
        from = from < 0 ? size + from : from;
        to = Math.min(size, to < 0 ? size + to : to);
        for (int place = Math.max(0, from); place < to; place++) {
          addUnlessMissing(value.get(place), found);
        }
      };
    }

    private static int number(String digits, int otherwise) {
      if (digits.isBlank()) {
        return otherwise;
      }
      try {
        return Integer.parseInt(digits.strip());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("invalid array index " + digits, e);
      }
    }

    /// `@.a == "b"`, or `@.a` for what is there.
    private Predicate<JsonNode> condition() {
      JsonPathExpression left = operandPath();
      skipBlanks();
      if (hasMore() && text.charAt(at) == ')') {
        return item -> !left.find(item).isEmpty();
      }
      String operator = operator();
      skipBlanks();
      String right = literal();
      skipBlanks();
      return item -> {
        List<JsonNode> found = left.find(item);
        return !found.isEmpty() && holds(operator, found.getFirst(), right);
      };
    }

    private JsonPathExpression operandPath() {
      skipBlanks();
      expect("@");
      return new JsonPathExpression(steps());
    }

    private String operator() {
      for (String operator : List.of("==", "!=", "<=", ">=", "<", ">")) {
        if (text.startsWith(operator, at)) {
          at += operator.length();
          return operator;
        }
      }
      throw new IllegalArgumentException("unrecognized operator in a filter");
    }

    private String literal() {
      if (hasMore() && (text.charAt(at) == '\'' || text.charAt(at) == '"')) {
        return quoted();
      }
      int begin = at;
      while (hasMore() && " )".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      return text.substring(begin, at);
    }

    private String quoted() {
      if (!hasMore()) {
        throw new IllegalArgumentException("unterminated array");
      }
      char quote = text.charAt(at);
      at++;
      StringBuilder value = new StringBuilder();
      while (hasMore() && text.charAt(at) != quote) {
        if (text.charAt(at) == '\\' && at + 1 < text.length()) {
          at++;
        }
        value.append(text.charAt(at));
        at++;
      }
      expect(String.valueOf(quote));
      return value.toString();
    }

    private void skipBlanks() {
      while (hasMore() && text.charAt(at) == ' ') {
        at++;
      }
    }

    private void expect(String wanted) {
      if (!text.startsWith(wanted, at)) {
        throw new IllegalArgumentException("expected \"" + wanted + "\" at position " + at);
      }
      at += wanted.length();
    }

    private static boolean holds(String operator, JsonNode left, String right) {
      String shown = left.asString("");
      int compared;
      try {
        compared =
            left.isNumber()
                ? left.decimalValue().compareTo(new java.math.BigDecimal(right))
                : shown.compareTo(right);
      } catch (NumberFormatException e) {
        return operator.equals("!=");
      }
      return switch (operator) {
        case "==" -> compared == 0;
        case "!=" -> compared != 0;
        case "<" -> compared < 0;
        case "<=" -> compared <= 0;
        case ">" -> compared > 0;
        default -> compared >= 0;
      };
    }
  }
}
