package io.fairlead.server.openapi;

import io.fairlead.server.openapi.Operation.Kind;
import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.Subresource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Which struct describes which kind: `x-kubernetes-group-version-kind` of a schema.
final class Kinds {
  private final Map<String, Set<Kind>> byStruct = new TreeMap<>();

  Kinds(List<Resource> resources) {
    for (Resource resource : resources) {
      Descriptor descriptor = resource.descriptor();
      String group = descriptor.group();
      String version = descriptor.version();
      add(descriptor.schemaName(), Operations.kind(descriptor));
      add(descriptor.schemaName() + "List", new Kind(group, version, descriptor.listKind()));
      add(Operations.DELETE_OPTIONS, new Kind(group, version, "DeleteOptions"));
      for (Subresource part : resource.subresources()) {
        add(part.schemaName(), new Kind(part.group(), part.version(), part.kind()));
      }
    }
    add(Operations.STATUS, new Kind("", "v1", "Status"));
  }

  private void add(String struct, Kind kind) {
    byStruct.computeIfAbsent(struct, _ -> new LinkedHashSet<>()).add(kind);
  }

  Set<Kind> of(String struct) {
    return byStruct.getOrDefault(struct, Set.of());
  }
}
