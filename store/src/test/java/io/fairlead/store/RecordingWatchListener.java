package io.fairlead.store;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/// A listener that keeps what it is told, and notices when it is called by two threads at once.
public final class RecordingWatchListener implements WatchListener {
  public final List<List<KeyChange>> calls = new CopyOnWriteArrayList<>();
  public final List<Long> progress = new CopyOnWriteArrayList<>();
  public volatile @Nullable StoreException end;
  public volatile boolean overlapped;
  private final AtomicBoolean inside = new AtomicBoolean();

  @Override
  public void onChanges(List<KeyChange> changes) {
    enter();
    calls.add(List.copyOf(changes));
    inside.set(false);
  }

  @Override
  public void onProgress(long revision) {
    enter();
    progress.add(revision);
    inside.set(false);
  }

  @Override
  public void onEnd(StoreException cause) {
    enter();
    end = cause;
    inside.set(false);
  }

  private void enter() {
    if (!inside.compareAndSet(false, true)) {
      overlapped = true;
    }
  }

  public List<KeyChange> changes() {
    return calls.stream().flatMap(List::stream).toList();
  }

  /// What was seen, one line a change: `put /a 1 (was 0)`.
  public List<String> seen() {
    return changes().stream().map(RecordingWatchListener::line).toList();
  }

  public void awaitChanges(int count) {
    try {
      awaiting().until(() -> changes().size() >= count);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          changes().size() + " of " + count + " changes after 20 s, end " + end + ": " + seen(), e);
    }
  }

  public void awaitProgress(long revision) {
    awaiting().until(() -> progress.stream().anyMatch(told -> told >= revision));
  }

  public void awaitProgressOrEnd(long revision) {
    awaiting().until(() -> end != null || progress.stream().anyMatch(told -> told >= revision));
  }

  public StoreException awaitEnd() {
    awaiting().until(() -> end != null);
    StoreException cause = end;
    if (cause == null) {
      throw new AssertionError("the watch did not end");
    }
    return cause;
  }

  /// Looks often: some tests wait thousands of times for what takes a millisecond.
  private static ConditionFactory awaiting() {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(Duration.ofSeconds(20));
  }

  private static String line(KeyChange change) {
    StoreEntry current = change.current();
    StoreEntry previous = change.previous();
    String was = previous == null ? "" : " (was " + text(previous) + ")";
    return current == null
        ? "delete " + change.key() + was
        : "put " + change.key() + " " + text(current) + was;
  }

  public static String text(StoreEntry entry) {
    return new String(entry.value(), StandardCharsets.UTF_8);
  }
}
