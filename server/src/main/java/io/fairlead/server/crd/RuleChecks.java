package io.fairlead.server.crd;

import io.fairlead.api.status.FieldError;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What is wrong with the rules in CEL of a schema.
final class RuleChecks {
  private RuleChecks() {}

  static List<FieldError> check(ObjectNode root, String path) {
    return List.of();
  }
}
