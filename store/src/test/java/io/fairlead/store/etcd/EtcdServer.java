package io.fairlead.store.etcd;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/// A real etcd on free loopback ports with its data in a directory, stopped by its process handle.
final class EtcdServer implements AutoCloseable {
  private final Path directory;
  private final int clientPort;
  private final int peerPort;
  private final @Nullable Certificates certificates;
  private Process process;

  private EtcdServer(Path directory, @Nullable Certificates certificates) throws IOException {
    this.directory = directory;
    this.certificates = certificates;
    this.clientPort = freePort();
    this.peerPort = freePort();
    this.process = launch();
    awaitReady();
  }

  /// Starts etcd, or skips the test with a message when it is not installed.
  static EtcdServer start(Path directory) throws IOException {
    return start(directory, null);
  }

  /// Starts etcd; with certificates it speaks TLS only and asks clients for theirs.
  static EtcdServer start(Path directory, @Nullable Certificates certificates) throws IOException {
    boolean installed =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "etcd")));
    Assumptions.assumeTrue(
        installed, "etcd is not installed: `apt-get install etcd-server` makes this test run");
    return new EtcdServer(directory, certificates);
  }

  String endpoint() {
    return (certificates == null ? "http" : "https") + "://127.0.0.1:" + clientPort;
  }

  EtcdStore open() {
    return EtcdStore.open(options());
  }

  /// What a client needs that is let in.
  EtcdOptions options() {
    return certificates == null
        ? EtcdOptions.of(List.of(endpoint()))
        : new EtcdOptions(
            List.of(URI.create(endpoint())),
            certificates.authority(),
            certificates.client(),
            certificates.clientKey());
  }

  /// Ends etcd as a power cut of its process would.
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }

  /// Starts it again on the same ports and data.
  void restart() throws IOException {
    process = launch();
    awaitReady();
  }

  private Process launch() throws IOException {
    String peer = "http://127.0.0.1:" + peerPort;
    List<String> command =
        new ArrayList<>(
            List.of(
                "etcd",
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + endpoint(),
                "--advertise-client-urls=" + endpoint(),
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                "--logger=zap",
                "--log-level=error"));
    if (certificates != null) {
      command.add("--cert-file=" + certificates.server());
      command.add("--key-file=" + certificates.serverKey());
      command.add("--trusted-ca-file=" + certificates.authority());
      command.add("--client-cert-auth");
    }
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("etcd.log").toFile())
        .start();
  }

  private void awaitReady() {
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(
            () -> {
              try (EtcdStore store = open()) {
                return store.revision() > 0;
              }
            });
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
