package io.fairlead.app.cli;

/// What a verb does. Returns the exit code; throws [FairleadException] for an error the user can
/// act on.
@FunctionalInterface
public interface Command {
  int run(Arguments arguments, CommandContext context);
}
