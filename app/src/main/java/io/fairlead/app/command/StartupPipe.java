package io.fairlead.app.command;

import io.fairlead.app.Progress;
import io.fairlead.app.StartupStep;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// How the background process tells the `up` in front of it how the start goes: lines on its
/// standard output, which ends when the process does, so that its death needs no time-out.
///
/// `began STEP`, `finished STEP DETAIL`, `problem EXIT TEXT` (base64), `ready`.
public final class StartupPipe implements Progress {

  /// One line, read back.
  sealed interface Message {
    record Began(StartupStep step) implements Message {}

    record Finished(StartupStep step, String detail) implements Message {}

    record Failed(int exit, String text) implements Message {}

    record Ready() implements Message {}

    record Ended() implements Message {}
  }

  private final PrintStream out;

  StartupPipe(PrintStream out) {
    this.out = out;
  }

  @Override
  public void began(StartupStep step) {
    send("began " + step);
  }

  @Override
  public void finished(StartupStep step, String detail) {
    send("finished " + step + " " + detail);
  }

  void failed(int exit, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    send("problem " + exit + " " + Base64.getEncoder().encodeToString(bytes));
  }

  void ready() {
    send("ready");
  }

  /// The reader may be gone; that is no reason to stop serving. A PrintStream never throws.
  private void send(String line) {
    out.println(line);
    out.flush();
  }

  /// Reads what a background process says until it is ready or has failed.
  ///
  /// @return what is wrong; empty when it is ready
  public static Optional<String> awaitReady(InputStream said) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      switch (parse(line).orElse(null)) {
        case Message.Ready() -> {
          return Optional.empty();
        }
        case Message.Failed(_, String text) -> {
          return Optional.of(text);
        }
        case null, default -> {}
      }
    }
    return Optional.of("it ended");
  }

  /// Reads one line; nothing when it is not one of ours (a JVM warning, say).
  static Optional<Message> parse(String line) {
    String[] words = line.split(" ", 3);
    try {
      return switch (words[0]) {
        case "began" -> Optional.of(new Message.Began(StartupStep.valueOf(words[1])));
        case "finished" ->
            Optional.of(
                new Message.Finished(
                    StartupStep.valueOf(words[1]), words.length > 2 ? words[2] : ""));
        case "problem" ->
            Optional.of(
                new Message.Failed(
                    Integer.parseInt(words[1]),
                    new String(Base64.getDecoder().decode(words[2]), StandardCharsets.UTF_8)));
        case "ready" -> Optional.of(new Message.Ready());
        default -> Optional.empty();
      };
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }
}
