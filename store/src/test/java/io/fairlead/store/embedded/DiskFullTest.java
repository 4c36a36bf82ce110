package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.store.CommitResult;
import io.fairlead.store.Range;
import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Fills a real, small file system.
@Tag("system")
class DiskFullTest {
  @TempDir Path base;

  @Test
  void aFullDiskRefusesWritesAndNothingElseAndRecoversByItself() throws Exception {
    // Loads SQLite's library from a directory outside the mount, which it would keep busy.
    EmbeddedStore.open(base.resolve("elsewhere")).close();
    Path mount = Files.createDirectory(base.resolve("small"));
    Assumptions.assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", mount.toString()),
        "cannot mount a tmpfs: this test needs root");
    try {
      fill(mount);
      assertThat(openFiles(mount)).as("files still open after closing").isEmpty();
    } finally {
      run("umount", "--lazy", mount.toString());
    }
  }

  private static List<String> openFiles(Path mount) throws IOException {
    List<String> open = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : files.toList()) {
        if (Files.isSymbolicLink(file) && Files.exists(file)) {
          String target = Files.readSymbolicLink(file).toString();
          if (target.startsWith(mount.toString())) {
            open.add(target);
          }
        }
      }
    }
    return open;
  }

  private static void fill(Path mount) throws IOException {
    Path ballast = mount.resolve("ballast");
    Files.write(ballast, new byte[2 << 20]);
    Path directory = mount.resolve("store");
    byte[] value = new byte[10_000];
    long acknowledged = 0;
    RecordingWatchListener seen = new RecordingWatchListener();
    try (EmbeddedStore store = EmbeddedStore.open(directory);
        Watch watch = store.watch("/", 1, seen)) {
      StoreException refused = null;
      for (int i = 0; refused == null && i < 2000; i++) {
        try {
          acknowledged = put(store, "/k" + i, value);
        } catch (StoreException e) {
          refused = e;
        }
      }
      assertThat(Objects.requireNonNull(refused))
          .hasMessageContaining("is full")
          .hasMessageContaining(mount.toString());
      assertThat(store.revision()).as("reads go on").isEqualTo(acknowledged);
      int keys = store.range(Range.all("/k")).entries().size();
      assertThat(keys).isEqualTo(acknowledged - 1);
      watch.requestProgress();
      seen.awaitProgress(acknowledged);
      assertThat(seen.changes()).as("watches go on").hasSize(keys);
      assertThat(store.status().trouble()).contains("is full");
      assertThatThrownBy(() -> put(store, "/more", value)).hasMessageContaining("is full");

      Files.delete(ballast);
      assertThat(put(store, "/again", value)).as("recovers").isEqualTo(acknowledged + 1);
      assertThat(store.status().trouble()).isNull();
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      assertThat(store.revision()).isEqualTo(acknowledged + 1);
      assertThat(store.get("/again")).isNotNull();
    }
    assertThat(StoreFiles.check(directory)).isEmpty();
  }

  private static long put(EmbeddedStore store, String key, byte[] value) {
    return ((CommitResult.Committed) store.commit(List.of(new Write.Put(key, value, Write.ANY))))
        .revision();
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
  }
}
