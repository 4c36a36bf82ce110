package io.fairlead.app.command;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Says what a command is busy with when that takes longer than a user waits without wondering.
final class SlowStepNotice {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private SlowStepNotice() {}

  /// Does something. After two seconds a line on standard error says what; a quick one says
  /// nothing.
  ///
  /// @param key of the message that names it
  static <T> T during(CommandContext context, String key, Supplier<T> work) {
    return during(context, key, PATIENCE, work);
  }

  static <T> T during(CommandContext context, String key, Duration patience, Supplier<T> work) {
    try (ScheduledExecutorService timer = Tasks.sequential("slow-step")) {
      var notice =
          timer.schedule(
              () -> context.terminal().err().println(context.text("up.waiting", context.text(key))),
              patience.toMillis(),
              TimeUnit.MILLISECONDS);
      try {
        return work.get();
      } finally {
        notice.cancel(false);
        timer.shutdownNow();
      }
    }
  }
}
