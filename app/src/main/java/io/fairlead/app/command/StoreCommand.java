package io.fairlead.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.embedded.StoreFiles;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/// `fairlead store check|dump|backup|restore`: what an operator does with the files of the embedded
/// store.
public final class StoreCommand implements Command {
  @Override
  public int run(Arguments arguments, CommandContext context) {
    Path store = DataDirectories.of(arguments, context).store();
    String action = arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
    try {
      return switch (action) {
        case "check" -> check(store, context);
        case "dump" -> dump(store, context);
        case "backup" -> {
          Path file = StoreFiles.backup(store, file(arguments));
          context.terminal().err().println(context.text("store.backup", file));
          yield ExitCode.FINE;
        }
        case "restore" -> {
          long revision = StoreFiles.restore(file(arguments), store);
          context.terminal().err().println(context.text("store.restored", store, revision));
          yield ExitCode.FINE;
        }
        default ->
            throw new FairleadException(ErrorCode.FL308, "store", "check, dump, backup, restore");
      };
    } catch (StoreException e) {
      throw new FairleadException(ErrorCode.FL220, e, store, String.valueOf(e.getMessage()));
    }
  }

  private static int check(Path store, CommandContext context) {
    List<String> problems = StoreFiles.check(store);
    PrintStream out = context.terminal().out();
    if (problems.isEmpty()) {
      out.println(context.text("store.sound", store));
      return ExitCode.FINE;
    }
    out.println(context.text("store.damaged", store));
    problems.forEach(problem -> out.println("  " + problem));
    return ExitCode.FAULT_FOUND;
  }

  /// One line for each object, in the order of keys: `KEY`, a tab, the revision, a tab, the value.
  private static int dump(Path store, CommandContext context) {
    PrintStream out = context.terminal().out();
    StoreFiles.dump(store, entry -> out.println(line(entry)));
    return ExitCode.FINE;
  }

  private static String line(StoreEntry entry) {
    return entry.key() + "\t" + entry.modRevision() + "\t" + new String(entry.value(), UTF_8);
  }

  private static Path file(Arguments arguments) {
    return arguments
        .path("file")
        .orElseThrow(
            () -> new FairleadException(ErrorCode.FL302, arguments.verb().name(), "--file"));
  }
}
