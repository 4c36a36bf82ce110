package io.fairlead.agent.lifecycle;

import io.fairlead.work.Backoff;
import java.time.Instant;

/// When a pod's volumes and sandbox are tried again after one of them could not be made. Only time
/// counts: a pod is looked at for many reasons, and each of its own reports is one. Owned by the
/// pod's worker.
final class MakingBackoff {
  private final Backoffs waits;
  private Instant next = Instant.MIN;

  MakingBackoff(Backoff waits) {
    this.waits = new Backoffs(waits);
  }

  /// Before this moment nothing is tried.
  Instant next() {
    return next;
  }

  /// @return when to try again
  Instant failed(String what, Instant now) {
    waits.step(what, now);
    next = now.plus(waits.rest(what, now));
    return next;
  }

  void made(String what) {
    waits.forget(what);
  }
}
