package io.fairlead.app.command;

import io.fairlead.app.StartupStep;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.text.Phrase;
import io.fairlead.work.Tasks;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Starts an instance in a process of its own that outlives this one, and waits until it is ready.
///
/// How it works: `setsid` gives the process its own session, its log goes to a file, and its
/// standard output is a [StartupPipe] to here. If this process is interrupted before the other is
/// ready, the other is stopped.
final class Background {
  private static final Duration PATIENCE_BEFORE_A_WORD = Duration.ofSeconds(2);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);
  private static final long LARGEST_LOG = 10 << 20;

  private final CommandContext context;
  private final DataDirectory directory;
  private final Display display;

  private volatile @Nullable Process other;

  // Set by the hook that stops the other process: its end is no failure then.
  private volatile boolean interrupted;

  Background(CommandContext context, DataDirectory directory, Display display) {
    this.context = context;
    this.directory = directory;
    this.display = display;
  }

  int run(List<String> command, Duration timeout) {
    Process process = start(command);
    other = process;
    Thread stop = Tasks.atExit("stop-instance", this::interrupt);
    BlockingQueue<StartupPipe.Message> messages = new LinkedBlockingQueue<>();
    Tasks.start("start-progress", () -> read(process, messages));
    try {
      return follow(process, messages, timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    } finally {
      removeHook(stop);
    }
  }

  /// Ends the other process and says so: what it has done to the machine is undone by `down`.
  void interrupt() throws InterruptedException {
    Process process = other;
    if (process == null) {
      return;
    }
    interrupted = true;
    process.destroy();
    boolean ended = process.waitFor(STOP_WITHIN.toSeconds(), TimeUnit.SECONDS);
    context
        .terminal()
        .err()
        .println(
            "\n" + context.text(ended ? "up.interrupted" : "up.interrupted.alive", process.pid()));
    context.terminal().err().flush();
  }

  private Process start(List<String> command) {
    try {
      keepLogSmall();
      return new ProcessBuilder(command)
          .directory(new File("/"))
          .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
          .redirectError(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
          .start();
    } catch (IOException e) {
      throw new FairleadException(
          ErrorCode.FL206, e, String.valueOf(e.getMessage()), directory.log());
    }
  }

  private void keepLogSmall() throws IOException {
    if (Files.exists(directory.log()) && Files.size(directory.log()) > LARGEST_LOG) {
      Files.move(
          directory.log(),
          directory.log().resolveSibling("fairlead.log.1"),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void read(Process process, BlockingQueue<StartupPipe.Message> messages) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        StartupPipe.parse(line).ifPresent(messages::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      messages.add(new StartupPipe.Message.Ended());
    }
  }

  private int follow(Process process, BlockingQueue<StartupPipe.Message> messages, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    String pending = StartupStep.STORE_AND_API.message();
    while (true) {
      long left = Math.min(PATIENCE_BEFORE_A_WORD.toNanos(), deadline - System.nanoTime());
      StartupPipe.Message message = messages.poll(left, TimeUnit.NANOSECONDS);
      if (message == null) {
        if (System.nanoTime() >= deadline) {
          process.destroy();
          throw new FairleadException(
              ErrorCode.FL207, timeout.toSeconds(), Phrase.of(pending), directory.log());
        }
        display.waiting(pending);
        continue;
      }
      switch (message) {
        case StartupPipe.Message.Began(StartupStep next) -> {
          // The preflight was already done and shown in front; the other process only repeats it.
          if (next != StartupStep.PREFLIGHT) {
            pending = next.message();
            display.began(next);
          }
        }
        case StartupPipe.Message.Finished(StartupStep done, String detail) -> {
          if (done != StartupStep.PREFLIGHT) {
            display.finished(done, detail);
            pending = "up.readiness";
          }
        }
        case StartupPipe.Message.Failed(int exit, String text) -> {
          context.terminal().err().print(text);
          return exit;
        }
        case StartupPipe.Message.Ready() -> {
          return ExitCode.FINE;
        }
        case StartupPipe.Message.Ended() -> {
          if (interrupted) {
            return ExitCode.INTERRUPTED;
          }
          throw new FairleadException(
              ErrorCode.FL206, Phrase.of("why.died", process.waitFor()), directory.log());
        }
      }
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The shutdown is under way and the hook does its work.
      return;
    }
  }
}
