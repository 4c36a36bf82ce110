package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.http.server.QueryParameters;
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
record DeleteRequestOptions(
    @Nullable Long graceSeconds,
    String uid,
    String resourceVersion,
    String policy,
    @Nullable Boolean orphanDependents,
    boolean dryRun) {
  /// Nothing said.
  static final DeleteRequestOptions PLAIN = new DeleteRequestOptions(null, "", "", "", null, false);

  /// Reads a body, or the query when there is no body.
  static DeleteRequestOptions parse(@Nullable ObjectNode body, QueryParameters query) {
    List<FieldError> errors = new ArrayList<>();
    List<FieldError> dryRun = new ArrayList<>();
    DeleteRequestOptions options = body == null ? ofQuery(query, dryRun) : ofBody(body, dryRun);
    if (options.orphanDependents != null && !options.policy.isEmpty()) {
      errors.add(
          FieldError.invalid(
              "propagationPolicy",
              options.policy,
              "orphanDependents and deletionPropagation cannot be both set"));
    }
    if (!List.of("", "Orphan", "Background", "Foreground").contains(options.policy)) {
      errors.add(
          FieldError.notSupported(
              "propagationPolicy",
              StringNode.valueOf(options.policy),
              List.of("Foreground", "Background", "Orphan", "nil")));
    }
    errors.addAll(dryRun);
    if (!errors.isEmpty()) {
      throw ApiException.invalid("meta.k8s.io", "DeleteOptions", "", errors);
    }
    return options;
  }

  private static DeleteRequestOptions ofQuery(QueryParameters query, List<FieldError> errors) {
    return new DeleteRequestOptions(
        query.number("gracePeriodSeconds"),
        "",
        "",
        query.text("propagationPolicy"),
        query.flag("orphanDependents"),
        WriteOptions.dryRun(query.all("dryRun"), errors));
  }

  private static DeleteRequestOptions ofBody(ObjectNode body, List<FieldError> errors) {
    List<String> dryRun = new ArrayList<>();
    for (JsonNode value : body.path("dryRun")) {
      dryRun.add(value.asString(""));
    }
    JsonNode grace = body.path("gracePeriodSeconds");
    JsonNode orphan = body.path("orphanDependents");
    return new DeleteRequestOptions(
        grace.isIntegralNumber() ? Long.valueOf(grace.asLong()) : null,
        Json.textOr(body, "", "preconditions", "uid"),
        Json.textOr(body, "", "preconditions", "resourceVersion"),
        Json.textOr(body, "", "propagationPolicy"),
        orphan.isBoolean() ? Boolean.valueOf(orphan.asBoolean()) : null,
        WriteOptions.dryRun(dryRun, errors));
  }

  DeleteRequestOptions withDryRun() {
    return new DeleteRequestOptions(
        graceSeconds, uid, resourceVersion, policy, orphanDependents, true);
  }

  /// Them as an object again, as admission shows them.
  ObjectNode toJson() {
    ObjectNode out = Json.object().put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
    if (graceSeconds != null) {
      out.put("gracePeriodSeconds", graceSeconds);
    }
    if (!uid.isEmpty() || !resourceVersion.isEmpty()) {
      ObjectNode preconditions = out.putObject("preconditions");
      if (!uid.isEmpty()) {
        preconditions.put("uid", uid);
      }
      if (!resourceVersion.isEmpty()) {
        preconditions.put("resourceVersion", resourceVersion);
      }
    }
    if (orphanDependents != null) {
      out.put("orphanDependents", orphanDependents);
    }
    if (!policy.isEmpty()) {
      out.put("propagationPolicy", policy);
    }
    if (dryRun) {
      out.putArray("dryRun").add("All");
    }
    return out;
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
