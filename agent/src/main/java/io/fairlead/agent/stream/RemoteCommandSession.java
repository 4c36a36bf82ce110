package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.Pump;
import io.fairlead.agent.runtime.AttachedProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/// A user and a program, from its start to the news of its end. Each way has a thread of its own;
/// the program ends when the user is gone.
final class RemoteCommandSession {
  /// How long a program's children may keep its output open without a word.
  private static final Duration SILENCE = Duration.ofSeconds(1);

  private RemoteCommandSession() {}

  /// @param asked which of the streams the user wants
  static void hold(AttachedProcess program, RemoteCommandChannels user, StreamRequest asked)
      throws IOException, InterruptedException {
    try (program) {
      user.onGone(program::close);
      user.onResize(program::resize);
      if (asked.input()) {
        Pump.start("exec stdin", user.input(), program.input());
      }
      Pump output =
          Pump.start("exec stdout", program.output(), wanted(asked.output(), user.output()));
      Pump error = Pump.start("exec stderr", program.error(), wanted(asked.error(), user.error()));
      int code = program.await();
      output.joinUnlessSilent(SILENCE);
      error.joinUnlessSilent(SILENCE);
      user.finish(RemoteCommandStatus.of(code));
    }
  }

  private static OutputStream wanted(boolean is, OutputStream stream) {
    return is ? stream : OutputStream.nullOutputStream();
  }
}
