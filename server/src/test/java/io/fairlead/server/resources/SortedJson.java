package io.fairlead.server.resources;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// Prints JSON with its members in alphabetical order, so that texts can be compared.
public final class SortedJson {
  private SortedJson() {}

  public static String text(JsonNode node) {
    if (node.isObject()) {
      TreeMap<String, String> members = new TreeMap<>();
      node.properties().forEach(entry -> members.put(entry.getKey(), text(entry.getValue())));
      return members.toString();
    }
    if (node.isArray()) {
      List<String> items = new ArrayList<>();
      node.forEach(item -> items.add(text(item)));
      return items.toString();
    }
    return node.isString() ? "'" + node.stringValue() + "'" : node.toString();
  }
}
