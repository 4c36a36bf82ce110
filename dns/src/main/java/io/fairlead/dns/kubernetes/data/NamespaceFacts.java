package io.fairlead.dns.kubernetes.data;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;

/// A namespace: that it is there is all there is to know.
public record NamespaceFacts(ObjectMeta metadata) implements HasMetadata {}
