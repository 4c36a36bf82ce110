package io.fairlead.controller.serving;

import io.fairlead.client.ObjectKey;
import java.util.Set;

/// Is told whose endpoints may have to change, on the thread of an informer: note the keys and
/// return. Repeats mean nothing.
public interface ServingListener {
  /// A Service was made, changed or deleted: worth a look at once.
  void serviceChanged(ObjectKey service);

  /// Pods that serve these Services came, went or changed: may be merged with what follows.
  void podsChanged(Set<ObjectKey> services);

  /// A node came, went, or changed its zone, its readiness or its size.
  ///
  /// @param services those whose endpoints change by it; often none
  void nodeChanged(Set<ObjectKey> services);
}
