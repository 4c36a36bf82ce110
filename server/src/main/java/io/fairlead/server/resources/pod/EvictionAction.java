package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.ActionSubresource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `pods/eviction`: deletes a pod unless a disruption budget stands against it.
final class EvictionAction extends ActionSubresource {
  private static final String REFUSED =
      "Cannot evict pod as it would violate the pod's disruption budget.";
  private static final String DISRUPTED = "DisruptionTarget";
  private static final int RETRY_SECONDS = 10;
  private static final int MAX_DISRUPTED = 2000;

  EvictionAction() {
    super("eviction", "policy", "Eviction");
  }

  @Override
  public Subresource.Answer post(
      String name, ObjectNode body, RequestContext context, Subresource.ObjectWriter writer) {
    String named = body.path("metadata").path("name").asString(name);
    if (!named.equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Eviction object");
    }
    ObjectNode pod = writer.read(name);
    if (pod == null) {
      throw ApiException.notFound("", "pods", name);
    }
    ObjectNode options =
        body.get("deleteOptions") instanceof ObjectNode given ? given : Json.object();
    // A rehearsal is asked for by the request or by the options inside of it.
    Subresource.ObjectWriter effective =
        options.path("dryRun").isEmpty() ? writer : writer.dryRun();
    if (isProtectable(pod)) {
      drawOnBudget(pod, name, context, effective);
      markDisrupted(name, context, effective);
    }
    effective.delete(name, options);
    return done();
  }

  /// Says in the pod's status that it did not end by itself.
  private static void markDisrupted(
      String name, RequestContext context, Subresource.ObjectWriter writer) {
    String now = context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString();
    writer.update(
        name,
        pod -> {
          ArrayNode conditions = Json.child(pod, "status").withArray("conditions");
          conditions.removeIf(one -> one.path("type").asString("").equals(DISRUPTED));
          conditions
              .addObject()
              .put("type", DISRUPTED)
              .put("status", "True")
              .put("reason", "EvictionByEvictionAPI")
              .put("message", "Eviction API: evicting")
              .put("lastTransitionTime", now);
          return pod;
        });
  }

  /// A pod that does not run yet or any more may always go.
  private static boolean isProtectable(ObjectNode pod) {
    String phase = pod.path("status").path("phase").asString("");
    return phase.equals("Running") && !pod.path("metadata").has("deletionTimestamp");
  }

  private static void drawOnBudget(
      ObjectNode pod, String name, RequestContext context, Subresource.ObjectWriter writer) {
    List<ObjectNode> budgets = budgetsOf(pod, context);
    if (budgets.size() > 1) {
      throw ApiException.internal(
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    if (budgets.isEmpty() || isFree(pod, budgets.getFirst())) {
      return;
    }
    String budget = budgets.getFirst().path("metadata").path("name").asString("");
    String now = context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString();
    writer
        .of("policy", "poddisruptionbudgets", context.namespace())
        .update(
            budget,
            current -> {
              check(current, budget);
              ObjectNode status = Json.child(current, "status");
              status.put("disruptionsAllowed", status.path("disruptionsAllowed").asInt(0) - 1);
              Json.child(status, "disruptedPods").put(name, now);
              return current;
            });
  }

  /// An unready pod holds no healthy place, so it may go while the budget is met or does not care.
  private static boolean isFree(ObjectNode pod, ObjectNode budget) {
    if (PodSummary.isTrue(pod.path("status"), "Ready")) {
      return false;
    }
    String policy = budget.path("spec").path("unhealthyPodEvictionPolicy").asString("");
    JsonNode status = budget.path("status");
    int desired = status.path("desiredHealthy").asInt(0);
    return policy.equals("AlwaysAllow")
        || (desired > 0 && status.path("currentHealthy").asInt(0) >= desired);
  }

  private static void check(ObjectNode budget, String name) {
    JsonNode status = budget.path("status");
    long observed = status.path("observedGeneration").asLong(0);
    if (observed < budget.path("metadata").path("generation").asLong(0)) {
      throw refused(
          "The disruption budget " + name + " is still being processed by the server.",
          RETRY_SECONDS);
    }
    int allowed = status.path("disruptionsAllowed").asInt(0);
    if (allowed < 0) {
      throw ApiException.forbidden(
          "policy", "poddisruptionbudgets", name, "pdb disruptions allowed is negative");
    }
    if (status.path("disruptedPods").size() > MAX_DISRUPTED) {
      throw ApiException.forbidden(
          "policy",
          "poddisruptionbudgets",
          name,
          "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if (allowed == 0) {
      throw refused(
          "The disruption budget "
              + name
              + " needs "
              + status.path("desiredHealthy").asInt(0)
              + " healthy pods and has "
              + status.path("currentHealthy").asInt(0)
              + " currently",
          0);
    }
  }

  private static ApiException refused(String why, int retryAfterSeconds) {
    return new ApiException(
        Status.of(429, "TooManyRequests", REFUSED)
            .withDetails(
                Status.Details.EMPTY
                    .withCauses(List.of(new Status.Cause("DisruptionBudget", why, "")))
                    .withRetryAfter(retryAfterSeconds)));
  }

  private static List<ObjectNode> budgetsOf(ObjectNode pod, RequestContext context) {
    List<ObjectNode> found = new ArrayList<>();
    for (ObjectNode budget :
        context.reader().list("policy", "poddisruptionbudgets", context.namespace())) {
      ObjectNode selector =
          budget.path("spec").get("selector") instanceof ObjectNode given ? given : null;
      if (LabelSelector.of(selector).matches(pod)) {
        found.add(budget);
      }
    }
    return found;
  }
}
