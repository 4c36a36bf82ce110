package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Event;
import io.fairlead.kernel.nftables.Monitor;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Notices what others do to the tables of a process; one for the planes of all families.
///
/// How it works: the kernel tells of changes, and of each element for itself. While the first rules
/// of a large cluster are written that would take as long again as half of the writing, so nobody
/// listens until every plane has tried to write its first. What others did before that is found out
/// by counting: the kernel counts transactions, and so does this.
///
/// Thread-safe. Listens in the network namespace in which the first plane was opened.
public final class Lookout {
  private final ReentrantLock reading = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Post> posts = new CopyOnWriteArrayList<>();
  // Guarded by the lock.
  private boolean counting;
  private int first;
  private int written;
  private @Nullable Monitor monitor;
  private boolean listening;

  /// A plane's place.
  final class Post {
    private final Nftables nftables;
    private final Table table;
    private volatile Runnable listener = () -> {};
    private boolean listens;
    private boolean tried;

    private Post(Nftables nftables, Table table) {
      this.nftables = nftables;
      this.table = table;
    }

    /// Sets who is told from now on.
    void listen(Runnable who) {
      lock.lock();
      try {
        listener = who;
        listens = true;
        begin(nftables);
      } finally {
        lock.unlock();
      }
    }

    /// Reads the kernel and writes what differs, one family after the other: a write of one while
    /// another reads would make that read again.
    <T> T alone(Supplier<T> work) {
      reading.lock();
      try {
        count(nftables);
        return work.get();
      } finally {
        tried(this);
        reading.unlock();
      }
    }

    void commit(Transaction transaction) {
      lock.lock();
      try {
        transaction.commit();
        written += transaction.changes() == 0 ? 0 : 1;
      } finally {
        lock.unlock();
      }
    }

    void leave() {
      lock.lock();
      try {
        posts.remove(this);
        if (posts.isEmpty() && monitor != null) {
          monitor.close();
          monitor = null;
          listening = false;
        }
      } finally {
        lock.unlock();
      }
    }

    private void noticed(Event event) {
      switch (event) {
        case Event.Changed changed -> {
          if (changed.table().equals(table) && changed.port() != nftables.port()) {
            listener.run();
          }
        }
        case Event.Lost _ -> listener.run();
        case Event.Committed _, Event.Traced _ -> {}
      }
    }
  }

  Post join(Nftables nftables, Table table) {
    Post post = new Post(nftables, table);
    lock.lock();
    try {
      posts.add(post);
      if (monitor == null) {
        monitor = Monitor.prepareChanges(event -> posts.forEach(each -> each.noticed(event)));
      }
      return post;
    } finally {
      lock.unlock();
    }
  }

  private void count(Nftables nftables) {
    lock.lock();
    try {
      if (!counting) {
        counting = true;
        first = nftables.generation();
      }
    } finally {
      lock.unlock();
    }
  }

  private void tried(Post post) {
    lock.lock();
    try {
      post.tried = true;
      begin(post.nftables);
    } finally {
      lock.unlock();
    }
  }

  private void begin(Nftables nftables) {
    if (monitor == null
        || listening
        || !posts.stream().allMatch(post -> post.tried && post.listens)) {
      return;
    }
    monitor.begin();
    listening = true;
    if (nftables.generation() - first != written) {
      posts.forEach(post -> post.listener.run());
    }
  }
}
