package io.fairlead.server.crd;

import io.fairlead.api.status.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The rules in CEL of a schema.
final class RuleSet {
  private RuleSet() {}

  static RuleSet of(StructuralSchema schema) {
    return new RuleSet();
  }

  List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old, List<FieldError> others) {
    return List.of();
  }
}
