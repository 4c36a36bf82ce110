package io.fairlead.app.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One verb of the command line. Its description is the message `verb.<name>`.
///
/// @param name what the user types
/// @param operand how help names the one operand, or empty when there is none
/// @param operands what shell completion offers for it
/// @param flags its own flags, in the order help shows them
public record Verb(String name, String operand, List<String> operands, List<Flag> flags) {
  public Verb {
    operands = List.copyOf(operands);
    flags = List.copyOf(flags);
  }

  /// Own flags and those every verb has.
  Stream<Flag> allFlags() {
    return Stream.concat(flags.stream(), Grammar.COMMON.stream());
  }

  Optional<Flag> flag(String name) {
    return allFlags().filter(flag -> flag.name().equals(name)).findFirst();
  }
}
