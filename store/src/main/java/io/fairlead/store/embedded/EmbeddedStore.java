package io.fairlead.store.embedded;

import io.fairlead.store.CommitResult;
import io.fairlead.store.CommitValidation;
import io.fairlead.store.CompactedException;
import io.fairlead.store.FutureRevisionException;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.Store;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import io.fairlead.store.engine.Deadlines;
import io.fairlead.store.engine.WatchHub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A store in a directory of this machine, used by one process at a time.
///
/// How it works: the newest version of every key is in memory, in key order, so that reads of the
/// present cost no I/O. Every change is appended to a history table in SQLite; a single
/// [CommitWriter] loop makes groups of commits durable and then publishes them to the watches. The
/// past is read from the history table until compaction forgets it. Every row carries a checksum
/// and a summary row proves that none is missing, so damage is named instead of served.
public final class EmbeddedStore implements Store {
  private static final int WATCH_QUEUE = 8192;

  private final Components components;
  private final KeyIndex index;
  private final WatchHub hub;
  private final CommitWriter writer;
  private final RevisionReader past;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// Everything that was opened, in the order of closing.
  record Components(
      Path directory,
      Database database,
      DirectoryLock lock,
      WriteTransactions tables,
      ReadConnectionPool readers,
      Checkpointer checkpointer,
      AcknowledgedRevision acknowledged) {}

  EmbeddedStore(
      Components components,
      KeyIndex index,
      Deadlines deadlines,
      StateRow state,
      LongSupplier nanoClock) {
    this.components = components;
    this.index = index;
    this.past =
        new RevisionReader(
            components.database().file(), components.readers(), this::compactedRevision);
    this.hub = new WatchHub(past, state.revision(), WATCH_QUEUE);
    this.writer =
        new CommitWriter(
            new CommitWriter.Dependencies(
                components.database(),
                components.tables(),
                index,
                hub,
                components.acknowledged(),
                components.checkpointer(),
                deadlines,
                nanoClock),
            state);
    writer.start();
  }

  /// Opens the store in that directory, making it when there is none.
  ///
  /// @throws StoreException when another process uses it, when the disk refuses, or when the files
  ///   are damaged; the message says what to do
  public static EmbeddedStore open(Path directory) {
    return open(directory, System::nanoTime);
  }

  /// Opens the store with times to live measured on that monotonic clock.
  public static EmbeddedStore open(Path directory, LongSupplier nanoClock) {
    return new StoreOpener(directory).open(nanoClock);
  }

  @Override
  public long revision() {
    checkOpen();
    return index.revision();
  }

  @Override
  public long compactedRevision() {
    return writer.compacted();
  }

  @Override
  public @Nullable StoreEntry get(String key) {
    checkOpen();
    KeyVersion version = index.get(key);
    return version == null ? null : version.entry();
  }

  @Override
  public RangeResult range(Range range) {
    checkOpen();
    KeyIndex.Snapshot now = index.snapshot(range);
    long asked = range.revision() == 0 ? now.revision() : range.revision();
    if (asked > now.revision()) {
      throw new FutureRevisionException(asked, now.revision());
    }
    if (asked < compactedRevision()) {
      throw new CompactedException(asked, compactedRevision());
    }
    for (KeyVersion version : now.versions()) {
      if (version.modRevision() > asked) {
        return past.page(
            now.versions(), new Range(range.prefix(), range.after(), range.limit(), asked));
      }
    }
    return present(now.versions(), range.limit(), asked);
  }

  private static RangeResult present(List<KeyVersion> versions, int limit, long revision) {
    List<StoreEntry> entries = new ArrayList<>();
    long remaining = 0;
    for (KeyVersion version : versions) {
      StoreEntry entry = version.entry();
      if (entry == null) {
        continue;
      }
      if (limit > 0 && entries.size() == limit) {
        remaining++;
      } else {
        entries.add(entry);
      }
    }
    return new RangeResult(List.copyOf(entries), remaining, revision);
  }

  @Override
  public CommitResult commit(List<Write> writes) {
    CommitValidation.check(writes);
    if (writes.size() > HistoryRow.CHANGES_PER_COMMIT) {
      throw new IllegalArgumentException(
          "a commit has at most "
              + HistoryRow.CHANGES_PER_COMMIT
              + " writes, not "
              + writes.size());
    }
    return writer.commit(List.copyOf(writes));
  }

  @Override
  public Watch watch(String prefix, long afterRevision, WatchListener listener) {
    checkOpen();
    if (afterRevision < compactedRevision()) {
      throw new CompactedException(afterRevision, compactedRevision());
    }
    return hub.subscribe(prefix, afterRevision, listener);
  }

  /// Returns when the mark is durable: reads below it fail from then on. The history itself is
  /// deleted afterwards, beside other work; see [#status()].
  @Override
  public void compact(long revision) {
    long now = revision();
    if (revision > now) {
      throw new FutureRevisionException(revision, now);
    }
    writer.compact(revision);
  }

  /// How the store is doing.
  public EmbeddedStatus status() {
    StoreException trouble = writer.trouble();
    return new EmbeddedStatus(
        index.revision(),
        writer.compacted(),
        writer.cleaned(),
        index.size(),
        sizeOf(components.database().file()),
        sizeOf(Path.of(components.database().file() + "-wal")),
        trouble == null ? null : trouble.getMessage());
  }

  /// Copies the store as it is at one moment into a new file, while readers and writers go on.
  ///
  /// @throws StoreException when the file exists or cannot be written
  public void backup(Path target) {
    checkOpen();
    components.readers().use(reader -> Backup.write(reader.connection(), target));
  }

  /// Lets keys whose time has passed on a clock of the caller be noticed now.
  void wake() {
    writer.wake();
  }

  private static long sizeOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException _) {
      return 0;
    }
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new StoreException("the store is closed", null);
    }
  }

  /// Writes what is queued, ends the watches and releases the directory.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    writer.close();
    hub.close();
    StoreOpener.close(components);
  }
}
