package io.fairlead.app.command;

import io.fairlead.app.Step;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.text.Phrase;
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

/// Starts an instance in a process of its own that outlives this one, and waits until it is ready.
///
/// How it works: `setsid` gives the process its own session, its log goes to a file, and its
/// standard output is a [Pipe] to here. If this process is interrupted before the other is ready,
/// the other is stopped.
final class Background {
  private static final Duration PATIENCE_BEFORE_A_WORD = Duration.ofSeconds(2);
  private static final long LARGEST_LOG = 10 << 20;

  private final Context context;
  private final DataDirectory directory;
  private final Display display;

  Background(Context context, DataDirectory directory, Display display) {
    this.context = context;
    this.directory = directory;
    this.display = display;
  }

  int run(List<String> command, Duration timeout) {
    Process process = start(command);
    Thread stop = Thread.ofPlatform().unstarted(process::destroy);
    Runtime.getRuntime().addShutdownHook(stop);
    BlockingQueue<Pipe.Message> messages = new LinkedBlockingQueue<>();
    Thread.ofVirtual().name("start-progress").start(() -> read(process, messages));
    try {
      return follow(process, messages, timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Exit.INTERRUPTED;
    } finally {
      removeHook(stop);
    }
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
      throw new Problem(Code.FL206, e, String.valueOf(e.getMessage()), directory.log());
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

  private static void read(Process process, BlockingQueue<Pipe.Message> messages) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Pipe.parse(line).ifPresent(messages::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      messages.add(new Pipe.Message.Ended());
    }
  }

  private int follow(Process process, BlockingQueue<Pipe.Message> messages, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    Step step = Step.STORE_AND_API;
    while (true) {
      long left = Math.min(PATIENCE_BEFORE_A_WORD.toNanos(), deadline - System.nanoTime());
      Pipe.Message message = messages.poll(left, TimeUnit.NANOSECONDS);
      if (message == null) {
        if (System.nanoTime() >= deadline) {
          process.destroy();
          throw new Problem(
              Code.FL207, timeout.toSeconds(), Phrase.of(step.message()), directory.log());
        }
        display.waiting(step);
        continue;
      }
      switch (message) {
        case Pipe.Message.Began(Step next) -> {
          // The preflight was already done and shown in front; the other process only repeats it.
          if (next != Step.PREFLIGHT) {
            step = next;
            display.began(next);
          }
        }
        case Pipe.Message.Finished(Step done, String detail) -> {
          if (done != Step.PREFLIGHT) {
            display.finished(done, detail);
          }
        }
        case Pipe.Message.Failed(int exit, String text) -> {
          context.terminal().err().print(text);
          return exit;
        }
        case Pipe.Message.Ready() -> {
          return Exit.FINE;
        }
        case Pipe.Message.Ended() ->
            throw new Problem(
                Code.FL206, Phrase.of("why.died", process.waitFor()), directory.log());
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
