package io.fairlead.policy.runtime;

import io.fairlead.client.ObjectKey;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyPlanner;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Objects that have changed and are not planned yet, each in its newest state: never more than
/// there are objects. Informers put in, the loop of one family takes out.
final class PendingObjects {
  /// What is taken out at once; empty values have been deleted.
  ///
  /// @param since when the first change came; the greatest number when none did
  record Batch(
      Map<ObjectKey, Optional<PolicyNamespace>> namespaces,
      Map<ObjectKey, Optional<PolicyPod>> pods,
      Map<ObjectKey, Optional<NetworkPolicy>> policies,
      long since) {

    static Batch empty() {
      return new Batch(
          new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), Long.MAX_VALUE);
    }

    Batch begun(long first) {
      return new Batch(namespaces, pods, policies, first);
    }

    boolean isEmpty() {
      return namespaces.isEmpty() && pods.isEmpty() && policies.isEmpty();
    }

    /// Whether a pod of that node has an address and waits to be started.
    boolean hasWaitingPod(String node) {
      return pods.values().stream()
          .flatMap(Optional::stream)
          .anyMatch(pod -> pod.node().equals(node) && !pod.started() && !pod.addresses().isEmpty());
    }

    void feed(PolicyPlanner planner) {
      namespaces.forEach(
          (key, now) ->
              now.ifPresentOrElse(planner::put, () -> planner.removeNamespace(key.name())));
      pods.forEach((key, now) -> now.ifPresentOrElse(planner::put, () -> planner.removePod(key)));
      policies.forEach(
          (key, now) -> now.ifPresentOrElse(planner::put, () -> planner.removePolicy(key)));
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by the lock.
  private Batch batch = Batch.empty();
  private boolean woken;
  private long first = Long.MAX_VALUE;
  private final Ticker ticker;

  PendingObjects(Ticker ticker) {
    this.ticker = ticker;
  }

  void put(PolicyNamespace namespace) {
    change(() -> batch.namespaces().put(namespace.metadata().key(), Optional.of(namespace)));
  }

  void remove(PolicyNamespace namespace) {
    change(() -> batch.namespaces().put(namespace.metadata().key(), Optional.empty()));
  }

  void put(PolicyPod pod) {
    change(() -> batch.pods().put(pod.key(), Optional.of(pod)));
  }

  void remove(PolicyPod pod) {
    change(() -> batch.pods().put(pod.key(), Optional.empty()));
  }

  void put(NetworkPolicy policy) {
    change(() -> batch.policies().put(policy.key(), Optional.of(policy)));
  }

  void remove(NetworkPolicy policy) {
    change(() -> batch.policies().put(policy.key(), Optional.empty()));
  }

  /// Something else than objects has changed.
  void wake() {
    change(() -> {});
  }

  private void change(Runnable how) {
    lock.lock();
    try {
      how.run();
      woken = true;
      first = Math.min(first, ticker.nanos());
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a change, at most that long, and takes out what there is.
  Batch take(Duration most) throws InterruptedException {
    lock.lock();
    try {
      long left = most.toNanos();
      while (!woken && left > 0) {
        left = changed.awaitNanos(left);
      }
      woken = false;
      Batch taken = batch.begun(first);
      batch = Batch.empty();
      first = Long.MAX_VALUE;
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
