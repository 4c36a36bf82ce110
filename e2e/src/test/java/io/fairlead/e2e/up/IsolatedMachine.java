package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.FairleadCli;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;

/// A machine with a neighbour: two network namespaces and a cable. Fairlead is called on it as root
/// calls it, with a home of its own.
public final class IsolatedMachine implements AutoCloseable {
  static final String ADDRESS = "192.0.2.10";
  public static final Duration LIMIT = Duration.ofMinutes(3);

  private final NetworkNamespace node;
  private final NetworkNamespace neighbour;
  private final Path home;
  private final Path launcher;

  /// @param online whether it has a default route; a machine on no network has none
  public IsolatedMachine(Path home, boolean online) throws IOException {
    this.home = home;
    this.launcher = FairleadCli.launcher(home);
    String name = "flup" + UUID.randomUUID().toString().substring(0, 6);
    this.node = NetworkNamespace.create(name + "n");
    this.neighbour = NetworkNamespace.create(name + "c");
    String script =
        """
        set -e
        ip -n %1$s link set lo up
        ip link add eth0 netns %1$s type veth peer name eth0 netns %2$s
        ip -n %1$s addr add 192.0.2.10/24 dev eth0
        ip -n %2$s addr add 192.0.2.1/24 dev eth0
        for each in %1$s %2$s; do
          ip -n $each link set eth0 addrgenmode none
          ip -n $each link set eth0 up
        done
        if %3$s; then ip -n %1$s route add default via 192.0.2.1; fi
        """
            .formatted(node.name(), neighbour.name(), online);
    CommandRunner.Result made = CommandRunner.here(LIMIT).run(script, List.of("sh"));
    if (!made.succeeded()) {
      close();
      throw new IllegalStateException(made.error());
    }
  }

  /// The network of the machine.
  public NetworkNamespace network() {
    return node;
  }

  /// The program that calls Fairlead.
  public Path launcher() {
    return launcher;
  }

  Path data() {
    return home.resolve("data");
  }

  Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  /// Runs a program on the machine.
  CommandRunner.Result run(String input, String... command) {
    return CommandRunner.inside(node, LIMIT).run(input, List.of(command));
  }

  /// Does something of this process on the machine: a socket opened there stays there.
  <T> T inside(Callable<T> work) {
    return node.call(work);
  }

  /// What a program prints on the machine.
  String output(String... command) {
    return run("", command).output();
  }

  /// Runs a program on the neighbour.
  CommandRunner.Result neighbour(String... command) {
    return CommandRunner.inside(neighbour, LIMIT).run("", List.of(command));
  }

  /// What the neighbour gets.
  ///
  /// @param words for curl, the address among them
  String neighbourGets(String... words) {
    List<String> command = new ArrayList<>(List.of("curl", "-s", "--max-time", "20"));
    command.addAll(List.of(words));
    return neighbour(command.toArray(String[]::new)).output().strip();
  }

  /// Calls Fairlead; standard error is joined to standard output.
  CommandRunner.Result fairlead(String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                "-u",
                "KUBECONFIG",
                "-u",
                "SUDO_USER",
                "-u",
                "SUDO_UID",
                "HOME=" + home,
                "LC_ALL=C.UTF-8",
                "sh",
                "-c",
                "exec \"$@\" 2>&1",
                "sh",
                launcher.toString()));
    command.addAll(List.of(words));
    return run("", command.toArray(String[]::new));
  }

  CommandRunner.Result up(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of("up", "--data-dir=" + data(), "--kubeconfig=" + kubeconfig(), "--timeout=120"));
    words.addAll(List.of(more));
    return fairlead(words.toArray(String[]::new));
  }

  CommandRunner.Result kubectl(String input, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                kubectl().orElseThrow(),
                "--kubeconfig=" + kubeconfig(),
                "--cache-dir=" + home.resolve("cache")));
    command.addAll(List.of(words));
    return run(input, command.toArray(String[]::new));
  }

  static Optional<String> kubectl() {
    return Optional.ofNullable(System.getenv("FAIRLEAD_TEST_KUBECTL"))
        .filter(text -> !text.isEmpty())
        .or(() -> CommandRunner.find("kubectl"));
  }

  /// What a user sees of the network of the machine.
  String state() {
    return output("nft", "list", "ruleset")
        + output("ip", "-o", "address")
        + output("ip", "-4", "route", "show", "table", "all")
        + output("ip", "-6", "route", "show", "table", "main")
        + output("sysctl", "net.ipv4.ip_forward", "net.ipv4.conf.all.route_localnet");
  }

  static void must(CommandRunner.Result result) {
    assertThat(result.exit()).as(result.output() + result.error()).isZero();
  }

  /// Takes the machine away, and with it what still runs on it.
  @Override
  public void close() {
    CommandRunner.Result left =
        CommandRunner.here(LIMIT).run("", List.of("ip", "netns", "pids", node.name()));
    left.output()
        .lines()
        .map(line -> ProcessHandle.of(Long.parseLong(line.strip())))
        .forEach(process -> process.ifPresent(ProcessHandle::destroyForcibly));
    neighbour.delete();
    node.delete();
  }
}
