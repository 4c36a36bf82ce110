package io.fairlead.store.embedded;

import io.fairlead.store.CompactedException;
import io.fairlead.store.Entry;
import io.fairlead.store.FutureRevisionException;
import io.fairlead.store.Keys;
import io.fairlead.store.Outcome;
import io.fairlead.store.Page;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import io.fairlead.store.expiry.Deadlines;
import io.fairlead.store.watch.WatchHub;
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
/// present cost no I/O. Every change is appended to a history table in SQLite; a single [Writer]
/// thread makes groups of commits durable and then tells the watches. The past is read from the
/// history table until compaction forgets it. Every row carries a checksum and a summary row proves
/// that none is missing, so damage is named instead of served.
public final class EmbeddedStore implements Store {
  private static final int WATCH_QUEUE = 8192;

  private final Parts parts;
  private final Index index;
  private final WatchHub hub;
  private final Writer writer;
  private final PastReader past;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// Everything that was opened, in the order of closing.
  record Parts(
      Path directory,
      Database database,
      DirectoryLock lock,
      Tables tables,
      Readers readers,
      Checkpointer checkpointer,
      Acknowledged acknowledged) {}

  EmbeddedStore(
      Parts parts, Index index, Deadlines deadlines, State state, LongSupplier nanoClock) {
    this.parts = parts;
    this.index = index;
    this.past = new PastReader(parts.database().file(), parts.readers(), this::compactedRevision);
    this.hub = new WatchHub(past, state.revision(), WATCH_QUEUE);
    this.writer =
        new Writer(
            new Writer.Parts(
                parts.database(),
                parts.tables(),
                index,
                hub,
                parts.acknowledged(),
                parts.checkpointer(),
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
    return new Opening(directory).open(nanoClock);
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
  public @Nullable Entry get(String key) {
    checkOpen();
    Version version = index.get(key);
    return version == null ? null : version.entry();
  }

  @Override
  public Page range(Range range) {
    checkOpen();
    Index.Snapshot now = index.snapshot(range);
    long asked = range.revision() == 0 ? now.revision() : range.revision();
    if (asked > now.revision()) {
      throw new FutureRevisionException(asked, now.revision());
    }
    if (asked < compactedRevision()) {
      throw new CompactedException(asked, compactedRevision());
    }
    for (Version version : now.versions()) {
      if (version.modRevision() > asked) {
        return past.page(
            now.versions(), new Range(range.prefix(), range.after(), range.limit(), asked));
      }
    }
    return present(now.versions(), range.limit(), asked);
  }

  private static Page present(List<Version> versions, int limit, long revision) {
    List<Entry> entries = new ArrayList<>();
    long remaining = 0;
    for (Version version : versions) {
      Entry entry = version.entry();
      if (entry == null) {
        continue;
      }
      if (limit > 0 && entries.size() == limit) {
        remaining++;
      } else {
        entries.add(entry);
      }
    }
    return new Page(List.copyOf(entries), remaining, revision);
  }

  @Override
  public Outcome commit(List<Write> writes) {
    Keys.check(writes);
    if (writes.size() > Row.CHANGES_PER_COMMIT) {
      throw new IllegalArgumentException(
          "a commit has at most " + Row.CHANGES_PER_COMMIT + " writes, not " + writes.size());
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
        sizeOf(parts.database().file()),
        sizeOf(Path.of(parts.database().file() + "-wal")),
        trouble == null ? null : trouble.getMessage());
  }

  /// Copies the store as it is at one moment into a new file, while others go on reading and
  /// writing.
  ///
  /// @throws StoreException when the file exists or cannot be written
  public void backup(Path target) {
    checkOpen();
    parts.readers().use(reader -> Backup.write(reader.connection(), target));
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
    Opening.close(parts);
  }
}
