package io.fairlead.kernel.testing;

import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// A Linux that runs as a process of this machine, for tests of kernel features its own kernel
/// lacks: IPVS, dummy devices.
///
/// How it works: Debian's `user-mode-linux` is a kernel built as a program. It takes the machine's
/// file system as its root, read-only, so the same Java and the same tools run in it, and a script
/// as its first process, which runs one command and switches the guest off. Only a directory made
/// for the run is shared both ways.
///
/// @param directory where the guest may write; what the command leaves there can be read afterwards
/// @param memory in MiB
public record UserModeLinux(Path directory, int memory) {
  private static final String PROGRAM = "linux.uml";
  private static final int DEFAULT_MEMORY = 768;

  /// How a run ended.
  ///
  /// @param exit the command's exit status
  /// @param output what it printed
  public record RunResult(int exit, String output) {}

  public static UserModeLinux in(Path directory) {
    return new UserModeLinux(directory, DEFAULT_MEMORY);
  }

  public UserModeLinux withMemory(int megabytes) {
    return new UserModeLinux(directory, megabytes);
  }

  /// Why no guest can be booted here; empty when one can.
  public static Optional<String> missing() {
    List<String> lacking =
        List.of(PROGRAM, "modprobe", "xtables-legacy-multi", "ip").stream()
            .filter(program -> CommandRunner.find(program).isEmpty())
            .toList();
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "not installed: "
                + String.join(", ", lacking)
                + " (packages user-mode-linux kmod iptables iproute2)");
  }

  /// The words that run a class of this process's class path with the Java of this process.
  public static List<String> java(List<String> options, String mainClass, List<String> arguments) {
    List<String> words =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx320m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=/run/tmp"));
    words.addAll(options);
    words.addAll(List.of("-cp", JarredClassPath.own(), mainClass));
    words.addAll(arguments);
    return words;
  }

  /// Boots, runs a command and switches off. A guest that outlives the limit is ended.
  ///
  /// @throws IllegalStateException when it does not boot or does not end in time; says what its
  ///   console showed
  public RunResult run(List<String> command, Duration limit) {
    try {
      Files.createDirectories(directory);
      Files.deleteIfExists(directory.resolve("exit"));
      Files.writeString(
          directory.resolve("command"),
          command.stream()
              .map(UserModeLinux::quoted)
              .collect(Collectors.joining(" ", "exec ", "\n")));
      Path init = directory.resolve("init");
      Files.writeString(
          init, resource("guest-init.sh").replace("@DIRECTORY@", quoted(directory.toString())));
      if (!init.toFile().setExecutable(true)) {
        throw new IllegalStateException(init + " cannot be made executable");
      }
      boot(init, limit);
      Path exit = directory.resolve("exit");
      if (!Files.exists(exit)) {
        throw new IllegalStateException("the guest did not run its command: " + console());
      }
      return new RunResult(
          Integer.parseInt(Files.readString(exit).strip()),
          Files.readString(directory.resolve("output")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void boot(Path init, Duration limit) throws IOException {
    String program =
        CommandRunner.find(PROGRAM)
            .orElseThrow(() -> new IllegalStateException(missing().orElse(PROGRAM + " is gone")));
    ProcessBuilder builder =
        new ProcessBuilder(
                program,
                "mem=" + memory + "M",
                "rootfstype=hostfs",
                "rootflags=/",
                "ro",
                "quiet",
                "init=" + init,
                "con=null",
                "con0=null,fd:1",
                "umid=guest",
                "uml_dir=" + directory)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("console").toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    registers().ifPresent(library -> builder.environment().put("LD_PRELOAD", library.toString()));
    Process process = builder.start();
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException(
            "the guest did not end within " + limit.toSeconds() + " s: " + console());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the guest ran", e);
    } finally {
      // Every process of the guest is one of the machine.
      List<ProcessHandle> inside = process.descendants().toList();
      process.destroyForcibly();
      inside.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /// The library that lets the guest run on processors newer than it; none without a compiler,
  /// which older processors do not need.
  private Optional<Path> registers() throws IOException {
    if (CommandRunner.find("gcc").isEmpty()) {
      return Optional.empty();
    }
    Path source = directory.resolve("xstate.c");
    Path library = directory.resolve("xstate.so");
    Files.writeString(source, resource("xstate.c"));
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1))
            .run(
                "",
                List.of(
                    "gcc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString()));
    if (!result.succeeded()) {
      throw new IllegalStateException("xstate.c does not compile: " + result.error());
    }
    return Optional.of(library);
  }

  private String console() throws IOException {
    Path output = directory.resolve("output");
    return Files.readString(directory.resolve("console"), StandardCharsets.ISO_8859_1)
        + (Files.exists(output) ? Files.readString(output) : "");
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private static String resource(String name) throws IOException {
    try (InputStream stream = UserModeLinux.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
