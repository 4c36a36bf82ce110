package io.fairlead.bench.dns;

import io.fairlead.bench.api.Processes;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A server that is measured, on core 1.
record DnsServerUnderTest(String name, Process process, int port) {
  private static final List<String> CORE = List.of("taskset", "-c", "1");

  /// @param verified whether it follows pods as well
  static DnsServerUnderTest fairlead(
      Path home, Path directory, int api, String file, boolean verified) throws IOException {
    int port = Processes.freePort();
    Path corefile =
        Files.writeString(
            directory.resolve("Corefile-" + file),
            """
            .:%d {
              kubernetes cluster.local {
                endpoint http://127.0.0.1:%d
                pods %s
                ttl 5
              }
            }
            """
                .formatted(port, api, verified ? "verified" : "insecure"));
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

  /// The original with the same names, `coredns`, or with its cache before them, `coredns-cache`.
  static DnsServerUnderTest coredns(Path program, Path directory, int api, boolean cache)
      throws IOException {
    int port = Processes.freePort();
    String name = cache ? "coredns-cache" : "coredns";
    Path corefile =
        Files.writeString(
            directory.resolve("Corefile-" + name),
            """
            .:%d {
              kubernetes cluster.local {
                endpoint http://127.0.0.1:%d
                ttl 5
              }
              %s
            }
            """
                .formatted(port, api, cache ? "cache 30" : ""));
    return start(
        name,
        port,
        directory,
        List.of("env", "GOMAXPROCS=1", program.toString(), "-conf", corefile.toString(), "-quiet"));
  }

  static DnsServerUnderTest ceiling(Path directory) throws IOException {
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
            "io.fairlead.bench.dns.UdpEchoServer",
            Integer.toString(port)));
  }

  static DnsServerUnderTest start(String name, int port, Path directory, List<String> command)
      throws IOException {
    List<String> pinned = new ArrayList<>(CORE);
    pinned.addAll(command);
    return new DnsServerUnderTest(
        name, Processes.start(directory.resolve(name + ".log"), pinned), port);
  }

  static boolean installed(String program) {
    for (String path : (System.getenv("PATH") + ":/usr/sbin").split(":")) {
      if (Files.isExecutable(Path.of(path, program))) {
        return true;
      }
    }
    return false;
  }

  double peakMegabytes() {
    return Processes.peakBytes(process.pid()) / 1e6;
  }

  double residentMegabytes() {
    return Processes.residentBytes(process.pid()) / 1e6;
  }

  static byte[] query(String name) {
    return DnsMessage.query(1, Question.of(name, RecordType.A), Header.RD, null).write(512);
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
