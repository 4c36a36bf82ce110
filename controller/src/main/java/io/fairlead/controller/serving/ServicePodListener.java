package io.fairlead.controller.serving;

import io.fairlead.client.ObjectKey;
import java.util.Set;

/// Gets the Services whose endpoints may have to change, on the thread of an informer: note the
/// keys and return. Repeats mean nothing.
public interface ServicePodListener {
  /// A Service was made, changed or deleted: to be reconciled at once.
  void serviceChanged(ObjectKey service);

  /// Pods that serve these Services came, went or changed: may be merged with what follows.
  void podsChanged(Set<ObjectKey> services);

  /// A node came, went, or changed its zone, its readiness or its size.
  ///
  /// @param services those whose endpoints change by it; often none
  void nodeChanged(Set<ObjectKey> services);
}
