package io.fairlead.server.resources.custom;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Advice about finalizers without a path: the domain alone may be another writer's, too.
final class FinalizerAdvice {
  private FinalizerAdvice() {}

  static List<String> of(ObjectNode object, @Nullable ObjectNode old) {
    List<String> before = old == null ? List.of() : finalizers(old);
    List<String> advice = new ArrayList<>();
    for (String name : finalizers(object)) {
      boolean common = name.equals("orphan") || name.equals("foregroundDeletion");
      if (name.indexOf('/') < 0 && !common && !before.contains(name)) {
        advice.add(
            "metadata.finalizers: \""
                + name
                + "\": prefer a domain-qualified finalizer name including a path (/) to avoid"
                + " accidental conflicts with other finalizer writers");
      }
    }
    return advice;
  }

  private static List<String> finalizers(ObjectNode object) {
    return SchemaCompiler.texts(object.path("metadata").path("finalizers"));
  }
}
