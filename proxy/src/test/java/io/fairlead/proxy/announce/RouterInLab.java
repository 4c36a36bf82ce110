package io.fairlead.proxy.announce;

import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The other side: a BIRD as the router of the lab, on the client's machine, which spreads over all
/// next hops that it hears of. It sends the nodes a route, too.
final class RouterInLab implements AutoCloseable {
  private static final Pattern NEXT_HOP = Pattern.compile("via (\\S+)");

  private final AnnouncerLab lab;
  private final Path directory;
  private final Process process;

  /// @param passwordOfB what the session with node b is signed with; that with a is not signed
  RouterInLab(AnnouncerLab lab, Path directory, String passwordOfB) throws IOException {
    this.lab = lab;
    this.directory = directory;
    write(passwordOfB);
    NetworkNamespace where = lab.namespace("client");
    this.process =
        new ProcessBuilder(
                List.of(
                    "nsenter",
                    "--net=" + where.path(),
                    "--",
                    "/usr/sbin/bird",
                    "-f",
                    "-c",
                    "router.conf",
                    "-s",
                    "router.ctl",
                    "-P",
                    "router.pid"))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("router.out").toFile())
            .start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(directory.resolve("router.ctl")));
  }

  private void write(String passwordOfB) throws IOException {
    StringBuilder text =
        new StringBuilder(
            """
            log "router.log" all;
            router id 192.168.77.14;
            protocol device { scan time 1; }
            protocol bfd { interface "*" { interval 100 ms; multiplier 3; }; }
            protocol static offered { ipv4; route 203.0.113.0/24 blackhole; }
            protocol kernel { merge paths yes; ipv4 { export where source = RTS_BGP; }; }
            protocol kernel { merge paths yes; ipv6 { export where source = RTS_BGP; }; }
            """);
    for (String node : List.of("a", "b")) {
      text.append(
          """
          protocol bgp node_%1$s {
            local as 64512; neighbor 192.168.77.%2$d as 65000; bfd on; passive on; %3$s
            error wait time 1, 2;
            ipv4 { import all; export where proto = "offered"; };
            ipv6 { import all; export none; };
          }
          """
              .formatted(
                  node,
                  node.equals("a") ? 11 : 12,
                  node.equals("b") ? "password \"" + passwordOfB + "\";" : ""));
    }
    Files.writeString(directory.resolve("router.conf"), text);
  }

  /// Signs the session with node b otherwise from now on.
  void passwordOfB(String password) throws IOException {
    write(password);
    command("configure");
  }

  String command(String... words) {
    List<String> line = new java.util.ArrayList<>(List.of("birdc", "-s"));
    line.add(directory.resolve("router.ctl").toString());
    line.addAll(List.of(words));
    return lab.run("client", line.toArray(String[]::new)).output();
  }

  /// The addresses that the kernel of the router sends packets for a network to.
  Set<String> nextHops(String network) {
    String family = network.contains(":") ? "-6" : "-4";
    String routes = lab.run("client", "ip", family, "route", "show", network).output();
    Set<String> hops = new TreeSet<>();
    Matcher matcher = NEXT_HOP.matcher(routes);
    while (matcher.find()) {
      hops.add(matcher.group(1));
    }
    return hops;
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
