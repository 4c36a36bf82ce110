package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.CommitResult;
import io.fairlead.store.Range;
import io.fairlead.store.RecordingWatchListener;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.Write;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/// Cuts and flips the files of a recorded run: the store opens with exactly what was acknowledged,
/// or names the damage; it never serves anything else.
@Tag("slow")
class StoreCorruptionTest {
  private static final int CUTS = Integer.getInteger("fairlead.cuts", 10_000);
  private static final int FLIPS = Integer.getInteger("fairlead.flips", 1000);
  private static final int COMMITS = 80;

  @TempDir(factory = InMemory.class)
  Path base;

  private final Random random = new Random(Long.getLong("fairlead.seed", 20261115L));
  private byte[] database = {};
  private byte[] log = {};
  private byte[] noted = {};

  /// The log's length when revision `i` was acknowledged.
  private final List<Long> lengths = new ArrayList<>();

  /// The whole content at each revision, as text.
  private final List<String> contents = new ArrayList<>();

  private List<String> history = List.of();

  /// What is damaged are bytes: files in memory do as well as files on a disk, without the syncs.
  static final class InMemory implements TempDirFactory {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(
        AnnotatedElementContext elementContext, ExtensionContext extensionContext)
        throws IOException {
      return Files.isWritable(SHARED_MEMORY)
          ? Files.createTempDirectory(SHARED_MEMORY, "fairlead-damage")
          : Files.createTempDirectory("fairlead-damage");
    }
  }

