package io.fairlead.api.changes;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The newest changes of one recorder. A new change takes the place of the oldest; a reader that
/// asks too late learns how many it missed.
///
/// Safe for many threads; the lock is held for memory work only. Adding costs no encoding: a change
/// becomes a document when a client reads it.
public final class ChangeRing {
  /// How many a recorder keeps unless told otherwise.
  public static final int DEFAULT_SIZE = 4096;

  private static final int MOST = 1000;

  private final String recorder;
  private final String epoch = UUID.randomUUID().toString();
  // Guarded by this.
  private final @Nullable RecordedChange[] slots;
  private long last;

  /// @param recorder who records: `proxy`, `controllers`
  /// @param size how many are kept; 0 keeps none
  public ChangeRing(String recorder, int size) {
    this.recorder = recorder;
    this.slots = new RecordedChange[size];
  }

  public void add(RecordedChange change) {
    if (slots.length == 0) {
      return;
    }
    synchronized (this) {
      slots[(int) (last % slots.length)] = change;
      last++;
    }
  }

  /// Puts what an earlier process recorded in front of what is there. Numbers begin at 1 again.
  ///
  /// @param former the oldest first
  /// @return the number of the newest of `former`
  public synchronized long restore(List<RecordedChange> former) {
    List<RecordedChange> all = new ArrayList<>(former);
    for (long number = Math.max(1, last - slots.length + 1); number <= last; number++) {
      RecordedChange change = slots[(int) ((number - 1) % slots.length)];
      if (change != null) {
        all.add(change);
      }
    }
    last = 0;
    all.forEach(this::add);
    return former.size();
  }

  /// A part of what is there.
  ///
  /// @param epoch another one means that numbers begin at 1 again
  /// @param first the number of the oldest that is kept; 1 before any came
  /// @param last the number of the newest; 0 before any came
  /// @param lost how many of those asked for are gone
  /// @param from the number of the first of `changes`
  public record Page(
      String recorder,
      String epoch,
      long first,
      long last,
      long lost,
      long from,
      List<RecordedChange> changes) {
    public Page {
      changes = List.copyOf(changes);
    }

    /// `{recorder, epoch, first, last, lost, entries: [{seq, kind, at, …}]}`.
    public ObjectNode toJson() {
      ObjectNode page =
          Json.object()
              .put("recorder", recorder)
              .put("epoch", epoch)
              .put("first", first)
              .put("last", last)
              .put("lost", lost);
      ArrayNode entries = page.putArray("entries");
      long number = from;
      for (RecordedChange change : changes) {
        ObjectNode entry = entries.addObject().put("seq", number++);
        entry.setAll(change.toJson());
      }
      return page;
    }
  }

  /// The newest, the oldest of them first.
  public synchronized Page newest(int count) {
    return since(Math.max(0, last - count), count);
  }

  /// Those after a number, the oldest first.
  ///
  /// @param since 0 for all that are kept
  /// @param limit at most so many, and never more than a thousand
  public synchronized Page since(long since, int limit) {
    long first = Math.max(1, last - slots.length + 1);
    long from = Math.max(since + 1, first);
    long lost = from - (since + 1);
    List<RecordedChange> changes = new ArrayList<>();
    for (long number = from; number <= last && changes.size() < Math.min(limit, MOST); number++) {
      RecordedChange change = slots[(int) ((number - 1) % slots.length)];
      if (change != null) {
        changes.add(change);
      }
    }
    return new Page(recorder, epoch, first, last, Math.max(0, lost), from, changes);
  }
}
