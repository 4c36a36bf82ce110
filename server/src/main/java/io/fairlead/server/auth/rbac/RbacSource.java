package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.ClusterReader;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Where roles and bindings come from.
public interface RbacSource {
  String GROUP = "rbac.authorization.k8s.io";

  /// One object; the tree is made only when the revision is new.
  record Item(String namespace, String name, String revision, Supplier<ObjectNode> tree) {}

  /// A number that changes whenever an object of that resource changes.
  long version(String plural);

  List<Item> items(String plural);

  /// Roles and bindings of any reader that can tell when something changed.
  static RbacSource of(ClusterReader reader, LongSupplier version) {
    return new RbacSource() {
      @Override
      public long version(String plural) {
        return version.getAsLong();
      }

      @Override
      public List<Item> items(String plural) {
        return reader.list(GROUP, plural, "").stream()
            .map(
                object ->
                    new Item(
                        Json.textOr(object, "", "metadata", "namespace"),
                        Json.textOr(object, "", "metadata", "name"),
                        Json.textOr(object, "", "metadata", "resourceVersion"),
                        () -> object))
            .toList();
      }
    };
  }
}
