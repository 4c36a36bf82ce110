package io.fairlead.app.logging;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/// Sets up where log lines go and how they look.
public final class Logging {
  /// Kept here because java.util.logging holds loggers by weak references only.
  private static final Logger ROOT = Logger.getLogger("");

  private static final Logger OURS = Logger.getLogger("io.fairlead");

  // Written once, by the thread that starts a process which logs.
  private static volatile boolean logs;

  private Logging() {}

  /// Sends everything to `to`.
  ///
  /// @param format `text` or `json`
  /// @param verbosity 0 shows what an operator wants, 4 also debug lines of Fairlead, 6 everything
  public static void to(OutputStream to, String format, int verbosity) {
    logs = true;
    reset();
    Handler handler = new FlushingHandler(to, formatter(format));
    handler.setLevel(Level.ALL);
    ROOT.addHandler(handler);
    ROOT.setLevel(verbosity >= 6 ? Level.FINE : verbosity >= 4 ? Level.INFO : Level.WARNING);
    OURS.setLevel(verbosity >= 6 ? Level.FINEST : verbosity >= 4 ? Level.FINE : Level.INFO);
  }

  /// Writes what the components of this process log to a file each as well.
  ///
  /// @param format `text` or `json`
  public static void components(Path directory, String format) {
    Handler handler = new ComponentLogFiles(directory, formatter(format));
    handler.setLevel(Level.ALL);
    ROOT.addHandler(handler);
  }

  private static Formatter formatter(String format) {
    return format.equals("json")
        ? new JsonFormatter()
        : new KlogFormatter(ProcessHandle.current().pid());
  }

  /// Silences everything: a short command's output is its own. In a process that was told where to
  /// log, this does nothing: there commands run beside its components.
  public static void off() {
    if (logs) {
      return;
    }
    reset();
    ROOT.setLevel(Level.OFF);
  }

  private static void reset() {
    if (LogManager.getLogManager() instanceof ShutdownSafeLogManager manager) {
      manager.resetNow();
    } else {
      LogManager.getLogManager().reset();
    }
  }

  private static final class FlushingHandler extends StreamHandler {
    FlushingHandler(OutputStream to, Formatter formatter) {
      super(to, formatter);
    }

    @Override
    public synchronized void publish(LogRecord line) {
      super.publish(line);
      flush();
    }
  }
}
