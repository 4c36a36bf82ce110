package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.ObjectKey;

/// What names need of a namespace: that it is there.
record NamespaceFacts(ObjectKey key) implements DnsFacts {}
