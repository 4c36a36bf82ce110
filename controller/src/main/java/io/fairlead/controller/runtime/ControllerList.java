package io.fairlead.controller.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// Which controllers run, as `--controllers` says it: `foo` runs foo, `-foo` does not, `*` runs all
/// that are on by default. The first word about a controller counts; one that is not mentioned runs
/// if `*` is there.
///
/// @param words as given, old names replaced by those of today
public record ControllerList(List<String> words) {
  private static final String ALL = "*";

  /// All that are on by default.
  public static final ControllerList STANDARD = new ControllerList(List.of(ALL));

  public ControllerList {
    words = List.copyOf(words);
  }

  /// Reads a list.
  ///
  /// @param known the names there are
  /// @param aliases older names and what they are called today
  /// @throws UnknownController for a word that is none of them
  public static ControllerList parse(
      List<String> words, Collection<String> known, Map<String, String> aliases) {
    List<String> read = new ArrayList<>();
    for (String word : words) {
      String sign = word.startsWith("-") ? "-" : "";
      String name = word.substring(sign.length());
      String today = aliases.getOrDefault(name, name);
      boolean all = word.equals(ALL);
      if (!all && !known.contains(today)) {
        throw new UnknownController(word, known);
      }
      read.add(sign + today);
    }
    return new ControllerList(read);
  }

  /// Whether it runs one that is on by default.
  public boolean enables(String name) {
    return enables(name, true);
  }

  /// Whether it runs that one.
  ///
  /// @param standard whether `*` means it too
  public boolean enables(String name, boolean standard) {
    for (String word : words) {
      if (word.equals(name)) {
        return true;
      }
      if (word.equals("-" + name)) {
        return false;
      }
    }
    return standard && words.contains(ALL);
  }

  /// A word of a list that names no controller.
  public static final class UnknownController extends RuntimeException {
    private final String word;
    private final List<String> known;

    UnknownController(String word, Collection<String> known) {
      super('"' + word + "\" is not in the list of known controllers");
      this.word = word;
      this.known = List.copyOf(known);
    }

    public String word() {
      return word;
    }

    public List<String> known() {
      return known;
    }
  }
}
