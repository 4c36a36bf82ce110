package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.KeyChange;
import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.Watch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// One directory that is written, killed and looked at in turn.
///
/// Most children are killed after a few commits, some while they still start. After most kills the
/// files are opened and compared here, after the others the next child finds them as they are: so
/// the reading of a killed process's log is itself cut short by a kill now and then.
final class KillLane {
  private static final int WRITERS = 4;
  private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  private final ChildCommand command;
  private final Path directory;
  private final Random random;
  private final long[] counts = new long[WRITERS];

  /// The newest revision that any child has acknowledged.
  private long newest = 1;

  /// The newest revision that was found when the files were last opened here.
  private long verified = 1;

  private int acknowledged;
  private int early;

  KillLane(ChildCommand command, Path directory, Random random) {
    this.command = command;
    this.directory = directory;
    this.random = random;
  }

  KillLane run(int kills) throws Exception {
    for (int i = 1; i <= kills; i++) {
      killOne("kill " + i);
      if (i == kills || random.nextInt(4) > 0) {
        verify("kill " + i);
      }
    }
    return this;
  }

  int acknowledged() {
    return acknowledged;
  }

  int killedBeforeTheFirstCommit() {
    return early;
  }

  private void killOne(String when) throws IOException, InterruptedException {
    long compactTo = Math.max(0, verified - random.nextInt(200));
    boolean whileStarting = random.nextInt(5) == 0;
    int until = whileStarting ? 0 : 1 + random.nextInt(120);
    Process child = command.start(directory, compactTo, WRITERS);
    Set<Long> revisions = new HashSet<>();
    long before = newest;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII))) {
      for (int n = 0; ; n++) {
        if (n == until) {
          LockSupport.parkNanos(random.nextLong(whileStarting ? START_NANOS : 2_000_000));
          child.toHandle().destroyForcibly(); // unlike the process's own method, keeps the pipe
        }
        String line = lines.readLine();
        if (line == null) {
          assertThat(n).as(when + ": lines of the child").isGreaterThanOrEqualTo(until);
          early += n == 0 ? 1 : 0;
          child.waitFor();
          return;
        }
        long revision = note(line);
        if (revision > 0) {
          assertThat(revision).as(when + ": revisions rise").isGreaterThan(before);
          assertThat(revisions.add(revision)).as(when + ": revision %d once", revision).isTrue();
        }
      }
    } finally {
      child.destroyForcibly();
    }
  }

  /// Takes down what a child says it was acknowledged.
  ///
  /// @return the revision, 0 when the line was cut by the kill
  private long note(String line) {
    String[] parts = line.split(" ");
    if (parts.length < 3 || parts[2].isEmpty()) {
      return 0;
    }
    int writer = Integer.parseInt(parts[0]);
    counts[writer] = Math.max(counts[writer], Long.parseLong(parts[1]));
    acknowledged++;
    long revision = Long.parseLong(parts[2]);
    newest = Math.max(newest, revision);
    return revision;
  }

  private void verify(String when) {
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
      RecordingWatchListener seen = new RecordingWatchListener();
      try (Watch watch = store.watch("/", verified, seen)) {
        watch.requestProgress();
        seen.awaitProgress(revision);
      }
      assertThat(seen.changes().stream().map(KeyChange::revision).distinct().toList())
          .as(when + ": every revision once")
          .hasSize((int) (revision - verified))
          .isSorted();
      verified = revision;
      newest = revision;
    }
  }

  private static byte[] valueOf(EmbeddedStore store, String key) {
    var entry = store.get(key);
    return entry == null ? new byte[0] : entry.value();
  }
}
