package io.fairlead.dns.plugin;

import java.util.List;

/// One line of the Corefile with the block behind it: `forward . 9.9.9.9 { max_fails 3 }` has the
/// name `forward`, two arguments and one directive inside.
///
/// @param file as the user named it, for messages
/// @param line counted from 1
public record Directive(
    String name, List<String> arguments, List<Directive> block, String file, int line) {
  public Directive {
    arguments = List.copyOf(arguments);
    block = List.copyOf(block);
  }

  /// A problem with this line.
  public SetupException problem(String what) {
    return new SetupException(file, line, what);
  }
}
