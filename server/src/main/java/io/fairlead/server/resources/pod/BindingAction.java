package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.ActionSubresource;
import io.fairlead.server.resources.kind.Problems;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `pods/binding`: puts a pod on a node, once.
final class BindingAction extends ActionSubresource {
  private static final String RESOURCE = "pods/binding";

  BindingAction() {
    super("binding", "", "Binding");
  }

  @Override
  public Subresource.Answer post(
      String name, ObjectNode body, RequestContext context, Subresource.ObjectWriter writer) {
    String named = body.path("metadata").path("name").asString(name);
    if (!named.equals(name)) {
      throw ApiException.badRequest("name in URL does not match name in Binding object");
    }
    check(name, body.path("target"));
    String now = context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString();
    writer.update(name, pod -> bound(pod, name, body, now));
    return done();
  }

  private static void check(String name, JsonNode target) {
    Problems problems = new Problems();
    if (!List.of("", "Node").contains(target.path("kind").asString(""))) {
      problems.oneOf("target.kind", target.path("kind"), List.of("Node", "<empty>"));
    }
    if (target.path("name").asString("").isEmpty()) {
      problems.required("target.name");
    }
    if (!problems.isEmpty()) {
      throw ApiException.invalid("", "Binding", name, problems.list());
    }
  }

  private static ObjectNode bound(ObjectNode pod, String name, ObjectNode binding, String now) {
    ObjectNode spec = Json.child(pod, "spec");
    if (pod.path("metadata").has("deletionTimestamp")) {
      throw ApiException.conflict(
          "", RESOURCE, name, "pod " + name + " is being deleted, cannot be assigned to a host");
    }
    String node = spec.path("nodeName").asString("");
    if (!node.isEmpty()) {
      throw ApiException.conflict(
          "", RESOURCE, name, "pod " + name + " is already assigned to node \"" + node + "\"");
    }
    if (!spec.path("schedulingGates").isEmpty()) {
      throw ApiException.conflict(
          "", RESOURCE, name, "pod " + name + " has non-empty .spec.schedulingGates");
    }
    spec.put("nodeName", binding.path("target").path("name").asString(""));
    if (binding.path("metadata").get("annotations") instanceof ObjectNode annotations) {
      Json.child(Json.child(pod, "metadata"), "annotations").setAll(annotations);
    }
    scheduled(Json.child(pod, "status"), now);
    return pod;
  }

  private static void scheduled(ObjectNode status, String now) {
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode found ? found : status.putArray("conditions");
    for (JsonNode condition : conditions) {
      if (condition instanceof ObjectNode one
          && one.path("type").asString("").equals("PodScheduled")) {
        boolean changes = !one.path("status").asString("").equals("True");
        one.put("status", "True");
        one.remove(List.of("reason", "message"));
        if (changes) {
          one.put("lastTransitionTime", now);
        }
        return;
      }
    }
    conditions
        .addObject()
        .put("type", "PodScheduled")
        .put("status", "True")
        .put("lastTransitionTime", now);
  }
}
