package io.fairlead.proxy.bgp;

import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A node at 192.168.77.11 and a router at 192.168.77.1, each a network namespace, with a cable
/// between. The router is a BIRD that wants the password `right`.
final class BirdNetwork implements AutoCloseable {
  private static final Pattern ROUTE = Pattern.compile("(?m)^(\\S+/\\d+)\\s.*\\[node ");

  final NetworkNamespace node;
  final NetworkNamespace router;
  private final Path directory;
  private final List<Process> processes = new ArrayList<>();

  BirdNetwork(Path directory) throws IOException {
    this.directory = directory;
    String prefix = "flbg" + ProcessHandle.current().pid();
    this.node = NetworkNamespace.create(prefix + "n");
    this.router = NetworkNamespace.create(prefix + "r");
    CommandRunner.Result built =
        CommandRunner.here(Duration.ofMinutes(1))
            .run(
                """
                set -e
                ip link add eth0 netns %1$s type veth peer name eth0 netns %2$s
                ip -n %1$s addr add 192.168.77.11/24 dev eth0
                ip -n %2$s addr add 192.168.77.1/24 dev eth0
                for one in %1$s %2$s; do ip -n $one link set lo up; ip -n $one link set eth0 up; done
                """
                    .formatted(node.name(), router.name()),
                List.of("sh"));
    if (!built.succeeded()) {
      throw new IOException(built.error());
    }
    Files.writeString(
        directory.resolve("router.conf"),
        """
        log "router.log" all;
        router id 192.168.77.1;
        protocol device { }
        protocol bfd { interface "*" { interval 100 ms; multiplier 3; }; }
        protocol bgp node {
          local as 64512; neighbor 192.168.77.11 as 65000; bfd on; passive on; password "right";
          error wait time 1, 2;
          ipv4 { import all; export none; };
        }
        """);
    start(router, "router");
  }

  /// Starts a BIRD with the configuration `NAME.conf`.
  void start(NetworkNamespace where, String name) throws IOException {
    processes.add(
        new ProcessBuilder(
                "nsenter",
                "--net=" + where.path(),
                "--",
                "/usr/sbin/bird",
                "-f",
                "-c",
                name + ".conf",
                "-s",
                name + ".ctl",
                "-P",
                name + ".pid")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".out").toFile())
            .start());
  }

  /// What the router has of the node.
  SortedSet<Cidr> heard() {
    String routes =
        CommandRunner.here(Duration.ofMinutes(1))
            .run(
                "",
                List.of("birdc", "-s", directory.resolve("router.ctl").toString(), "show", "route"))
            .output();
    SortedSet<Cidr> all = new TreeSet<>();
    Matcher matcher = ROUTE.matcher(routes);
    while (matcher.find()) {
      all.add(Cidr.parse(matcher.group(1)));
    }
    return all;
  }

  @Override
  public void close() {
    for (Process process : processes) {
      process.destroy();
      process.onExit().join();
    }
    node.delete();
    router.delete();
  }
}
