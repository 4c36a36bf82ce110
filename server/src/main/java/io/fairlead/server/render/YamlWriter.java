package io.fairlead.server.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;
import tools.jackson.databind.JsonNode;

/// Writes a tree as block-style YAML with sorted keys, the way Kubernetes does.
///
/// Strings that a YAML 1.1 reader would take for something else (`yes`, `1`, `2024-01-01`) are
/// quoted, although the newer standard would not ask for it.
final class YamlWriter {
  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "(?i)y|n|yes|no|on|off|true|false|null|~|[-+]?(\\d[\\d_]*)?\\.?\\d*(e[-+]?\\d+)?"
              + "|[-+]?0[xob][0-9a-f_]+|[-+]?\\.(inf|nan)|\\d{4}-\\d\\d?-\\d\\d?.*"
              + "|[-+]?\\d[\\d_]*(:[0-5]?\\d)+(\\.\\d*)?|=|<<");

  private static final DumpSettings SETTINGS =
      DumpSettings.builder()
          .setDefaultFlowStyle(FlowStyle.BLOCK)
          .setWidth(Integer.MAX_VALUE)
          .setSplitLines(false)
          .build();

  private YamlWriter() {}

  static String write(JsonNode node) {
    return new Dump(SETTINGS, new Quoting(SETTINGS)).dumpToString(plain(node));
  }

  private static @Nullable Object plain(JsonNode node) {
    if (node.isObject()) {
      Map<String, @Nullable Object> sorted = new TreeMap<>();
      node.properties().forEach(entry -> sorted.put(entry.getKey(), plain(entry.getValue())));
      return sorted;
    }
    if (node.isArray()) {
      List<@Nullable Object> items = new ArrayList<>();
      node.forEach(item -> items.add(plain(item)));
      return items;
    }
    if (node.isString()) {
      return node.stringValue();
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isNumber()) {
      return node.numberValue();
    }
    return null;
  }

  private static final class Quoting extends StandardRepresenter {
    Quoting(DumpSettings settings) {
      super(settings);
      representers.put(String.class, this::text);
    }

    private Node text(Object data) {
      String value = (String) data;
      ScalarStyle style = ScalarStyle.PLAIN;
      if (AMBIGUOUS.matcher(value).matches()) {
        style = ScalarStyle.DOUBLE_QUOTED;
      } else if (value.indexOf('\n') >= 0) {
        style = ScalarStyle.LITERAL;
      }
      return representScalar(Tag.STR, value, style);
    }
  }
}
