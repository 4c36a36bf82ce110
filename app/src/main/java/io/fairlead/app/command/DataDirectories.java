package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.instance.DataDirectory;

/// Which data directory a command line means.
final class DataDirectories {
  private DataDirectories() {}

  static DataDirectory of(Arguments arguments, CommandContext context) {
    return arguments
        .path("data-dir")
        .map(DataDirectory::new)
        .orElseGet(() -> DataDirectory.standard(context.environment()));
  }

  /// ` --data-dir DIR` when the user named one: what a suggested command needs to mean the same.
  static String repeated(Arguments arguments) {
    return arguments.path("data-dir").map(path -> " --data-dir " + path).orElse("");
  }
}
