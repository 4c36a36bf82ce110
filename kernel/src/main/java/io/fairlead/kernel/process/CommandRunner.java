package io.fairlead.kernel.process;

import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/// Runs a program of the machine: text in, text out, a limit of time. One that outlives the limit
/// is ended.
public final class CommandRunner {
  /// What a program left: its exit status and what it printed.
  public record Result(int exit, String output, String error) {
    public boolean succeeded() {
      return exit == 0;
    }
  }

  private static final String SEARCHED =
      "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin";

  private final List<String> prefix;
  private final Duration limit;

  private CommandRunner(List<String> prefix, Duration limit) {
    this.prefix = prefix;
    this.limit = limit;
  }

  /// Programs run where this process is.
  public static CommandRunner here(Duration limit) {
    return new CommandRunner(List.of(), limit);
  }

  /// Programs run inside a network namespace.
  public static CommandRunner inside(NetworkNamespace namespace, Duration limit) {
    return new CommandRunner(List.of("nsenter", "--net=" + namespace.path(), "--"), limit);
  }

  /// Where a program lies, in PATH or in the system directories that PATH of a service often lacks.
  public static Optional<String> find(String program) {
    String path = System.getenv().getOrDefault("PATH", "") + ":" + SEARCHED;
    return Stream.of(path.split(":"))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> java.nio.file.Path.of(directory, program))
        .filter(java.nio.file.Files::isExecutable)
        .map(java.nio.file.Path::toString)
        .findFirst();
  }

  /// Runs a program to its end.
  ///
  /// @param input what it reads, empty for nothing
  /// @param command program and arguments; the program is looked up like {@link #find}
  /// @throws CommandRunnerException when it is missing, cannot start or does not end in time
  public Result run(String input, List<String> command) {
    return run(input, command, _ -> {});
  }

  /// Runs a program to its end.
  ///
  /// @param started gets the number of the process before it has read anything
  public Result run(String input, List<String> command, LongConsumer started) {
    String program =
        find(command.getFirst())
            .orElseThrow(
                () ->
                    new CommandRunnerException(
                        command.getFirst(), "is not installed on this machine"));
    List<String> whole =
        Stream.of(prefix, List.of(program), command.subList(1, command.size()))
            .flatMap(List::stream)
            .toList();
    Process process;
    try {
      process = new ProcessBuilder(whole).start();
    } catch (IOException e) {
      throw new CommandRunnerException(command.getFirst(), "cannot be started: " + e.getMessage());
    }
    started.accept(process.pid());
    try (var pipes = Tasks.perTask("command-pipes")) {
      // Both outputs are read while the input is written, else a full pipe stops both sides.
      Future<String> output = pipes.submit(() -> text(process.getInputStream()));
      Future<String> error = pipes.submit(() -> text(process.getErrorStream()));
      Future<?> written = pipes.submit(() -> write(process, input));
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new CommandRunnerException(
            command.getFirst(), "did not end within " + limit.toMillis() + " ms");
      }
      Object _ = written.get();
      return new Result(process.exitValue(), output.get(), error.get());
    } catch (ExecutionException e) {
      throw new CommandRunnerException(
          command.getFirst(), "its output cannot be read: " + e.getCause());
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new CommandRunnerException(command.getFirst(), "interrupted");
    }
  }

  private static void write(Process process, String input) {
    try (OutputStream stream = process.getOutputStream()) {
      stream.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // The program ended without reading everything: its exit status and words say why.
      return;
    }
  }

  private static String text(InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
