package io.fairlead.server.openapi;

import io.fairlead.server.openapi.Operation.GroupVersionKind;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Which struct describes which kind: `x-kubernetes-group-version-kind` of a schema.
final class GroupVersionKindIndex {
  private final Map<String, Set<GroupVersionKind>> byStruct = new TreeMap<>();

  GroupVersionKindIndex(List<Resource> resources) {
    for (Resource resource : resources) {
      ResourceDescriptor descriptor = resource.descriptor();
      String group = descriptor.group();
      String version = descriptor.version();
      add(descriptor.schemaName(), Operations.kind(descriptor));
      add(
          descriptor.schemaName() + "List",
          new GroupVersionKind(group, version, descriptor.listKind()));
      add(Operations.DELETE_OPTIONS, new GroupVersionKind(group, version, "DeleteOptions"));
      for (Subresource part : resource.subresources()) {
        add(part.schemaName(), new GroupVersionKind(part.group(), part.version(), part.kind()));
      }
    }
    add(Operations.STATUS, new GroupVersionKind("", "v1", "Status"));
  }

  private void add(String struct, GroupVersionKind kind) {
    byStruct.computeIfAbsent(struct, _ -> new LinkedHashSet<>()).add(kind);
  }

  Set<GroupVersionKind> of(String struct) {
    return byStruct.getOrDefault(struct, Set.of());
  }
}
