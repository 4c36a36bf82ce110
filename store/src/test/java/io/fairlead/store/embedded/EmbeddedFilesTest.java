package io.fairlead.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.CommitResult;
import io.fairlead.store.CompactedException;
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
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.JDBC;

/// What the embedded engine does with its directory.
class EmbeddedFilesTest {
  @TempDir Path base;

  @Test
  void everythingIsThereAfterReopening() {
    Path directory = base.resolve("store");
    long gone;
    long last;
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      put(store, "/a", "1");
      put(store, "/b", "1");
      put(store, "/a", "2");
      gone = committed(store, new Write.Delete("/b", Write.ANY));
      last = put(store, "/c", "1");
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      assertThat(store.revision()).isEqualTo(last);
      assertThat(store.range(Range.all("/")).entries())
          .extracting(StoreEntry::key)
          .containsExactly("/a", "/c");
      assertThat(store.range(new Range("/", "", 0, gone - 1)).entries())
          .extracting(StoreEntry::key)
          .containsExactly("/a", "/b");
      RecordingWatchListener seen = new RecordingWatchListener();
      try (Watch _ = store.watch("/", 1, seen)) {
        assertThat(put(store, "/d", "1")).isEqualTo(last + 1);
        seen.awaitChanges(6);
        assertThat(seen.seen())
            .containsExactly(
                "put /a 1",
                "put /b 1",
                "put /a 2 (was 1)",
                "delete /b (was 1)",
                "put /c 1",
                "put /d 1");
      }
    }
  }

  @Test
  void deletedKeysStayDeletedWhenTheirHistoryIsForgotten() {
    Path directory = base.resolve("store");
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      put(store, "/a", "1");
      put(store, "/b", "1");
      store.compact(committed(store, new Write.Delete("/a", Write.ANY)));
      put(store, "/b", "2");
      store.compact(committed(store, new Write.Delete("/b", Write.ANY)));
      put(store, "/c", "1");
      long compacted = store.compactedRevision();
      await().atMost(Duration.ofSeconds(30)).until(() -> store.status().cleaned() >= compacted);
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      assertThat(store.range(Range.all("/")).entries())
          .extracting(StoreEntry::key)
          .containsExactly("/c");
    }
    List<String> dumped = new ArrayList<>();
    StoreFiles.dump(directory, entry -> dumped.add(entry.key()));
    assertThat(dumped).containsExactly("/c");
  }

  @Test
  void aStoreOfTheFirstFormatIsBroughtUpToDate() throws Exception {
    Path directory = base.resolve("store");
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      put(store, "/a", "1");
      put(store, "/a", "2");
    }
    String file = "jdbc:sqlite:" + directory.resolve("store.db");
    try (Connection connection = JDBC.createConnection(file, new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE current(key TEXT PRIMARY KEY, id INTEGER NOT NULL)");
      statement.execute("INSERT INTO current SELECT key, max(id) FROM history GROUP BY key");
      statement.execute("PRAGMA user_version=1");
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      assertThat(store.range(Range.all("/")).entries()).hasSize(1);
      put(store, "/a", "3");
    }
    assertThat(StoreFiles.check(directory)).isEmpty();
    try (Connection connection = JDBC.createConnection(file, new Properties());
        Statement statement = connection.createStatement()) {
      assertThat(Database.number(statement, "PRAGMA user_version")).isEqualTo(Database.FORMAT);
      assertThat(
              Database.number(statement, "SELECT count(*) FROM sqlite_schema WHERE name='current'"))
          .isZero();
    }
  }

  @Test
  void aWatchFromZeroSeesAllThatEverWas() {
    try (EmbeddedStore store = EmbeddedStore.open(base.resolve("store"))) {
      RecordingWatchListener early = new RecordingWatchListener();
      RecordingWatchListener late = new RecordingWatchListener();
      try (Watch _ = store.watch("/", 0, early)) {
        put(store, "/a", "1");
        early.awaitChanges(1);
      }
      try (Watch _ = store.watch("/", 0, late)) {
        late.awaitChanges(1);
        assertThat(late.seen()).containsExactly("put /a 1").isEqualTo(early.seen());
      }
    }
  }

  @Test
  void compactionCleansTheDiskAndGivesSpaceBack() {
    Path directory = base.resolve("store");
    byte[] large = new byte[20_000];
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      long last = 0;
      for (int i = 0; i < 1500; i++) {
        last = committed(store, new Write.Put("/k" + i % 10, large, Write.ANY));
      }
      committed(store, new Write.Delete("/k3", Write.ANY));
      store.compact(store.revision());
      long compacted = store.compactedRevision();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> store.status().cleaned() >= compacted && store.status().keys() == 9);
      assertThat(compacted).isEqualTo(last + 1);
      // Pages are given back in steps, and reach the file with the next copies of the log.
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                for (int i = 0; i < 20; i++) {
                  committed(store, new Write.Put("/k0", large, Write.ANY));
                }
                store.compact(store.revision());
                return store.status().fileBytes() < 16_000_000;
              });
      assertThat(store.range(Range.all("/k")).entries()).hasSize(9);
      assertThat(store.status().trouble()).isNull();
    }
    assertThat(StoreFiles.check(directory)).isEmpty();
  }

  @Test
  void theLogStaysShortUnderWrites() {
    try (EmbeddedStore store = EmbeddedStore.open(base.resolve("store"))) {
      byte[] value = new byte[8_000];
      for (int i = 0; i < 400; i++) {
        List<Write> writes = new ArrayList<>();
        for (int k = 0; k < 10; k++) {
          writes.add(new Write.Put("/k" + i + "-" + k, value, Write.ANY));
        }
        store.commit(writes);
      }
      assertThat(store.status().fileBytes()).as("copied beside the writer").isPositive();
      assertThat(store.status().logBytes()).isLessThan(24_000_000);
    }
  }

  @Test
  void anotherProcessIsRefusedByName() {
    Path directory = base.resolve("store");
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      assertThatThrownBy(() -> EmbeddedStore.open(directory))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("in use by process " + ProcessHandle.current().pid());
      put(store, "/a", "1");
    }
    EmbeddedStore.open(directory).close();
  }

  @Test
  void aBackupTakenUnderWritesRestoresToOneMoment() throws Exception {
    Path directory = base.resolve("store");
    Path backup = base.resolve("backup.db");
    long last;
    try (EmbeddedStore store = EmbeddedStore.open(directory)) {
      Thread writer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 300; i++) {
                      committed(
                          store,
                          new Write.Put("/x", bytes("" + i), Write.ANY),
                          new Write.Put("/y", bytes("" + i), Write.ANY));
                    }
                  });
      await().atMost(Duration.ofMinutes(1)).until(() -> store.get("/x") != null);
      store.backup(backup);
      writer.join();
      last = store.revision();
      assertThatThrownBy(() -> store.backup(backup)).hasMessageContaining("exists");
    }
    Path restored = base.resolve("restored");
    long revision = StoreFiles.restore(backup, restored);
    assertThat(revision).isGreaterThan(last);
    try (EmbeddedStore store = EmbeddedStore.open(restored)) {
      String x = RecordingWatchListener.text(Objects.requireNonNull(store.get("/x")));
      assertThat(RecordingWatchListener.text(Objects.requireNonNull(store.get("/y")))).isEqualTo(x);
      assertThat(store.revision()).isEqualTo(revision);
      assertThatThrownBy(() -> store.watch("/", last, new RecordingWatchListener()))
          .isInstanceOf(CompactedException.class);
      assertThat(put(store, "/z", "1")).isEqualTo(revision + 1);
    }
    List<String> keys = new ArrayList<>();
    StoreFiles.dump(restored, entry -> keys.add(entry.key()));
    assertThat(keys).containsExactly("/x", "/y", "/z");
    assertThatThrownBy(() -> StoreFiles.restore(backup, restored))
        .hasMessageContaining("holds a store already");
  }

  @Test
  void timesToLiveGoOnAfterReopening() {
    Path directory = base.resolve("store");
    AtomicLong nanos = new AtomicLong();
    try (EmbeddedStore store = EmbeddedStore.open(directory, nanos::get)) {
      committed(store, new Write.Put("/event", new Write.Value(bytes("1")), Write.ANY, 60));
    }
    try (EmbeddedStore store = EmbeddedStore.open(directory, nanos::get)) {
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
      store.wake();
      put(store, "/other", "1");
      assertThat(store.get("/event")).isNotNull();
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
      store.wake();
      await().atMost(Duration.ofMinutes(1)).until(() -> store.get("/event") == null);
    }
  }

  @Test
  void nothingIsLeftInTheTemporaryDirectory() throws IOException {
    EmbeddedStore.open(base.resolve("store")).close();
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("sqlite-")))
          .isEmpty();
    }
  }

  @Test
  void aFileThatIsNoStoreIsNamed() throws IOException {
    Path directory = Files.createDirectory(base.resolve("store"));
    Files.writeString(directory.resolve("store.db"), "hello, I am a text file, not a database");
    assertThatThrownBy(() -> EmbeddedStore.open(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(directory.resolve("store.db").toString())
        .hasMessageContaining("is damaged")
        .hasMessageContaining("fairlead store restore");
    assertThat(StoreFiles.check(directory)).isNotEmpty();
    assertThatThrownBy(() -> StoreFiles.check(base)).hasMessageContaining("no store");
    assertThat(base.resolve("native")).doesNotExist();
  }

  private static long put(EmbeddedStore store, String key, String value) {
    return committed(store, new Write.Put(key, bytes(value), Write.ANY));
  }

  private static long committed(EmbeddedStore store, Write... writes) {
    return ((CommitResult.Committed) store.commit(List.of(writes))).revision();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
