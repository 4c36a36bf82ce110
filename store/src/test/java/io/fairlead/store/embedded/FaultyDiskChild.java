package io.fairlead.store.embedded;

import io.fairlead.store.CommitResult;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Range;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.WatchListener;
import io.fairlead.store.Write;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A process on a bad disk: it commits key after key, each named after the revision it should get,
/// and tells what came of it, while another thread reads and a watch listens.
///
/// Says `committed REVISION` or `refused WHY` for each commit, and at the end the number of `keys`,
/// of changes `watched`, and the `slowest commit` and `slowest read` in milliseconds.
public final class FaultyDiskChild {
  private static final int COMMITS = 60;
  private static volatile boolean done;

  private FaultyDiskChild() {}

  public static void main(String[] args) throws InterruptedException {
    AtomicLong slowestRead = new AtomicLong();
    AtomicLong watched = new AtomicLong();
    AtomicLong progress = new AtomicLong();
    WatchListener listener =
        new WatchListener() {
          @Override
          public void onChanges(List<KeyChange> changes) {
            watched.addAndGet(changes.size());
          }

          @Override
          public void onProgress(long revision) {
            progress.set(revision);
          }

          @Override
          public void onEnd(StoreException cause) {
            System.out.println("ended " + cause.getMessage());
          }
        };
    try (EmbeddedStore store = EmbeddedStore.open(Path.of(args[0]));
        Watch watch = store.watch("/", 1, listener)) {
      Thread reader = Thread.ofPlatform().start(() -> read(store, slowestRead));
      long slowestCommit = 0;
      for (int i = 0; i < COMMITS; i++) {
        long begin = System.nanoTime();
        commit(store);
        slowestCommit = Math.max(slowestCommit, System.nanoTime() - begin);
      }
      done = true;
      reader.join();
      watch.requestProgress();
      while (progress.get() < store.revision()) {
        LockSupport.parkNanos(1_000_000);
      }
      System.out.println("keys " + store.range(Range.all("/")).entries().size());
      System.out.println("watched " + watched);
      System.out.println("slowest commit " + slowestCommit / 1_000_000);
      System.out.println("slowest read " + slowestRead.get() / 1_000_000);
    }
  }

  private static void commit(EmbeddedStore store) {
    String key = "/k" + (store.revision() + 1);
    try {
      CommitResult outcome =
          store.commit(List.of(new Write.Put(key, new byte[5000], Write.ABSENT)));
      System.out.println("committed " + ((CommitResult.Committed) outcome).revision());
    } catch (StoreException e) {
      System.out.println("refused " + e.getMessage());
    }
  }

  /// Reads the present and, from the disk, the past.
  private static void read(EmbeddedStore store, AtomicLong slowest) {
    while (!done) {
      long begin = System.nanoTime();
      store.range(Range.all("/"));
      store.range(new Range("/", "", 0, Math.max(1, store.revision() - 3)));
      slowest.accumulateAndGet(System.nanoTime() - begin, Math::max);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
