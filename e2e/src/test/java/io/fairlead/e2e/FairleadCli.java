package io.fairlead.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Calls Fairlead as a user does, with a home, a data directory and a port of its own: nothing of
/// the machine's real user is touched. It runs the classes under test, not the build behind
/// `./fairlead`.
public final class FairleadCli implements AutoCloseable {
  /// What a command said and how it ended.
  record Result(int exit, String out) {}

  private final Path home;
  private final int port;
  private final Path launcher;

  FairleadCli(Path home) throws IOException {
    this.home = home;
    this.port = freePort();
    this.launcher = launcher(home);
  }

  /// A script that starts the classes under test as `./fairlead` does, from [QuickBuild#shared].
  public static Path launcher(Path home) throws IOException {
    Path script = Files.createDirectories(home.resolve("bin")).resolve("fairlead");
    // A shell reads its script while it runs: another of this home must not change under it.
    Path made = Files.createTempFile(home, "fairlead", "");
    QuickBuild.shared().launcher(made);
    return Files.move(made, script, StandardCopyOption.ATOMIC_MOVE);
  }

  Path data() {
    return home.resolve("data");
  }

  Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  int port() {
    return port;
  }

  Result up(String... more) throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of("up", "--api-port=" + port, "--kubeconfig=" + kubeconfig(), dataDir()));
    words.addAll(List.of(more));
    return fairlead(words.toArray(String[]::new));
  }

  Result down(String... more) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("down", dataDir()));
    words.addAll(List.of(more));
    return fairlead(words.toArray(String[]::new));
  }

  Result status(String... more) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("status", dataDir()));
    words.addAll(List.of(more));
    return fairlead(words.toArray(String[]::new));
  }

  private String dataDir() {
    return "--data-dir=" + data();
  }

  Result fairlead(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(words));
    return run(home, Map.of("HOME", home.toString()), command);
  }

  /// Runs any command with standard error joined to standard output.
  static Result run(Path directory, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    // A node would change the network of the machine the tests run on.
    builder.environment().put("FAIRLEAD_AGENT", "off");
    builder.environment().remove("KUBECONFIG");
    builder.environment().remove("SUDO_UID");
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException("still running after three minutes: " + command);
    }
    return new Result(process.exitValue(), said);
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      down("--purge");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
