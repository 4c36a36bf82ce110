package io.fairlead.api.yaml;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Prints a tree as YAML in the shape that Kubernetes tools print: keys sorted, lists not indented
/// under their key, quotes only where needed, text of several lines as a block.
final class YamlWriter {
  private static final String INDENT = "  ";
  private static final String SPECIAL_FIRST = "-?:,[]{}#&*!|>'\"%@` ";

  private final StringBuilder out = new StringBuilder();

  private YamlWriter() {}

  static String write(JsonNode value) {
    YamlWriter writer = new YamlWriter();
    if (isBlock(value)) {
      writer.block(value, 0);
    } else {
      writer.leaf(value, 0);
    }
    return writer.out.toString();
  }

  static void writeList(
      OutputStream target, ObjectNode head, String member, Iterator<? extends JsonNode> items)
      throws IOException {
    YamlWriter writer = new YamlWriter();
    SortedSet<String> names = new TreeSet<>(head.propertyNames());
    names.add(member);
    for (String name : names) {
      writer.out.append(scalar(name)).append(':');
      if (!name.equals(member)) {
        writer.member(head.path(name), 0);
      } else if (!items.hasNext()) {
        writer.out.append(" []\n");
      } else {
        writer.out.append('\n');
        while (items.hasNext()) {
          writer.item(items.next(), 0);
          writer.drainTo(target);
        }
      }
    }
    writer.drainTo(target);
  }

  private void drainTo(OutputStream target) throws IOException {
    target.write(out.toString().getBytes(StandardCharsets.UTF_8));
    out.setLength(0);
  }

  /// Writes a filled object or list; the cursor is at the start of a line or behind `- `.
  private void block(JsonNode value, int level) {
    if (value.isObject()) {
      Map<String, JsonNode> sorted = new TreeMap<>();
      value.properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
      String separator = "";
      for (Map.Entry<String, JsonNode> entry : sorted.entrySet()) {
        out.append(separator);
        out.append(scalar(entry.getKey())).append(':');
        member(entry.getValue(), level);
        separator = INDENT.repeat(level);
      }
    } else {
      for (Iterator<JsonNode> items = value.values().iterator(); items.hasNext(); ) {
        item(items.next(), level);
        out.append(items.hasNext() ? INDENT.repeat(level) : "");
      }
    }
  }

  private void member(JsonNode value, int level) {
    if (!isBlock(value)) {
      out.append(' ');
      leaf(value, level + 1);
      return;
    }
    int inner = value.isArray() ? level : level + 1;
    out.append('\n').append(INDENT.repeat(inner));
    block(value, inner);
  }

  private void item(JsonNode value, int level) {
    out.append("- ");
    if (isBlock(value)) {
      block(value, level + 1);
    } else {
      leaf(value, level + 1);
    }
  }

  private void leaf(JsonNode value, int level) {
    if (value.isObject()) {
      out.append("{}\n");
    } else if (value.isArray()) {
      out.append("[]\n");
    } else if (value.isString()) {
      String text = value.stringValue();
      if (isParagraph(text)) {
        paragraph(text, level);
      } else {
        out.append(scalar(text)).append('\n');
      }
    } else {
      out.append(value.isNull() ? "null" : value.asString()).append('\n');
    }
  }

  private void paragraph(String text, int level) {
    boolean newline = text.endsWith("\n");
    out.append('|').append(text.startsWith(" ") ? "2" : "");
    out.append(!newline ? "-" : text.endsWith("\n\n") || text.length() == 1 ? "+" : "");
    out.append('\n');
    String body = newline ? text.substring(0, text.length() - 1) : text;
    for (String line : body.split("\n", -1)) {
      out.append(line.isEmpty() ? "" : INDENT.repeat(level)).append(line).append('\n');
    }
  }

  private static boolean isBlock(JsonNode value) {
    return value.isContainer() && !value.isEmpty();
  }

  /// Whether text can stand as a literal block: several lines, nothing that needs an escape.
  private static boolean isParagraph(String text) {
    return text.indexOf('\n') >= 0
        && !text.isBlank()
        && text.chars().allMatch(c -> c == '\n' || isPrintable(c));
  }

  private static String scalar(String text) {
    if (!text.chars().allMatch(YamlWriter::isPrintable)) {
      return escaped(text);
    }
    if (YamlScalars.needsQuotes(text)) {
      return '"' + text + '"';
    }
    boolean plain =
        SPECIAL_FIRST.indexOf(text.charAt(0)) < 0
            && !text.endsWith(" ")
            && !text.endsWith(":")
            && !text.contains(": ")
            && !text.contains(" #")
            && !text.equals("<<")
            && !text.startsWith("---")
            && !text.startsWith("...");
    return plain || isDashedWord(text) ? text : "'" + text.replace("'", "''") + "'";
  }

  /// `-n` and `--flag` need no quotes although they begin like a list item.
  private static boolean isDashedWord(String text) {
    return text.length() > 1
        && text.charAt(0) == '-'
        && text.charAt(1) != ' '
        && !text.startsWith("---")
        && !text.endsWith(" ")
        && !text.endsWith(":")
        && !text.contains(": ")
        && !text.contains(" #");
  }

  private static boolean isPrintable(int c) {
    boolean control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    boolean separator = c == 0x2028 || c == 0x2029 || c == 0xfeff;
    boolean surrogate = c >= 0xd800 && c < 0xe000;
    return !control && !separator && !surrogate && c < 0xfffe;
  }

  private static String escaped(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '\r' -> quoted.append("\\r");
        default -> {
          if (isPrintable(c)) {
            quoted.append(c);
          } else if (Character.isHighSurrogate(c)
              && at + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(at + 1))) {
            quoted.append(c).append(text.charAt(++at));
          } else {
            quoted.append(String.format("\\u%04x", (int) c));
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
