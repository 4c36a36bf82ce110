package io.fairlead.bench.faults;

import io.fairlead.bench.faults.FaultScenario.FaultException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// What clients of a store asked and were told, and whether one order of all operations explains it
/// (linearizability).
///
/// How it works: a store numbers its commits, so it names the order itself. A write stands at its
/// revision, a read right behind the revision it was made at. That order is a proof when (1) every
/// acknowledged write is in the store's history at the revision it was told, (2) the history holds
/// nothing that was not asked for, and nothing twice, (3) every read saw the last write of its key
/// in that order, and (4) an operation that began after another had ended stands behind it. A write
/// whose outcome is unknown may be in the history or not. Costs n log n.
final class StoreHistory {
  /// One operation.
  ///
  /// @param point the revision it stands at; 0 for a write whose outcome is unknown
  /// @param value of a write its own, unique; of a read what it saw, 0 for none
  private record Operation(
      boolean write, long start, long end, String key, long value, long point) {}

  /// One commit of the store's own history.
  record Change(long revision, String key, long value) {}

  private final ConcurrentLinkedQueue<Operation> operations = new ConcurrentLinkedQueue<>();

  void wrote(long start, long end, String key, long value, long revision) {
    operations.add(new Operation(true, start, end, key, value, revision));
  }

  void unknown(long start, String key, long value) {
    operations.add(new Operation(true, start, Long.MAX_VALUE, key, value, 0));
  }

  void read(long start, long end, String key, long value, long revision) {
    operations.add(new Operation(false, start, end, key, value, revision));
  }

  int size() {
    return operations.size();
  }

  /// @param changes all commits, in the store's order
  void check(List<Change> changes) throws FaultException {
    Map<Long, Change> byValue = new HashMap<>();
    Map<String, TreeMap<Long, Long>> byKey = new HashMap<>();
    long before = 0;
    for (Change change : changes) {
      fail(change.revision <= before, "revisions do not rise at " + change);
      before = change.revision;
      fail(byValue.put(change.value, change) != null, "written twice: " + change);
      byKey.computeIfAbsent(change.key, _ -> new TreeMap<>()).put(change.revision, change.value);
    }
    List<Operation> placed = new ArrayList<>();
    int asked = 0;
    for (Operation operation : operations) {
      if (!operation.write) {
        Map.Entry<Long, Long> last =
            byKey.getOrDefault(operation.key, new TreeMap<>()).floorEntry(operation.point);
        long value = last == null ? 0 : last.getValue();
        fail(value != operation.value, "a stale read, should be " + value + ": " + operation);
        placed.add(operation);
        continue;
      }
      Change change = byValue.get(operation.value);
      asked += change == null ? 0 : 1;
      if (operation.point != 0) {
        fail(
            change == null || change.revision != operation.point,
            "an acknowledged write is lost: " + operation + ", found " + change);
        placed.add(operation);
      } else if (change != null) {
        placed.add(
            new Operation(
                true,
                operation.start,
                operation.end,
                operation.key,
                operation.value,
                change.revision));
      }
    }
    fail(asked != changes.size(), "changes that no client asked for: " + (changes.size() - asked));
    checkOrder(placed);
  }

  /// What began after another had ended stands behind it.
  private static void checkOrder(List<Operation> operations) throws FaultException {
    operations.sort(Comparator.comparingLong(Operation::start));
    PriorityQueue<Operation> running =
        new PriorityQueue<>(Comparator.comparingLong(Operation::end));
    long reached = 0;
    for (Operation operation : operations) {
      while (!running.isEmpty() && running.peek().end < operation.start) {
        reached = Math.max(reached, running.remove().point);
      }
      fail(
          operation.write ? operation.point <= reached : operation.point < reached,
          "began after revision " + reached + " was known, but stands before: " + operation);
      running.add(operation);
    }
  }

  private static void fail(boolean wrong, String message) throws FaultException {
    if (wrong) {
      throw new FaultException("not linearizable: " + message);
    }
  }
}
