package io.fairlead.e2e.documents;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A block of a document between two fences.
///
/// @param line where its first fence stands, counted from 1
/// @param info what stands behind the fence: `console`, `yaml`
/// @param marks what a comment before it says about it
/// @param mode the proxy's mode it is about; empty when it holds in every mode
/// @param text the lines between the fences
/// @param exchanges commands and their output; empty unless it is a block that is typed
record FencedBlock(
    int line,
    String info,
    Set<Mark> marks,
    String mode,
    List<String> text,
    List<ConsoleCommand> exchanges) {
  /// What a comment can say about a block.
  enum Mark {
    ANY_ORDER("any order"),
    NUMBERS_VARY("numbers vary"),
    FAILS("fails"),
    CHANGES_MODE("changes the mode"),
    NAMES_MODE("names the mode"),
    ONCE("once"),
    NOT_RUN("not run");

    final String words;

    Mark(String words) {
      this.words = words;
    }
  }

  FencedBlock {
    marks = marks.isEmpty() ? Set.of() : EnumSet.copyOf(marks);
    text = List.copyOf(text);
    exchanges = List.copyOf(exchanges);
  }

  /// The same with another word in the place of one.
  FencedBlock with(String word, String other) {
    return new FencedBlock(
        line,
        info,
        marks,
        mode,
        text.stream().map(each -> each.replace(word, other)).toList(),
        exchanges.stream()
            .map(
                each ->
                    new ConsoleCommand(
                        each.line(),
                        each.command().replace(word, other),
                        each.printed().stream().map(l -> l.replace(word, other)).toList()))
            .toList());
  }
}
