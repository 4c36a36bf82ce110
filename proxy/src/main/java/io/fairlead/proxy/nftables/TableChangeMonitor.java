package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.LastWriter;
import io.fairlead.kernel.nftables.NftEvent;
import io.fairlead.kernel.nftables.NftMonitor;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.proxy.core.ForeignWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Notices what other programs do to the tables of a process; one for the planes of all families.
///
/// How it works: the kernel reports changes, and each element for itself. While the first rules of
/// a large cluster are written, reading that would take as long again as half of the writing, so
/// the monitor does not listen until every plane has tried to write its first. What other programs
/// did before that shows in a count: the kernel counts transactions, and so does the monitor.
///
/// Thread-safe. The lock guards memory only; no thread holds it while it talks to the kernel.
/// Listens in the network namespace in which the first plane was opened.
public final class TableChangeMonitor {
  // One family reads the kernel back at a time; guards no memory.
  private final Semaphore readers = new Semaphore(1);
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Registration> registrations = new CopyOnWriteArrayList<>();
  private final AtomicInteger written = new AtomicInteger();
  // Set once, by the first plane that reads the kernel; see readers.
  private final AtomicReference<@Nullable Integer> first = new AtomicReference<>();
  // Guarded by the lock.
  private @Nullable NftMonitor monitor;
  private boolean listening;

  /// A plane's place.
  final class Registration {
    private final Nftables nftables;
    private final Table table;
    private final LastWriter writer = new LastWriter();
    private volatile Runnable listener = () -> {};
    // Guarded by the lock.
    private boolean listens;
    private boolean tried;

    private Registration(Nftables nftables, Table table) {
      this.nftables = nftables;
      this.table = table;
    }

    /// Sets what runs from now on when another program changes the table.
    void listen(Runnable onChange) {
      lock.lock();
      try {
        listener = onChange;
        listens = true;
      } finally {
        lock.unlock();
      }
      begin();
    }

    /// Reads the kernel and writes what differs, one family after the other: a write of one while
    /// another reads would make that read again.
    <T> T alone(Supplier<T> work) {
      readers.acquireUninterruptibly();
      try {
        if (first.get() == null) {
          first.set(nftables.generation());
        }
        return work.get();
      } finally {
        tried();
        readers.release();
      }
    }

    private void tried() {
      lock.lock();
      try {
        tried = true;
      } finally {
        lock.unlock();
      }
      begin();
    }

    /// Commits, and counts the transaction as one of this process.
    void commit(Transaction transaction) {
      transaction.commit();
      if (transaction.changes() > 0) {
        written.incrementAndGet();
      }
    }

    /// Ends the registration; with the last one the listening ends.
    void leave() {
      NftMonitor last = null;
      lock.lock();
      try {
        registrations.remove(this);
        if (registrations.isEmpty()) {
          last = monitor;
          monitor = null;
          listening = false;
        }
      } finally {
        lock.unlock();
      }
      if (last != null) {
        last.close();
      }
    }

    /// Begins to listen when every plane has tried to write and has a listener.
    private void begin() {
      NftMonitor ready = null;
      lock.lock();
      try {
        if (!listening && registrations.stream().allMatch(each -> each.tried && each.listens)) {
          ready = monitor;
          listening = ready != null;
        }
      } finally {
        lock.unlock();
      }
      if (ready == null) {
        return;
      }
      ready.begin();
      Integer start = first.get();
      // A transaction of this process that is under way counts as foreign: one comparison too many.
      if (start == null || nftables.generation() - start != written.get()) {
        registrations.forEach(each -> each.listener.run());
      }
    }

    /// The program that last changed the table.
    Optional<ForeignWriter> lastWriter() {
      return writer.last().map(one -> new ForeignWriter(one.processName(), one.process()));
    }

    private void noticed(NftEvent event) {
      writer.seen(
          event,
          event instanceof NftEvent.Changed changed
              && changed.table().equals(table)
              && changed.port() != nftables.port());
      switch (event) {
        case NftEvent.Changed changed -> {
          if (changed.table().equals(table) && changed.port() != nftables.port()) {
            listener.run();
          }
        }
        case NftEvent.Lost _ -> listener.run();
        case NftEvent.Committed _, NftEvent.Traced _ -> {}
      }
    }
  }

  Registration join(Nftables nftables, Table table) {
    Registration registration = new Registration(nftables, table);
    NftMonitor spare =
        registrations.isEmpty()
            ? NftMonitor.prepareChanges(event -> registrations.forEach(each -> each.noticed(event)))
            : null;
    lock.lock();
    try {
      registrations.add(registration);
      if (monitor == null) {
        monitor = spare;
        spare = null;
      }
    } finally {
      lock.unlock();
    }
    if (spare != null) {
      spare.close();
    }
    return registration;
  }
}
