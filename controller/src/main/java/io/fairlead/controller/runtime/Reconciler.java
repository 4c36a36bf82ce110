package io.fairlead.controller.runtime;

import java.time.Duration;

/// Brings the cluster to the desired state for one key. It gets the key only and must be correct
/// however many events were merged, repeated or lost before.
@FunctionalInterface
public interface Reconciler<K> {
  /// How a run ended without a failure. A failure is an exception.
  sealed interface Result {
    /// Nothing more to do until the next event.
    record Done() implements Result {}

    /// Look again after that time.
    record Again(Duration after) implements Result {}

    /// Something outside is not finished: look again, each time a little later.
    record Waiting() implements Result {}
  }

  Result DONE = new Result.Done();
  Result WAITING = new Result.Waiting();

  Result reconcile(K key);
}