  @BeforeEach
  void record() throws IOException {
    Logger.getLogger("io.fairlead.store").setLevel(Level.OFF);
    Path directory = base.resolve("recorded");
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      Path wal = directory.resolve("store.db-wal");
      lengths.addAll(List.of(0L, Files.size(wal)));
      contents.addAll(List.of("", content(store, 0)));
      for (int i = 0; i < COMMITS; i++) {
        commitOne(store, i);
        lengths.add(Files.size(wal));
        contents.add(content(store, 0));
      }
      history = replay(store);
      database = Files.readAllBytes(directory.resolve("store.db"));
      log = Files.readAllBytes(wal);
      noted = Files.readAllBytes(directory.resolve("acknowledged"));
    }
  }

  private void commitOne(EmbeddedStore store, int i) {
    List<Write> writes = new ArrayList<>();
    String value = i + " " + "v".repeat(random.nextInt(3000));
    writes.add(new Write.Put("/k" + i % 17, value.getBytes(StandardCharsets.US_ASCII), Write.ANY));
    writes.add(
        i % 5 == 4
            ? new Write.Delete("/k" + (i - 1) % 17, Write.ANY)
            : new Write.Put("/n" + i, value.getBytes(StandardCharsets.US_ASCII), Write.ANY));
    assertThat(store.commit(writes)).isInstanceOf(CommitResult.Committed.class);
  }

  @Test
  void aLogCutByAPowerFailureGivesExactlyTheAcknowledgedPrefix() throws IOException {
    for (int i = 0; i < CUTS; i++) {
      int cut = cutPoint(i, CUTS, log.length);
      byte[] left = Arrays.copyOf(log, cut);
      Path directory = lay("cut", database, left, null);
      int expected = 1; // before the tables themselves were durable: an empty store
      while (expected + 1 < lengths.size() && lengths.get(expected + 1) <= cut) {
        expected++;
      }
      // A commit's own bytes may end before the length noted after it, when housekeeping wrote
      // meanwhile; they never begin before the length noted after the commit before it.
      int most = expected;
      while (most + 1 < lengths.size() && lengths.get(most) < cut) {
        most++;
      }
      try (EmbeddedStore store = EmbeddedStore.open(directory)) {
        int revision = Math.toIntExact(store.revision());
        assertThat(revision).as("log cut at " + cut).isBetween(expected, most);
        assertThat(content(store, 0)).as("log cut at " + cut).isEqualTo(contents.get(revision));
      }
    }
  }

  @Test
  void aLogThatLostAcknowledgedCommitsIsNamed() throws IOException {
    for (int i = 0; i < CUTS / 20; i++) {
      int cut = cutPoint(i, CUTS / 20, log.length - 1);
      Path directory = lay("lost", database, Arrays.copyOf(log, cut), noted);
      assertThat(outcome(directory)).as("log cut at " + cut).contains("damaged");
    }
  }

  @Test
  void aCutDatabaseFileIsNamedOrWhole() throws IOException {
    byte[] whole = closedDatabase();
    for (int i = 0; i < CUTS / 10; i++) {
      int cut = cutPoint(i, CUTS / 10, whole.length - 1);
      Path directory = lay("file", Arrays.copyOf(whole, cut), null, noted);
      assertThat(outcome(directory)).as("file cut at " + cut).contains("damaged");
    }
  }

  @Test
  void aFlippedBitIsFoundOrHarmlessButNeverServed() throws IOException {
    byte[] whole = closedDatabase();
    int found = 0;
    for (int i = 0; i < FLIPS; i++) {
      boolean inLog = i % 2 == 0;
      byte[] flipped = (inLog ? log : whole).clone();
      int at = random.nextInt(flipped.length);
      flipped[at] ^= (byte) (1 << random.nextInt(8));
      Path directory =
          inLog ? lay("flip", database, flipped, noted) : lay("flip", flipped, null, noted);
      String outcome = outcome(directory);
      if (!outcome.isEmpty()) {
        assertThat(outcome).as("bit flipped at " + at).contains("damaged");
        found++;
      }
    }
    assertThat(found).as("most places matter").isGreaterThan(FLIPS / 2);
  }

  /// Opens and reads everything. Empty when all is as it was recorded, else the first error;
  /// anything served that was not recorded fails the test.
  private String outcome(Path directory) {
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      assertThat(content(store, 0)).isEqualTo(contents.getLast());
      StringBuilder errors = new StringBuilder();
      for (int revision : new int[] {2, COMMITS / 2, COMMITS}) {
        try {
          assertThat(content(store, revision)).isEqualTo(contents.get(revision));
        } catch (StoreException e) {
          errors.append(e.getMessage());
        }
      }
      try {
        assertThat(replay(store)).isEqualTo(history);
      } catch (StoreException e) {
        errors.append(e.getMessage());
      }
      return errors.toString();
    } catch (StoreException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private byte[] closedDatabase() throws IOException {
    Path directory = lay("closed", database, log, noted);
    EmbeddedStore.open(directory).close();
    assertThat(directory.resolve("store.db-wal")).doesNotExist();
    return Files.readAllBytes(directory.resolve("store.db"));
  }

  private Path lay(String name, byte[] file, byte @Nullable [] wal, byte @Nullable [] note)
      throws IOException {
    Path directory = Files.createDirectories(base.resolve(name));
    Files.deleteIfExists(directory.resolve("store.db-shm"));
    Files.write(directory.resolve("store.db"), file);
    write(directory.resolve("store.db-wal"), wal);
    write(directory.resolve("acknowledged"), note);
    return directory;
  }

  private static void write(Path path, byte @Nullable [] bytes) throws IOException {
    if (bytes == null) {
      Files.deleteIfExists(path);
    } else {
      Files.write(path, bytes);
    }
  }

  /// Spread evenly, each moved by chance, so that frames are cut at every kind of place.
  private int cutPoint(int i, int of, int length) {
    int step = Math.max(1, length / of);
    return Math.min(length, (int) ((long) i * length / of) + random.nextInt(step));
  }

  private static String content(EmbeddedStore store, long revision) {
    StringBuilder text = new StringBuilder();
    for (StoreEntry entry : store.range(new Range("/", "", 0, revision)).entries()) {
      text.append(entry).append(' ').append(RecordingWatchListener.text(entry)).append('\n');
    }
    return text.toString();
  }

  private static List<String> replay(EmbeddedStore store) {
    RecordingWatchListener seen = new RecordingWatchListener();
    try (Watch watch = store.watch("/", 1, seen)) {
      watch.requestProgress();
      seen.awaitProgressOrEnd(store.revision());
    }
    StoreException end = seen.end;
    if (end != null) {
      throw end;
    }
    return seen.seen();
  }
}
