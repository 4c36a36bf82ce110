package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.Pump;
import io.fairlead.agent.runtime.Attached;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/// A user and a program, from its start to the news of its end. Each way has a thread of its own;
/// the program ends when the user is gone.
final class Conversation {
  /// How long a program's children may keep its output open without a word.
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private Conversation() {}

  /// @param asked which of the streams the user wants
  static void hold(Attached program, Channels user, StreamRequest asked)
      throws IOException, InterruptedException {
    try (program) {
      user.onGone(program::close);
      user.screen(program::resize);
      if (asked.input()) {
        Pump.start("exec stdin", user.input(), program.input());
      }
      Pump output =
          Pump.start("exec stdout", program.output(), wanted(asked.output(), user.output()));
      Pump error = Pump.start("exec stderr", program.error(), wanted(asked.error(), user.error()));
      int code = program.await();
      output.joinUnlessSilent(SILENCE);
      error.joinUnlessSilent(SILENCE);
      user.finish(Endings.of(code));
    }
  }

  private static OutputStream wanted(boolean is, OutputStream stream) {
    return is ? stream : OutputStream.nullOutputStream();
  }
}
