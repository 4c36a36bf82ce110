package io.fairlead.e2e.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.fairlead.e2e.FairleadCli;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// `fairlead up` as a process of its own, with its node, in a network namespace that is a machine
/// of its own to it. Everything a test does happens in there too.
final class NodeInstance implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(150);

  private final NetworkNamespace machine;
  private final Path home;
  private final List<String> flags;
  private Process process;

  /// @param flags of `up`, beyond the usual ones
  NodeInstance(Path home, String... flags) throws IOException {
    this.home = home;
    this.flags = List.of(flags);
    this.machine = NetworkNamespace.create("up-" + UUID.randomUUID().toString().substring(0, 8));
    // A machine has an address and somewhere to send what it does not know; here that is nowhere.
    CommandRunner.Result made =
        CommandRunner.here(PATIENCE)
            .run(
                """
                set -e
                ip -n %1$s link set lo up
                ip -n %1$s link add out type veth peer name nowhere
                ip -n %1$s addr add 192.0.2.1/24 dev out
                ip -n %1$s link set out up
                ip -n %1$s link set nowhere up
                ip -n %1$s route add default via 192.0.2.254
                """
                    .formatted(machine.name()),
                List.of("sh"));
    if (!made.succeeded()) {
      machine.delete();
      throw new IllegalStateException(made.error());
    }
    this.process = start();
  }

  private Process start() throws IOException {
    Path log = home.resolve("log");
    Files.deleteIfExists(log);
    List<String> line =
        new ArrayList<>(
            List.of(
                "nsenter",
                "--net=" + machine.path(),
                "--",
                FairleadCli.launcher(home).toString(),
                "up",
                "--foreground",
                "--data-dir=" + data(),
                "--kubeconfig=" + kubeconfig()));
    line.addAll(flags);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("HOME", home.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("KUBECONFIG");
    builder.environment().remove("SUDO_UID");
    Process started = builder.start();
    await("the node is ready")
        .atMost(PATIENCE)
        .until(() -> Files.readString(log, UTF_8).contains("Ready in ") || !started.isAlive());
    if (!started.isAlive()) {
      throw new IllegalStateException(Files.readString(log, UTF_8));
    }
    return started;
  }

  /// The network of the machine.
  NetworkNamespace network() {
    return machine;
  }

  Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  Path data() {
    return home.resolve("data");
  }

  /// Runs a program inside, to its end.
  CommandRunner.Result run(String input, List<String> command) {
    List<String> line = new ArrayList<>(List.of("env"));
    line.addAll(command);
    return CommandRunner.inside(machine, PATIENCE).run(input, line);
  }

  /// Calls Fairlead about this instance; standard error is joined to standard output.
  CommandRunner.Result fairlead(String verb, String... words) throws IOException {
    List<String> line =
        new ArrayList<>(
            List.of(
                "-u",
                "KUBECONFIG",
                "-u",
                "SUDO_UID",
                "HOME=" + home,
                "LC_ALL=C.UTF-8",
                "sh",
                "-c",
                "exec \"$@\" 2>&1",
                "sh",
                FairleadCli.launcher(home).toString(),
                verb,
                "--data-dir=" + data()));
    line.addAll(List.of(words));
    return run("", line);
  }

  /// Starts a program inside, with pipes to talk to it.
  Process begin(List<String> command) throws IOException {
    List<String> whole = new ArrayList<>(List.of("nsenter", "--net=" + machine.path(), "--"));
    whole.addAll(command);
    return new ProcessBuilder(whole).redirectErrorStream(true).start();
  }

  /// Ends the process in an orderly way and starts it again on the same data.
  void restart() throws IOException, InterruptedException {
    stop();
    process = start();
  }

  private void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      machine.delete();
    }
  }
}
