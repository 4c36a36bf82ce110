package io.fairlead.server.resources.table;

import io.fairlead.server.resource.Column;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Columns and cells that many tables have.
public final class Cells {
  public static final Column NAME = Column.name("The name, unique within its namespace and kind.");
  public static final Column AGE = Column.text("Age", "The time since the object was made.");

  private static final int SHOWN = 3;

  private Cells() {}

  public static JsonNode text(String text) {
    return JsonNodeFactory.instance.stringNode(text);
  }

  public static JsonNode number(long number) {
    return JsonNodeFactory.instance.numberNode(number);
  }

  /// An integer of the object, 0 when it is missing.
  public static JsonNode number(JsonNode node) {
    return number(node.asLong(0));
  }

  public static JsonNode name(JsonNode object) {
    return text(object.path("metadata").path("name").asString(""));
  }

  public static JsonNode age(JsonNode object, Instant now) {
    return text(Age.of(object, now));
  }

  /// The strings of a list.
  public static List<String> strings(JsonNode list) {
    List<String> all = new ArrayList<>();
    for (JsonNode item : list) {
      all.add(item.asString(""));
    }
    return all;
  }

  /// The first three, joined, and how many more there are.
  public static String firstThree(List<String> all) {
    return all.size() <= SHOWN
        ? String.join(",", all)
        : String.join(",", all.subList(0, SHOWN)) + " + " + (all.size() - SHOWN) + " more...";
  }

  /// `<none>` in place of an empty text.
  public static JsonNode orNone(String text) {
    return text(SelectorText.orNone(text));
  }
}
