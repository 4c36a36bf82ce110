package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Brings a default role or binding that exists up to what it is today. Only ever adds: rules and
/// subjects of people stay.
public final class RbacReconciliation {
  private static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

  private RbacReconciliation() {}

  /// Adds to `present` what it lacks of `wanted`.
  ///
  /// @return whether something was added; never for an object whose annotation says `false`
  public static boolean complete(ObjectNode present, ObjectNode wanted) {
    if (Json.textOr(present, "", "metadata", "annotations", AUTO_UPDATE).equals("false")) {
      return false;
    }
    if (wanted.has("roleRef")) {
      // Who is bound to another role was bound by an administrator.
      return present.path("roleRef").equals(wanted.path("roleRef"))
          && addMissing(present, wanted, "subjects");
    }
    if (wanted.has("aggregationRule")) {
      // The rules of such a role are its parts'.
      return present.path("aggregationRule") instanceof ObjectNode rule
          && addMissing(rule, wanted.path("aggregationRule"), "clusterRoleSelectors");
    }
    return addRules(present, wanted);
  }

  private static boolean addRules(ObjectNode present, ObjectNode wanted) {
    List<PolicyRule> held = PolicyRule.all(present.path("rules"));
    boolean added = false;
    for (JsonNode rule : wanted.path("rules")) {
      List<PolicyRule> one = PolicyRule.all(Json.array().add(rule));
      if (!EscalationCheck.missing(held, one).isEmpty()) {
        list(present, "rules").add(rule.deepCopy());
        added = true;
      }
    }
    return added;
  }

  private static boolean addMissing(ObjectNode present, JsonNode wanted, String field) {
    boolean added = false;
    for (JsonNode one : wanted.path(field)) {
      if (present.path(field).values().stream().noneMatch(one::equals)) {
        list(present, field).add(one.deepCopy());
        added = true;
      }
    }
    return added;
  }

  private static ArrayNode list(ObjectNode object, String field) {
    return object.path(field) instanceof ArrayNode list ? list : object.putArray(field);
  }
}
