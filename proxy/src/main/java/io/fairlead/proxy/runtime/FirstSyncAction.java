package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// What has to wait for the first rules. It runs once, when the first plan of every family has been
/// tried and one of them at least is in the kernel: taking another mode's rules away before would
/// leave a family without any. Thread-safe.
final class FirstSyncAction {
  private final Set<IpAddress.Family> families;
  private final Runnable then;
  private final CompletableFuture<Boolean> done = new CompletableFuture<>();
  // Guarded by this.
  private final Set<IpAddress.Family> tried = EnumSet.noneOf(IpAddress.Family.class);
  private boolean written;
  private boolean begun;

  FirstSyncAction(Set<IpAddress.Family> families, Runnable then) {
    this.families = Set.copyOf(families);
    this.then = then;
  }

  /// A plan of a family was tried. Runs what waits on the calling thread when that was the last.
  void tried(IpAddress.Family family, boolean worked) {
    synchronized (this) {
      tried.add(family);
      written |= worked;
      if (begun || !written || !tried.containsAll(families)) {
        return;
      }
      begun = true;
    }
    try {
      then.run();
    } finally {
      done.complete(true);
    }
  }

  /// Has it not run any more; waits when it runs already.
  void forgetOrAwait() {
    synchronized (this) {
      if (!begun) {
        begun = true;
        done.complete(true);
      }
    }
    boolean _ = done.join();
  }
}
