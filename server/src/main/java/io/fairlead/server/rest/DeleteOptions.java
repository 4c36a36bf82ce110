package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.request.Parameters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// What a client says about a deletion.
///
/// @param graceSeconds null when it named none
/// @param policy `Orphan`, `Background`, `Foreground`, or empty
/// @param orphanDependents the older form of `policy`; null when absent
record DeleteOptions(
    @Nullable Long graceSeconds,
    String uid,
    String resourceVersion,
    String policy,
    @Nullable Boolean orphanDependents,
    boolean dryRun) {

  /// Reads a body, or the query when there is no body.
  static DeleteOptions parse(@Nullable ObjectNode body, Parameters query) {
    List<FieldError> errors = new ArrayList<>();
    DeleteOptions options = body == null ? ofQuery(query, errors) : ofBody(body, errors);
    if (!List.of("", "Orphan", "Background", "Foreground").contains(options.policy)) {
      errors.add(
          FieldError.notSupported(
              "propagationPolicy",
              StringNode.valueOf(options.policy),
              List.of("Foreground", "Background", "Orphan", "nil")));
    }
    if (options.orphanDependents != null && !options.policy.isEmpty()) {
      errors.add(
          FieldError.invalid(
              "propagationPolicy",
              options.policy,
              "orphanDependents and deletionPropagation cannot be both set"));
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid("meta.k8s.io", "DeleteOptions", "", errors);
    }
    return options;
  }

  private static DeleteOptions ofQuery(Parameters query, List<FieldError> errors) {
    return new DeleteOptions(
        query.number("gracePeriodSeconds"),
        "",
        "",
        query.text("propagationPolicy"),
        query.flag("orphanDependents"),
        WriteOptions.dryRun(query.all("dryRun"), errors));
  }

  private static DeleteOptions ofBody(ObjectNode body, List<FieldError> errors) {
    String kind = Json.textOr(body, "DeleteOptions", "kind");
    if (!kind.equals("DeleteOptions")) {
      throw ApiException.badRequest("the body of a deletion must be DeleteOptions, not " + kind);
    }
    List<String> dryRun = new ArrayList<>();
    for (JsonNode value : body.path("dryRun")) {
      dryRun.add(value.asString(""));
    }
    JsonNode grace = body.path("gracePeriodSeconds");
    JsonNode orphan = body.path("orphanDependents");
    return new DeleteOptions(
        grace.isIntegralNumber() ? Long.valueOf(grace.asLong()) : null,
        Json.textOr(body, "", "preconditions", "uid"),
        Json.textOr(body, "", "preconditions", "resourceVersion"),
        Json.textOr(body, "", "propagationPolicy"),
        orphan.isBoolean() ? Boolean.valueOf(orphan.asBoolean()) : null,
        WriteOptions.dryRun(dryRun, errors));
  }

  DeleteOptions withDryRun() {
    return new DeleteOptions(graceSeconds, uid, resourceVersion, policy, orphanDependents, true);
  }

  boolean orphans() {
    return policy.equals("Orphan") || Boolean.TRUE.equals(orphanDependents);
  }

  boolean isForeground() {
    return policy.equals("Foreground");
  }

  /// Whether the client left it to the object's finalizers what becomes of dependents.
  boolean leavesPropagationOpen() {
    return policy.isEmpty() && orphanDependents == null;
  }
}
