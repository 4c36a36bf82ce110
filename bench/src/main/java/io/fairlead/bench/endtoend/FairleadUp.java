package io.fairlead.bench.endtoend;

import io.fairlead.api.json.Json;
import io.fairlead.bench.api.Processes;
import io.fairlead.client.Client;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// `fairlead up` with all its parts, on the machine this process runs on, with a data directory of
/// its own. Closing it takes everything away.
public final class FairleadUp implements ClusterUnderTest {
  private final Path fairlead;
  private final Path directory;
  private final Client client;
  private final AtomicBoolean closed = new AtomicBoolean();

  private FairleadUp(Path fairlead, Path directory, Client client) {
    this.fairlead = fairlead;
    this.directory = directory;
    this.client = client;
  }

  /// Starts it and waits until it is ready.
  ///
  /// @param flags more flags for `up`
  public static FairleadUp up(List<String> flags) throws IOException, InterruptedException {
    Path fairlead =
        Path.of(System.getProperty("fairlead.home", ".")).resolve("fairlead").toAbsolutePath();
    Path directory = Files.createTempDirectory("fairlead-bench-whole");
    Path kubeconfig = directory.resolve("kubeconfig");
    List<String> words =
        new ArrayList<>(
            List.of("up", "--kubeconfig=" + kubeconfig, "--timeout=120", data(directory)));
    words.addAll(flags);
    int exit = call(fairlead, directory, words);
    if (exit != 0) {
      String said = Files.readString(directory.resolve("said"));
      call(fairlead, directory, List.of("down", "--purge", data(directory)));
      Processes.delete(directory);
      throw new IllegalStateException("up ended with " + exit + ": " + said);
    }
    Client client =
        new Client(new HttpTransport(Kubeconfig.read(kubeconfig).connection(), "fairlead-bench"));
    FairleadUp everything = new FairleadUp(fairlead, directory, client);
    // Also when the user interrupts it.
    Tasks.atExit("clean-up", everything::close);
    return everything;
  }

  private static String data(Path directory) {
    return "--data-dir=" + directory.resolve("data");
  }

  private static int call(Path fairlead, Path directory, List<String> words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(fairlead.toString()));
    command.addAll(words);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("said").toFile()))
        .start()
        .waitFor();
  }

  @Override
  public Client client() {
    return client;
  }

  /// How commands reach it.
  public Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  /// The one process of it.
  public long process() throws IOException {
    byte[] record = Files.readAllBytes(directory.resolve("data/instance.json"));
    return Json.parseObject(record).path("pid").asLong(0);
  }

  @Override
  public double residentMegabytes() throws IOException {
    return Processes.residentBytes(process()) / 1e6;
  }

  /// Stops it and removes its files. Idempotent.
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    client.close();
    try {
      call(fairlead, directory, List.of("down", "--purge", data(directory)));
      Processes.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
