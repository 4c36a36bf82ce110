package io.fairlead.controller.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Sets of completion indexes in the form of a status: `0-2,5`.
final class CompletionIndexes {
  private CompletionIndexes() {}

  static Set<Integer> parse(String text) {
    Set<Integer> indexes = new TreeSet<>();
    if (text.isEmpty()) {
      return indexes;
    }
    for (String range : text.split(",", -1)) {
      int dash = range.indexOf('-');
      try {
        int from = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
        int to = dash < 0 ? from : Integer.parseInt(range.substring(dash + 1));
        for (int i = from; i <= to; i++) {
          indexes.add(i);
        }
      } catch (NumberFormatException _) {
        // Another client's text in our status; they are written over.
      }
    }
    return indexes;
  }

  static String text(Set<Integer> indexes) {
    List<String> parts = new ArrayList<>();
    List<Integer> sorted = new ArrayList<>(new TreeSet<>(indexes));
    for (int i = 0; i < sorted.size(); ) {
      int end = i;
      while (end + 1 < sorted.size() && sorted.get(end + 1) == sorted.get(end) + 1) {
        end++;
      }
      parts.add(i == end ? "" + sorted.get(i) : sorted.get(i) + "-" + sorted.get(end));
      i = end + 1;
    }
    return String.join(",", parts);
  }
}
