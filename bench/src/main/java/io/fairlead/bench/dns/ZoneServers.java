package io.fairlead.bench.dns;

import io.fairlead.bench.api.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The name servers of Debian's packages, each with the names of the population as a zone and one
/// worker.
final class ZoneServers {
  private final Path directory;

  private ZoneServers(Path directory) {
    this.directory = directory;
  }

  /// Starts those that are installed and says which are not.
  static List<DnsServerUnderTest> start(Path directory, int services) throws IOException {
    ZoneServers servers = new ZoneServers(directory);
    servers.zone(services);
    List<DnsServerUnderTest> started = new ArrayList<>();
    for (String program : List.of("nsd", "knotd", "unbound", "named")) {
      if (DnsServerUnderTest.installed(program)) {
        started.add(servers.start(program));
      } else {
        System.err.println(program + " takes no part: not installed");
      }
    }
    return started;
  }

  private DnsServerUnderTest start(String program) throws IOException {
    int port = Processes.freePort();
    return switch (program) {
      case "nsd" -> DnsServerUnderTest.start("nsd", port, directory, nsd(port));
      case "knotd" -> DnsServerUnderTest.start("knot", port, directory, knot(port));
      case "unbound" -> DnsServerUnderTest.start("unbound", port, directory, unbound(port));
      case "named" -> DnsServerUnderTest.start("bind", port, directory, bind(port));
      default -> throw new IllegalArgumentException(program);
    };
  }

  private void zone(int services) throws IOException {
    StringBuilder zone =
        new StringBuilder(
            """
            $ORIGIN cluster.local.
            $TTL 5
            @ SOA ns.dns hostmaster 1 7200 1800 86400 5
            @ NS ns.dns
            ns.dns A 10.96.0.10
            """);
    StringBuilder local = new StringBuilder("server:\n  local-zone: \"cluster.local.\" static\n");
    for (int i = 0; i < services; i++) {
      String record = Population.name(i) + ". 5 IN A " + Population.address(i);
      zone.append(record).append('\n');
      local.append("  local-data: \"").append(record).append("\"\n");
    }
    Files.writeString(directory.resolve("zone"), zone);
    Files.writeString(directory.resolve("local"), local);
  }

  private String configuration(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private List<String> nsd(int port) throws IOException {
    String text =
        """
        server:
          ip-address: 127.0.0.1@%d
          server-count: 1
          username: ""
          zonesdir: "%s"
          database: ""
          pidfile: "%s/nsd.pid"
          xfrdfile: "%s/xfrd"
          zonelistfile: "%s/zones"
          rrl-ratelimit: 0
        remote-control:
          control-enable: no
        zone:
          name: cluster.local
          zonefile: zone
        """
            .formatted(port, directory, directory, directory, directory);
    return List.of("nsd", "-d", "-c", configuration("nsd.conf", text));
  }

  private List<String> knot(int port) throws IOException {
    String text =
        """
        server:
          rundir: "%s"
          listen: 127.0.0.1@%d
          udp-workers: 1
          tcp-workers: 1
          background-workers: 1
        log:
          - target: stderr
            any: warning
        database:
          storage: "%s/knot"
        zone:
          - domain: cluster.local
            file: "%s/zone"
            zonefile-sync: -1
            journal-content: none
        """
            .formatted(directory, port, directory, directory);
    Files.createDirectories(directory.resolve("knot"));
    return List.of("knotd", "-c", configuration("knot.conf", text));
  }

  private List<String> unbound(int port) throws IOException {
    String text =
        """
        server:
          interface: 127.0.0.1
          port: %d
          num-threads: 1
          do-daemonize: no
          use-syslog: no
          chroot: ""
          username: ""
          directory: "%s"
          pidfile: "%s/unbound.pid"
          access-control: 127.0.0.0/8 allow
        remote-control:
          control-enable: no
        include: "%s/local"
        """
            .formatted(port, directory, directory, directory);
    return List.of("unbound", "-d", "-c", configuration("unbound.conf", text));
  }

  private List<String> bind(int port) throws IOException {
    String text =
        """
        options {
          directory "%s";
          listen-on port %d { 127.0.0.1; };
          listen-on-v6 { none; };
          pid-file "%s/named.pid";
          session-keyfile "%s/session.key";
          recursion no;
        };
        controls { };
        zone "cluster.local" { type master; file "zone"; };
        """
            .formatted(directory, port, directory, directory);
    return List.of("named", "-g", "-n", "1", "-c", configuration("named.conf", text));
  }
}
