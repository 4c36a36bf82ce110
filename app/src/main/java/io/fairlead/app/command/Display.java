package io.fairlead.app.command;

import io.fairlead.app.Progress;
import io.fairlead.app.StartupStep;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.text.Columns;
import java.util.Locale;

/// The start-up display: one line a step, on standard error. On a terminal the step under way is
/// shown too and overwritten when it is done.
///
/// Owned by the thread that starts.
final class Display implements Progress {
  private static final int NAME_COLUMNS = 20;

  private final CommandContext context;
  private final boolean animated;
  private final long started = System.nanoTime();
  private long stepStarted = started;

  Display(CommandContext context) {
    this.context = context;
    this.animated = context.properties().getOrDefault("fairlead.tty", "").contains("err");
  }

  @Override
  public void began(StartupStep step) {
    stepStarted = System.nanoTime();
    if (animated) {
      context.terminal().err().print("   " + context.text(step.message()) + " …\r");
      context.terminal().err().flush();
    }
  }

  @Override
  public void finished(StartupStep step, String detail) {
    String line =
        " "
            + context.terminal().markErr(Mark.GOOD)
            + " "
            + Columns.pad(context.text(step.message()), NAME_COLUMNS)
            + seconds(stepStarted)
            + " s"
            + (detail.isEmpty() ? "" : "   " + detail);
    context.terminal().err().println(line);
  }

  /// Said when a step takes long.
  ///
  /// @param pending the key of its name
  void waiting(String pending) {
    context.terminal().err().println(context.text("up.waiting", context.text(pending)));
  }

  /// How long the whole start took, such as `1.8`.
  String total() {
    return seconds(started);
  }

  private static String seconds(long since) {
    return String.format(Locale.ROOT, "%.1f", (System.nanoTime() - since) / 1e9);
  }
}
