package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.Change;
import io.fairlead.store.Recorder;
import io.fairlead.store.Watch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.sqlite.JDBC;

/// Kills a writing process again and again: nothing acknowledged is lost, revisions never go back
/// or repeat, and a watch resumes without gap.
@Tag("slow")
class KillTest {
  private static final int KILLS = Integer.getInteger("fairlead.kills", 200);
  private static final int LANES = 2;
  private static final int WRITERS = 4;

  /// Only what the child needs: it starts faster than with all that a test has.
  private static final String CLASS_PATH =
      Stream.of(KilledChild.class, EmbeddedStore.class, JDBC.class, Logger.class)
          .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
          .collect(Collectors.joining(":"));

  @TempDir Path base;

  @Test
  void nothingAcknowledgedIsLostHoweverOftenTheProcessIsKilled() throws Exception {
    long seed = Long.getLong("fairlead.seed", 20261115L);
    try (ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
      List<Future<Integer>> results = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        Path directory = base.resolve("lane" + lane);
        Random random = new Random(seed + lane);
        Callable<Integer> run = () -> new Lane(directory, random).run(KILLS / LANES);
        results.add(lanes.submit(run));
      }
      int acknowledged = 0;
      for (Future<Integer> result : results) {
        acknowledged += result.get();
      }
      assertThat(acknowledged).as("commits acknowledged, seed " + seed).isGreaterThan(KILLS);
    }
  }

  /// One directory that is written, killed and looked at in turn.
  private static final class Lane {
    private final Path directory;
    private final Random random;
    private final long[] counts = new long[WRITERS];
    private long verified = 1;
    private int acknowledged;

    Lane(Path directory, Random random) {
      this.directory = directory;
      this.random = random;
    }

    int run(int kills) throws Exception {
      for (int i = 0; i < kills; i++) {
        long newest = killOne();
        verify(newest, "kill " + i);
      }
      return acknowledged;
    }

    /// Starts a child, kills it at a random moment after its first commits.
    ///
    /// @return the newest revision it acknowledged
    private long killOne() throws IOException, InterruptedException {
      long compactTo = Math.max(0, verified - random.nextInt(200));
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xshare:auto",
                  "-Xmx64m",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  CLASS_PATH,
                  KilledChild.class.getName(),
                  directory.toString(),
                  Long.toString(compactTo),
                  Integer.toString(WRITERS))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      long newest = verified;
      int until = 1 + random.nextInt(120);
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII))) {
        for (int n = 0; ; n++) {
          if (n == until) {
            LockSupport.parkNanos(random.nextInt(2_000_000));
            child.toHandle().destroyForcibly(); // unlike the process's own method, keeps the pipe
          }
          String line = lines.readLine();
          if (line == null) {
            assertThat(n).as("the child wrote before it was killed").isGreaterThanOrEqualTo(until);
            child.waitFor();
            return newest;
          }
          newest = Math.max(newest, note(line));
        }
      } finally {
        child.destroyForcibly();
      }
    }

    /// A line may be cut by the kill; only whole ones count.
    private long note(String line) {
      String[] parts = line.split(" ");
      if (parts.length < 3 || parts[2].isEmpty()) {
        return 0;
      }
      int writer = Integer.parseInt(parts[0]);
      counts[writer] = Math.max(counts[writer], Long.parseLong(parts[1]));
      acknowledged++;
      return Long.parseLong(parts[2]);
    }

    private void verify(long newest, String when) throws IOException {
      try (EmbeddedStore store = EmbeddedStore.open(directory)) {
        long revision = store.revision();
        assertThat(revision).as(when).isGreaterThanOrEqualTo(Math.max(newest, verified));
        for (int writer = 0; writer < WRITERS; writer++) {
          long count = KilledChild.count(store, writer);
          assertThat(count).as(when + ", writer " + writer).isGreaterThanOrEqualTo(counts[writer]);
          byte[] left = valueOf(store, "/left/" + writer);
          assertThat(valueOf(store, "/right/" + writer)).as(when + ": whole").isEqualTo(left);
          counts[writer] = count;
        }
        Recorder seen = new Recorder();
        try (Watch watch = store.watch("/", verified, seen)) {
          watch.requestProgress();
          seen.awaitProgress(revision);
        }
        assertThat(seen.changes().stream().map(Change::revision).distinct().toList())
            .as(when + ": every revision once")
            .hasSize((int) (revision - verified))
            .isSorted();
        verified = revision;
      }
      assertThat(Files.exists(directory.resolve("lock"))).isTrue();
    }

    private static byte[] valueOf(EmbeddedStore store, String key) {
      var entry = store.get(key);
      return entry == null ? new byte[0] : entry.value();
    }
  }
}
