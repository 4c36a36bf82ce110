package io.fairlead.policy.runtime;

import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackLabels;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/// The connections that were cut, to cut them again. Owned by one thread.
///
/// How it works: a label goes with the kernel's entry, and entries can be flushed. The end that is
/// allowed to send then makes a new one, which looks like a connection of its own, in the other
/// direction, that policies allow. It is found by the addresses that answers had, which are those
/// of its packets now. An entry that is away is remembered for as long as TCP sends again.
final class CutMemory {
  private static final int MOST = 1024;
  private static final Duration KEPT = Duration.ofMinutes(15);

  private record Remembered(ConntrackEntry entry, long seen) {}

  private final Ticker ticker;
  // The oldest first; beyond the bound that one is forgotten.
  private final Map<ConntrackTuple, Remembered> connections =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ConntrackTuple, Remembered> eldest) {
          return size() > MOST;
        }
      };

  CutMemory(Ticker ticker) {
    this.ticker = ticker;
  }

  void add(ConntrackEntry entry) {
    connections.put(entry.reply(), new Remembered(entry, ticker.nanos()));
  }

  /// Forgets those that are allowed again.
  void keepIf(Predicate<ConntrackEntry> denied) {
    connections.values().removeIf(each -> !denied.test(each.entry()));
  }

  int size() {
    return connections.size();
  }

  /// Labels each of them, whichever end has made its entry.
  ///
  /// @param label is given the entry to label, with the tuple to find it by as its original one
  void cutAgain(Function<ConntrackEntry, ConntrackLabels.Outcome> label) {
    long now = ticker.nanos();
    connections
        .entrySet()
        .removeIf(
            each -> {
              if (label.apply(turned(each.getValue().entry())) != ConntrackLabels.Outcome.GONE) {
                each.setValue(new Remembered(each.getValue().entry(), now));
                return false;
              }
              return now - each.getValue().seen() > KEPT.toNanos();
            });
  }

  private static ConntrackEntry turned(ConntrackEntry entry) {
    return new ConntrackEntry(
        entry.reply(),
        entry.original(),
        entry.status(),
        entry.timeoutSeconds(),
        entry.mark(),
        entry.id(),
        entry.zone(),
        entry.tcpState(),
        null,
        null,
        0);
  }
}
