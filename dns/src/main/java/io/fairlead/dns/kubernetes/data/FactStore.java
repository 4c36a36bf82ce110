package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The newest facts of one kind. Guarded by the lock of its owner.
///
/// A state that is listed again is marked and swept: what comes is taken in at once, what has not
/// come when it is complete is gone. So there is never a second copy.
final class FactStore<T extends DnsFacts> {
  private final Map<ObjectKey, T> objects = new HashMap<>();
  private @Nullable Set<ObjectKey> unseen;
  private boolean complete;

  /// A whole state follows.
  void begin() {
    unseen = new HashSet<>(objects.keySet());
  }

  /// Whether a whole state is being taken in.
  boolean filling() {
    return unseen != null;
  }

  /// Whether a whole state was taken in once.
  boolean complete() {
    return complete;
  }

  /// That was the whole state; what is gone since the last one.
  Set<ObjectKey> end() {
    Set<ObjectKey> gone = unseen == null ? Set.of() : unseen;
    unseen = null;
    complete = true;
    return gone;
  }

  @Nullable T get(ObjectKey key) {
    return objects.get(key);
  }

  Collection<T> all() {
    return objects.values();
  }

  /// Puts facts in place of those before, which are returned.
  @Nullable T put(T now) {
    if (unseen != null) {
      unseen.remove(now.key());
    }
    return objects.put(now.key(), now);
  }

  @Nullable T remove(ObjectKey key) {
    if (unseen != null) {
      unseen.remove(key);
    }
    return objects.remove(key);
  }
}
