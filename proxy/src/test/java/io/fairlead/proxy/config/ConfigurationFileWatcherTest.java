package io.fairlead.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.work.Pacer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFileWatcherTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final Semaphore looks = new Semaphore(0);
  private final AtomicInteger changes = new AtomicInteger();

  private void look() {
    looks.release();
    await().atMost(LIMIT).until(() -> looks.availablePermits() == 0 && looks.hasQueuedThreads());
  }

  @Test
  void onlyAnotherContentIsAChange() throws Exception {
    Path one = Files.writeString(directory.resolve("one"), "mode: iptables\n");
    Path two = Files.writeString(directory.resolve("two"), "mode: nftables\n");
    Path file = Files.createSymbolicLink(directory.resolve("config"), one);
    Pacer pacer = _ -> looks.acquire();
    try (ConfigurationFileWatcher watched =
        ConfigurationFileWatcher.watch(file, pacer, changes::incrementAndGet)) {
      assertThat(watched).isNotNull();
      look();
      Files.writeString(one, "mode: iptables\n");
      look();
      Files.delete(file);
      look();
      assertThat(changes).hasValue(0);
      Files.createSymbolicLink(file, two);
      looks.release();
      await().atMost(LIMIT).until(() -> changes.get() == 1);
    }
  }

  @Test
  void aComparisonThatThrowsIsFollowedByOthers() throws Exception {
    Path file = Files.writeString(directory.resolve("config"), "mode: iptables\n");
    AtomicInteger pauses = new AtomicInteger();
    Pacer pacer =
        _ -> {
          if (pauses.incrementAndGet() == 1) {
            throw new IllegalStateException("injected");
          }
          looks.acquire();
        };
    try (ConfigurationFileWatcher _ =
        ConfigurationFileWatcher.watch(file, pacer, changes::incrementAndGet)) {
      Files.writeString(file, "mode: nftables\n");
      looks.release();
      await().atMost(LIMIT).until(() -> changes.get() == 1);
    }
  }
}
