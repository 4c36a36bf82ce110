package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;

/// What names need of an object.
sealed interface Facts permits NamespaceFacts, ServiceFacts, SliceFacts, PodFacts {
  ObjectKey key();
}
