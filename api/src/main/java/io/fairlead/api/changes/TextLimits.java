package io.fairlead.api.changes;

import java.util.Collection;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps single changes small: long texts and lists are cut, and what was cut is counted.
public final class TextLimits {
  private static final int LONGEST = 120;

  private TextLimits() {}

  /// At most 120 characters; a longer text ends with an ellipsis.
  public static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }

  /// Puts the first of a list, and how many more there are when there are.
  public static void list(ObjectNode out, String name, Collection<String> all, int most) {
    ArrayNode listed = out.putArray(name);
    all.stream().limit(most).forEach(each -> listed.add(cut(each)));
    if (all.size() > most) {
      out.put(name + "More", all.size() - most);
    }
  }
}
