package io.fairlead.bench.dns;

import io.fairlead.bench.api.Processes;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Message;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server that is measured, on core 1.
record Contestant(String name, Process process, int port) {
  private static final List<String> CORE = List.of("taskset", "-c", "1");

  static Contestant fairlead(Path home, Path directory, int api, String file) throws IOException {
    int port = Processes.freePort();
    Path corefile =
        Files.writeString(
            directory.resolve("Corefile-" + file),
            """
            .:%d {
              kubernetes cluster.local {
                endpoint http://127.0.0.1:%d
                ttl 5
              }
            }
            """
                .formatted(port, api));
    return start(
        "fairlead",
        port,
        directory,
        List.of(
            home.resolve("fairlead").toString(),
            "dns-server",
            "-conf",
            corefile.toString(),
            "-quiet"));
  }

  static Contestant ceiling(Path directory) throws IOException {
    int port = Processes.freePort();
    return start(
        "ceiling",
        port,
        directory,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            "io.fairlead.bench.dns.Ceiling",
            Integer.toString(port)));
  }

  static Contestant nsd(Path directory, int services) throws IOException {
    int port = Processes.freePort();
    StringBuilder zone =
        new StringBuilder(
            """
            $ORIGIN cluster.local.
            $TTL 5
            @ SOA ns.dns hostmaster 1 7200 1800 86400 5
            @ NS ns.dns
            ns.dns A 10.96.0.10
            """);
    for (int i = 0; i < services; i++) {
      zone.append(Population.name(i)).append(". A ").append(Population.address(i)).append('\n');
    }
    Files.writeString(directory.resolve("zone"), zone);
    Path configuration =
        Files.writeString(
            directory.resolve("nsd.conf"),
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
                .formatted(port, directory, directory, directory, directory));
    return start("nsd", port, directory, List.of("nsd", "-d", "-c", configuration.toString()));
  }

  private static Contestant start(String name, int port, Path directory, List<String> command)
      throws IOException {
    List<String> pinned = new ArrayList<>(CORE);
    pinned.addAll(command);
    return new Contestant(name, Processes.start(directory.resolve(name + ".log"), pinned), port);
  }

  double residentMegabytes() {
    return Processes.residentBytes(process.pid()) / 1e6;
  }

  static byte[] query(String name) {
    return Message.query(1, Question.of(name, RecordType.A), Header.RD, null).write(512);
  }

  /// What a program prints; it must end well.
  static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + said);
    }
    return said;
  }
}
