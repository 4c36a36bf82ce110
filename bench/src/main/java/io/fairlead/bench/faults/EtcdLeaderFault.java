package io.fairlead.bench.faults;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.store.CommitResult;
import io.fairlead.store.KeyChange;
import io.fairlead.store.Range;
import io.fairlead.store.RangeResult;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Watch;
import io.fairlead.store.Write;
import io.fairlead.store.etcd.EtcdOptions;
import io.fairlead.store.etcd.EtcdStore;
import io.fairlead.work.Tasks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// F5: the leader of three etcds is killed, or cut off from the others both ways or one way, again
/// and again, while clients read and write through the store. All they were told must be explained
/// by one order; a minority acknowledges nothing; writes go on soon.
final class EtcdLeaderFault implements FaultScenario {
  private static final int CLIENTS = 12;
  private static final int KEYS = 8;
  private static final int TRIES = 3;
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

  private final StoreHistory history = new StoreHistory();
  private final AtomicLong values = new AtomicLong();
  // When the latest acknowledged write had begun.
  private final AtomicLong begun = new AtomicLong();
  private int tries;
  private int minority;
  private volatile boolean done;

  @Override
  public void run(Size size, FaultReport report) throws Exception {
    report.must(
        CommandRunner.find("etcd").isPresent(),
        "etcd is not installed; apt-get install etcd-server");
    tries = size.smoke() ? 0 : TRIES;
    try (EtcdCluster cluster = new EtcdCluster()) {
      await("a leader", () -> cluster.leader(-1) >= 0);
      List<Long> elections = new ArrayList<>();
      List<Long> gaps = new ArrayList<>();
      ChangeCollector seen = new ChangeCollector();
      try (EtcdStore store = EtcdStore.open(EtcdOptions.of(cluster.endpoints()));
          Watch watch = store.watch("/f/", 0, seen)) {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          int number = i;
          clients.add(Tasks.start("bench-client", () -> client(store, number)));
        }
        for (int round = 0; round < size.count(); round++) {
          round(cluster, round, elections, gaps);
        }
        done = true;
        for (Thread client : clients) {
          client.join();
        }
        long last = store.revision();
        watch.requestProgress();
        await("the watch", () -> seen.reached() >= last);
        history.check(changes(seen));
      }
      report.figure("rounds", size.count());
      report.figure("operations", history.size());
      report.figure("minority_refused", minority);
      report.times("new_leader", elections);
      report.times("writes_again", gaps);
      long late = elections.stream().filter(each -> each > SOON_NANOS).count();
      report.figure("new_leader_later_than_2_s", late);
    }
  }

  private void round(EtcdCluster cluster, int round, List<Long> elections, List<Long> gaps)
      throws Exception {
    await("a leader", () -> cluster.leader(-1) >= 0);
    int leader = cluster.leader(-1);
    if (leader < 0) {
      return;
    }
    int kind = round % (EtcdCluster.Cut.values().length + 1);
    if (kind == 0) {
      cluster.kill(leader);
    } else {
      cluster.cut(leader, EtcdCluster.Cut.values()[kind - 1]);
    }
    long start = System.nanoTime();
    await("another leader", () -> cluster.leader(leader) >= 0);
    elections.add(System.nanoTime() - start);
    gaps.add(awaitWrite(start));
    if (kind == 0) {
      cluster.restart(leader);
    } else {
      // Each such try takes as long as the store waits for an answer.
      if (EtcdCluster.Cut.values()[kind - 1] == EtcdCluster.Cut.BOTH_WAYS && minority < tries) {
        writeToMinority(cluster, leader);
      }
      cluster.mend(leader);
    }
    for (int member = 0; member < EtcdCluster.MEMBERS; member++) {
      int each = member;
      await("member " + each, () -> cluster.isHealthy(each));
    }
  }

  private long awaitWrite(long start) throws Exception {
    await("writes after a fault", () -> begun.get() > start);
    return System.nanoTime() - start;
  }

  /// The member is alone: it may not say yes.
  private void writeToMinority(EtcdCluster cluster, int member) throws FaultException {
    long value = values.incrementAndGet();
    String key = "/f/minority";
    long start = System.nanoTime();
    try (EtcdStore alone = EtcdStore.open(EtcdOptions.of(List.of(cluster.endpoint(member))))) {
      CommitResult result = alone.commit(List.of(new Write.Put(key, bytes(value), Write.ANY)));
      throw new FaultException("a member without a majority acknowledged a write: " + result);
    } catch (StoreException _) {
      history.unknown(start, key, value);
      minority++;
    }
  }

  private void client(EtcdStore store, int number) {
    for (long step = number; !done; step++) {
      String key = "/f/" + step % KEYS;
      long value = values.incrementAndGet();
      boolean write = step % 3 == 0;
      long start = System.nanoTime();
      try {
        if (write) {
          CommitResult result = store.commit(List.of(new Write.Put(key, bytes(value), Write.ANY)));
          if (result instanceof CommitResult.Committed(long revision)) {
            history.wrote(start, System.nanoTime(), key, value, revision);
            begun.accumulateAndGet(start, Math::max);
          }
        } else {
          RangeResult result = store.range(Range.all(key));
          long seen = result.entries().isEmpty() ? 0 : value(result.entries().getFirst());
          history.read(start, System.nanoTime(), key, seen, result.revision());
        }
      } catch (StoreException _) {
        if (write) {
          history.unknown(start, key, value);
        }
        LockSupport.parkNanos(PAUSE);
      }
    }
  }

  /// The store's own history, as a watch has seen it through all faults.
  private static List<StoreHistory.Change> changes(ChangeCollector collector) {
    List<StoreHistory.Change> changes = new ArrayList<>();
    for (KeyChange change : collector.changes()) {
      StoreEntry current = change.current();
      if (current != null) {
        changes.add(new StoreHistory.Change(change.revision(), change.key(), value(current)));
      }
    }
    return changes;
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static long value(StoreEntry entry) {
    return ByteBuffer.wrap(entry.value()).getLong();
  }

  private static void await(String what, BooleanSupplier holds) throws FaultException {
    long until = System.nanoTime() + LIMIT_NANOS;
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > until) {
        throw new FaultException("waited a minute for " + what);
      }
      LockSupport.parkNanos(PAUSE);
    }
  }
}
