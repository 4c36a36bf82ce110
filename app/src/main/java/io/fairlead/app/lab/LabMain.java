package io.fairlead.app.lab;

import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.command.Main;
import io.fairlead.app.logging.ShutdownSafeLogManager;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/// The process inside a lab: a command of this program, and a [LabProxy] for those outside.
///
/// Its standard input is the life of the process that holds it: when that ends, however it ends,
/// this one ends too.
public final class LabMain {
  private LabMain() {}

  /// @param words the socket of the proxy, then the command
  public static void main(String[] words) throws IOException {
    System.setProperty("java.util.logging.manager", ShutdownSafeLogManager.class.getName());
    LabProxy.open(Path.of(words[0]), ClusterNames.ofLab());
    Tasks.startPlatform("holder", LabMain::awaitHolder);
    Main.main(Arrays.copyOfRange(words, 1, words.length));
  }

  private static void awaitHolder() throws IOException {
    long _ = System.in.skip(Long.MAX_VALUE);
    while (System.in.read() >= 0) {
      // Nothing is said here; only the end counts.
    }
    System.exit(ExitCode.FINE);
  }
}
