package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;

/// What names need of an object.
sealed interface DnsFacts permits NamespaceFacts, DnsServiceFacts, SliceFacts, PodFacts {
  ObjectKey key();
}
