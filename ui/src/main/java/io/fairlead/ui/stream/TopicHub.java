package io.fairlead.ui.stream;

import io.fairlead.ui.UiUser;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// All topics that streams hold. Those of the model are refreshed by one loop when the model
/// changed; those that ask others have a loop each, which lives only while the topic is held.
///
/// Events are numbered across all topics, so that one number says how far a stream is. Safe for all
/// threads.
public final class TopicHub implements AutoCloseable {
  private final InstantSource clock;
  private final String epoch;
  private final SupervisedLoop loop;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Taken under the lock of a topic, which must not be waited for under ours.
  private final AtomicLong number = new AtomicLong();
  // Guarded by the lock, like all below.
  private final Map<Key, Entry> topics = new HashMap<>();
  private boolean closed;

  /// @param epoch differs between processes: numbers of another one mean nothing
  public TopicHub(InstantSource clock, String epoch) {
    this.clock = clock;
    this.epoch = epoch;
    this.loop =
        SupervisedLoop.of("ui-topics").every(Duration.ofSeconds(30)).start(this::refreshModel);
  }

  private record Key(UiUser user, String name) {}

  private static final class Entry {
    private final Topic topic;
    private Optional<SupervisedLoop> poll = Optional.empty();

    Entry(Topic topic) {
      this.topic = topic;
    }
  }

  public String epoch() {
    return epoch;
  }

  /// The model changed.
  public void wake() {
    loop.wake();
  }

  /// The topic of that name as that user may see it, which is kept up to date until it is released.
  Topic hold(UiUser user, String name, Supplier<TopicSource> source) {
    Topic topic = held(user, name, source);
    if (!topic.source().every().isPositive()) {
      refresh(topic);
    }
    return topic;
  }

  private Topic held(UiUser user, String name, Supplier<TopicSource> source) {
    lock.lock();
    try {
      Entry entry =
          topics.computeIfAbsent(
              new Key(user, name), _ -> new Entry(new Topic(name, source.get())));
      Topic topic = entry.topic;
      topic.hold();
      Duration every = topic.source().every();
      if (entry.poll.isEmpty() && every.isPositive()) {
        entry.poll =
            Optional.of(
                SupervisedLoop.of("ui-poll").key(name).every(every).start(() -> refresh(topic)));
      }
      return topic;
    } finally {
      lock.unlock();
    }
  }

  void release(UiUser user, Topic topic) {
    Optional<SupervisedLoop> ended = Optional.empty();
    lock.lock();
    try {
      topic.release(clock.instant());
      Entry entry = topics.get(new Key(user, topic.name()));
      if (entry != null && !topic.isHeld()) {
        ended = entry.poll;
        entry.poll = Optional.empty();
      }
    } finally {
      lock.unlock();
    }
    ended.ifPresent(SupervisedLoop::close);
  }

  private void refreshModel() {
    for (Topic topic : heldOfModel()) {
      refresh(topic);
    }
  }

  private List<Topic> heldOfModel() {
    lock.lock();
    try {
      for (Iterator<Entry> each = topics.values().iterator(); each.hasNext(); ) {
        if (each.next().topic.isAbandoned(clock.instant())) {
          each.remove();
        }
      }
      return topics.values().stream()
          .map(entry -> entry.topic)
          .filter(topic -> topic.isHeld() && !topic.source().every().isPositive())
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private void refresh(Topic topic) {
    if (topic.refresh(number::incrementAndGet, clock.instant())) {
      lock.lock();
      try {
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /// The number of the newest event.
  long number() {
    return number.get();
  }

  /// Waits until something is noted after that number, or the time is over.
  void await(long after, Duration time) throws InterruptedException {
    lock.lock();
    try {
      long left = time.toNanos();
      while (number.get() <= after && left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /// Whether a session shows anything.
  public boolean isHeld() {
    lock.lock();
    try {
      return topics.values().stream().anyMatch(entry -> entry.topic.isHeld());
    } finally {
      lock.unlock();
    }
  }

  /// Ends all streams. Idempotent.
  @Override
  public void close() {
    List<SupervisedLoop> polls;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      polls = topics.values().stream().flatMap(entry -> entry.poll.stream()).toList();
      topics.clear();
    } finally {
      lock.unlock();
    }
    polls.forEach(SupervisedLoop::close);
    loop.close();
  }
}
