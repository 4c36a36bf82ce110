package io.fairlead.e2e.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// One shell in which commands are typed one after the other: variables, functions and the working
/// directory stay.
///
/// How it works: each command is written to a file that bash reads in its own process; then bash
/// prints a line with a word that occurs nowhere else and the exit status. So programs left running
/// in the background may hold the pipe as long as they like. Standard error is joined to standard
/// output, standard input is empty.
final class BashSession implements AutoCloseable {
  /// What a command printed and how it ended.
  record Output(int status, List<String> lines) {}

  private static final String END_OF_STREAM = "\0";

  private final Process process;
  private final Writer input;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Path command;
  private final String end = "end-" + UUID.randomUUID();
  private final Duration limit;

  /// @param prefix what to run bash with, such as a program that enters a namespace
  /// @param directory where commands are typed
  /// @param scratch a directory for the shell's own file
  /// @param limit for one command
  BashSession(
      List<String> prefix,
      Path directory,
      Path scratch,
      Map<String, String> environment,
      Duration limit)
      throws IOException {
    this.limit = limit;
    this.command = scratch.resolve("command.sh");
    List<String> words = new ArrayList<>(prefix);
    words.addAll(List.of("bash", "--noprofile", "--norc"));
    ProcessBuilder builder =
        new ProcessBuilder(words).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("KUBECONFIG");
    builder.environment().remove("SUDO_UID");
    builder.environment().putAll(environment);
    this.process = builder.start();
    this.input = process.outputWriter(UTF_8);
    Thread.ofVirtual().name("what the shell prints").start(this::read);
  }

  private void read() {
    try (var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("the shell's output cannot be read: " + e.getMessage());
    }
    lines.add(END_OF_STREAM);
  }

  /// Types a command and waits for its end.
  ///
  /// @throws IllegalStateException when it does not end in time, or ends the shell itself
  Output type(String text) {
    try {
      Files.writeString(command, text + "\n");
      input.write(". '" + command + "' < /dev/null; printf '\\n%s %d\\n' " + end + " $?\n");
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the shell is gone before: " + text, e);
    }
    List<String> printed = new ArrayList<>();
    long start = System.nanoTime();
    while (true) {
      String line = next(start, text, printed);
      if (line.startsWith(end + " ")) {
        int status = Integer.parseInt(line.substring(end.length() + 1));
        // The empty line before the end is the shell's own, unless the command left its line open.
        if (!printed.isEmpty() && printed.getLast().isEmpty()) {
          printed.removeLast();
        }
        return new Output(status, printed);
      }
      if (line.equals(END_OF_STREAM)) {
        throw new IllegalStateException(
            "the shell ended at: " + text + "\n" + String.join("\n", printed));
      }
      printed.add(line);
    }
  }

  private String next(long start, String text, List<String> printed) {
    try {
      long left = limit.toNanos() - (System.nanoTime() - start);
      String line = lines.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new IllegalStateException(
            "still running after "
                + limit.toSeconds()
                + " s: "
                + text
                + "\n"
                + String.join("\n", printed));
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in: " + text, e);
    }
  }

  /// Ends the shell and what it runs in the foreground.
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
