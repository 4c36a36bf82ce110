package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Programs that run beside a workload, and the files of a sandbox they see.
final class ContainerExec {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private ContainerExec() {}

  /// Runs a program to its end, or ends it when it takes too long.
  static ExecResult run(ProgramStarter container, List<String> command, Duration timeout) {
    try {
      Process process = container.start(command, false, true);
      CompletableFuture<String> output = new CompletableFuture<>();
      Tasks.startPlatform("exec output", () -> output.complete(text(process)));
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        end(process);
        return new ExecResult(-1, "", true);
      }
      return new ExecResult(process.exitValue(), output.join(), false);
    } catch (IOException | SystemCallException e) {
      throw new RuntimeFailure("RunContainerError", String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RuntimeFailure("RunContainerError", "interrupted");
    }
  }

  /// Ends a process and all it started. The group as one, since a list of processes misses what one
  /// of them starts meanwhile; then those that left it.
  static void end(Process process) {
    List<ProcessHandle> known = process.descendants().toList();
    if (process.isAlive()) {
      CommandRunner.here(LIMIT).run("", List.of("sh", "-c", "kill -s KILL -- -" + process.pid()));
    }
    known.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static String text(Process process) {
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException _) {
      // Ended by force.
      return "";
    }
  }

  static Path file(Path directory, String sandbox, String name) {
    return directory.resolve("files").resolve(sandbox).resolve(name);
  }

  static void save(Path directory, String sandbox, String name, String text) {
    Path file = file(directory, sandbox, name);
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String saved(Path directory, String sandbox, String name) {
    try {
      return Files.readString(file(directory, sandbox, name));
    } catch (IOException e) {
      return "";
    }
  }

  static void forget(Path directory, String sandbox) {
    Path files = directory.resolve("files").resolve(sandbox);
    if (!Files.exists(files)) {
      return;
    }
    try (Stream<Path> all = Files.walk(files)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
