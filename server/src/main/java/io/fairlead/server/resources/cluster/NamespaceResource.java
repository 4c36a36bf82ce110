package io.fairlead.server.resources.cluster;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A room for names.
public final class NamespaceResource extends StoredResource {
  public NamespaceResource() {
    super(
        Describe.cluster("", "namespaces", "Namespace")
            .shortNames("ns")
            .verbs("create", "delete", "get", "list", "patch", "update", "watch")
            .build(),
        NameRule.LABEL,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }
}
