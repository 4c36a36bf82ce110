package io.fairlead.api.patch;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Prints values the way the texts of some errors show them: `map[name:x port:80]`, `[a b]`.
final class GoText {
  private GoText() {}

  static String of(JsonNode value) {
    if (value instanceof ObjectNode object) {
      Map<String, String> members = new TreeMap<>();
      object.properties().forEach(member -> members.put(member.getKey(), of(member.getValue())));
      return members.entrySet().stream()
          .map(member -> member.getKey() + ":" + member.getValue())
          .collect(Collectors.joining(" ", "map[", "]"));
    }
    if (value instanceof ArrayNode list) {
      return StreamSupport.stream(list.spliterator(), false)
          .map(GoText::of)
          .collect(Collectors.joining(" ", "[", "]"));
    }
    return value.isNull() ? "<nil>" : value.asString();
  }
}
