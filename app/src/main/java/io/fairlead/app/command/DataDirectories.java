package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.DataDirectory;
import java.util.Optional;

/// Which data directory a command line means.
final class DataDirectories {
  private DataDirectories() {}

  static DataDirectory of(Arguments arguments, CommandContext context) {
    return arguments
        .path("data-dir")
        .map(DataDirectory::new)
        .orElseGet(() -> DataDirectory.standard(context.environment()));
  }

  /// The same for a verb that looks into one that should be there.
  static DataDirectory open(Arguments arguments, CommandContext context) {
    DataDirectory directory = of(arguments, context);
    refuse(directory.closedBy(), directory, arguments);
    return directory;
  }

  /// @param owner who closed the directory; empty when it is open
  static void refuse(Optional<String> owner, DataDirectory directory, Arguments arguments) {
    if (owner.isPresent()) {
      throw new FairleadException(
          ErrorCode.FL232,
          directory.root(),
          owner.get(),
          (owner.get().equals("root") ? "sudo" : "sudo -u " + owner.get())
              + " fairlead "
              + arguments.verb().name()
              + " --data-dir "
              + directory.root());
    }
  }

  /// Where nothing runs for this user, something of root's may: who has started it with sudo and
  /// looks without is told.
  static void hintAtRoot(Arguments arguments, CommandContext context) {
    if (arguments.path("data-dir").isEmpty() && DataDirectory.OF_ROOT.closedBy().isPresent()) {
      context
          .terminal()
          .err()
          .println(
              context.text(
                  "directory.root", DataDirectory.OF_ROOT.root(), arguments.verb().name()));
    }
  }

  /// ` --data-dir DIR` when the user named one: what a suggested command needs to mean the same.
  static String repeated(Arguments arguments) {
    return arguments.path("data-dir").map(path -> " --data-dir " + path).orElse("");
  }
}
