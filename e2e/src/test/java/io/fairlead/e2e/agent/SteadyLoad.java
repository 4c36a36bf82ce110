package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Asks through a Service again and again, and counts.
final class SteadyLoad implements AutoCloseable {
  private final Path home;
  private final Process process;

  /// @param home where it counts
  /// @param place from where it asks
  SteadyLoad(Path home, NetworkNamespace place, String service) throws IOException {
    this.home = home;
    this.process =
        new ProcessBuilder(
                "nsenter",
                "--net=" + place.path(),
                "--",
                "sh",
                "-c",
                """
                until [ -e stop ]; do
                  if curl -sf --max-time 30 http://%s/cgi-bin/who > answer
                  then echo >> good; else echo "$?" >> bad; fi
                  sleep 0.02
                done
                """
                    .formatted(service))
            .directory(home.toFile())
            .start();
  }

  private long good() throws IOException {
    Path file = home.resolve("good");
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /// Waits for some more answers.
  void goOn() throws IOException {
    long before = good();
    await().atMost(PATIENCE).until(() -> good() > before + 20);
    assertThat(home.resolve("bad")).doesNotExist();
  }

  @Override
  public void close() throws IOException {
    Files.createFile(home.resolve("stop"));
    try {
      process.waitFor();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
