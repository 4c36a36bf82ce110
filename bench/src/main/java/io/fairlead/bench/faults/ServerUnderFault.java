package io.fairlead.bench.faults;

import io.fairlead.bench.api.ApiServerLauncher;
import io.fairlead.bench.api.ApiServerUnderTest;
import io.fairlead.bench.api.Processes;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.HttpTransport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An API server of its own process on an empty directory.
final class ServerUnderFault implements AutoCloseable {
  private final Path directory;
  private final ApiServerUnderTest server;

  /// @param before what its command begins with, such as `env NAME=VALUE`; none for nothing
  ServerUnderFault(String... before) throws Exception {
    directory = Files.createTempDirectory("fairlead-fault");
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    server = new ApiServerLauncher(home).startFairlead(directory, List.of(before));
  }

  int port() {
    return server.port();
  }

  double residentMegabytes() {
    return server.residentMegabytes();
  }

  boolean isAlive() {
    return server.processes().stream().allMatch(Process::isAlive);
  }

  /// A client of its own with all rights.
  Client client(int port) {
    return new Client(
        new HttpTransport(
            ClientConfig.of(
                URI.create("https://127.0.0.1:" + port),
                new Trust.Anyone(),
                new ClientIdentity.Token(server.token())),
            "fairlead-bench"));
  }

  @Override
  public void close() throws IOException {
    server.close();
    Processes.delete(directory);
  }
}
