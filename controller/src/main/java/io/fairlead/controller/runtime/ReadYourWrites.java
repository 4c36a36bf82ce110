package io.fairlead.controller.runtime;

import io.fairlead.client.informer.Informer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Reading one's own writes: keeps a key from being worked on while the informer does not yet show
/// what was last written for it.
///
/// How it works: a controller notes the version each of its writes was given. A key whose version
/// the informer has not reached is parked, and handed to `release` the moment it does. Nothing is
/// remembered about objects, so one that was taken away, renamed or held by a finalizer cannot
/// stall its key. Safe for any threads.
public final class ReadYourWrites<K> {
  private final Informer<?> informer;
  private final Consumer<K> release;
  private final Map<K, String> written = new ConcurrentHashMap<>();
  private final AtomicInteger parked = new AtomicInteger();

  /// @param informer of the kind that is written
  /// @param release takes a key that was parked; may be called from any thread
  public ReadYourWrites(Informer<?> informer, Consumer<K> release) {
    this.informer = informer;
    this.release = release;
  }

  /// A write for that key was given this version. Writes that changed nothing may be noted too:
  /// their version has been passed already.
  public void wrote(K key, String resourceVersion) {
    if (!resourceVersion.isEmpty()) {
      written.put(key, resourceVersion);
    }
  }

  /// Whether the informer shows all writes noted for the key. If not, the key is parked.
  public boolean isFresh(K key) {
    String version = written.get(key);
    if (version == null) {
      return true;
    }
    var reached = informer.reached(version);
    if (reached.isDone()) {
      written.remove(key, version);
      return true;
    }
    parked.incrementAndGet();
    var _ =
        reached.thenRun(
            () -> {
              release.accept(key);
              parked.decrementAndGet();
            });
    return false;
  }

  /// Whether no key is parked, nor on its way back from it.
  public boolean idle() {
    return parked.get() == 0;
  }

  /// The key's object is gone.
  public void forget(K key) {
    written.remove(key);
  }
}
