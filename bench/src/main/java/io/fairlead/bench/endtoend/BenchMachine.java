package io.fairlead.bench.endtoend;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A machine with a client beside it: two network namespaces and a cable. The benchmark itself runs
/// on the machine, in a process of its own, so that all it opens is opened there.
public final class BenchMachine implements AutoCloseable {
  private static final String PROPERTY = "fairlead.bench.client";
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final NetworkNamespace node;
  private final NetworkNamespace client;

  private BenchMachine(String prefix) {
    node = NetworkNamespace.create(prefix + "n");
    client = NetworkNamespace.create(prefix + "c");
    String script =
        """
        set -e
        for each in %1$s %2$s; do ip -n $each link set lo up; done
        ip netns exec %1$s sysctl -q -w net.ipv4.icmp_ratelimit=0
        ip link add eth0 netns %1$s type veth peer name eth0 netns %2$s
        ip -n %1$s addr add 192.0.2.10/24 dev eth0
        ip -n %2$s addr add 192.0.2.1/24 dev eth0
        for each in %1$s %2$s; do ip -n $each link set eth0 up; done
        ip -n %1$s route add default via 192.0.2.1
        ip -n %2$s route add default via 192.0.2.10
        """
            .formatted(node.name(), client.name());
    CommandRunner.Result result = CommandRunner.here(LIMIT).run(script, List.of("sh"));
    if (!result.succeeded()) {
      close();
      throw new IllegalStateException("cannot build the machine: " + result.error());
    }
  }

  /// The namespace of the client, for a benchmark that runs on a machine; empty before.
  public static Optional<NetworkNamespace> client() {
    return Optional.ofNullable(System.getProperty(PROPERTY)).map(NetworkNamespace::new);
  }

  /// Runs a benchmark on a machine made for it, and takes the machine away, also when interrupted.
  ///
  /// @return the exit status of the benchmark
  public static int run(Class<?> benchmark, List<String> words)
      throws IOException, InterruptedException {
    BenchMachine machine = new BenchMachine("flw" + ProcessHandle.current().pid());
    Process process = machine.start(benchmark, words);
    Thread hook =
        Tasks.atExit(
            "clean-up",
            () -> {
              process.destroy();
              process.onExit().join();
              machine.close();
            });
    int exit = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(hook);
    machine.close();
    return exit;
  }

  private Process start(Class<?> benchmark, List<String> words) throws IOException {
    List<String> command = new ArrayList<>(List.of("nsenter", "--net=" + node.path(), "--"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-D" + PROPERTY + "=" + client.name());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), benchmark.getName()));
    command.addAll(words);
    return new ProcessBuilder(command).inheritIO().start();
  }

  @Override
  public void close() {
    CommandRunner.here(LIMIT)
        .run("", List.of("ip", "netns", "pids", node.name()))
        .output()
        .lines()
        .map(line -> ProcessHandle.of(Long.parseLong(line.strip())))
        .forEach(process -> process.ifPresent(ProcessHandle::destroyForcibly));
    client.delete();
    node.delete();
  }
}
