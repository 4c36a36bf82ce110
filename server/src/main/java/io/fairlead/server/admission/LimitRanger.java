package io.fairlead.server.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.quota.PodAmounts;
import io.fairlead.api.quota.ResourceAmounts;
import io.fairlead.server.resource.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Holds pods and claims to the bounds of the LimitRanges of their namespace, and gives containers
/// the defaults these set.
final class LimitRanger implements AdmissionPlugin {
  private static final String ANNOTATION = "kubernetes.io/limit-ranger";
  private static final List<String> LISTS = List.of("containers", "initContainers");

  @Override
  public String name() {
    return "LimitRanger";
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    return (request.isPod() && (request.creates() || isResized(request)))
        || request.isFor("", "persistentvolumeclaims");
  }

  /// Whether containers of a pod get other amounts than before, by `pods/resize`.
  private static boolean isResized(AdmissionRequest request) {
    ObjectNode old = request.old();
    return old != null && !amounts(old).equals(amounts(request.object()));
  }

  private static List<JsonNode> amounts(ObjectNode pod) {
    List<JsonNode> all = new ArrayList<>();
    for (String list : LISTS) {
      for (JsonNode container : pod.path("spec").path(list)) {
        JsonNode resources = container.path("resources");
        all.add(resources.isEmpty() ? Json.object() : resources);
      }
    }
    return all;
  }

  @Override
  public void mutate(AdmissionRequest request) {
    if (!request.isPod() || !request.creates()) {
      return;
    }
    for (JsonNode limit : limits(request)) {
      if (limit.path("type").asString("").equals("Container")) {
        giveDefaults(request, limit);
      }
    }
  }

  private static void giveDefaults(AdmissionRequest request, JsonNode limit) {
    List<String> told = new ArrayList<>();
    for (String list : LISTS) {
      String word = list.equals("containers") ? "container " : "init container ";
      for (JsonNode one : request.spec().path(list)) {
        if (one instanceof ObjectNode container) {
          String name = container.path("name").asString("");
          List<String> requests = fill(container, "requests", limit.path("defaultRequest"));
          List<String> limits = fill(container, "limits", limit.path("default"));
          if (!requests.isEmpty()) {
            told.add(String.join(", ", requests) + " request for " + word + name);
          }
          if (!limits.isEmpty()) {
            told.add(String.join(", ", limits) + " limit for " + word + name);
          }
        }
      }
    }
    if (!told.isEmpty()) {
      Json.child(Json.child(request.object(), "metadata"), "annotations")
          .put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", told));
    }
  }

  /// Sets what is missing. A request is not missing where a limit is: it is that.
  private static List<String> fill(ObjectNode container, String side, JsonNode defaults) {
    List<String> set = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : defaults.properties()) {
      ObjectNode amounts = Json.child(Json.child(container, "resources"), side);
      if (!amounts.has(entry.getKey())) {
        amounts.set(entry.getKey(), entry.getValue());
        set.add(entry.getKey());
      }
    }
    set.sort(null);
    return set;
  }

  @Override
  public void validate(AdmissionRequest request) {
    List<String> faults = new ArrayList<>();
    for (JsonNode limit : limits(request)) {
      LimitRangeCheck check = new LimitRangeCheck(limit, faults);
      switch (limit.path("type").asString("")) {
        case "Container" -> {
          if (request.isPod()) {
            for (String list : LISTS) {
              for (JsonNode container : request.object().path("spec").path(list)) {
                check.check(
                    PodAmounts.ofContainer(container, "requests"),
                    PodAmounts.ofContainer(container, "limits"));
              }
            }
          }
        }
        case "Pod" -> {
          if (request.isPod()) {
            JsonNode spec = request.object().path("spec");
            check.check(PodAmounts.of(spec, "requests"), PodAmounts.of(spec, "limits"));
          }
        }
        case "PersistentVolumeClaim" -> {
          if (!request.isPod()) {
            check.checkRequests(
                ResourceAmounts.of(request.object().at("/spec/resources/requests")));
          }
        }
        default -> {
          // Bounds for other things.
        }
      }
    }
    if (!faults.isEmpty()) {
      throw request.forbidden(
          faults.size() == 1 ? faults.getFirst() : "[" + String.join(", ", faults) + "]");
    }
  }

  private static List<JsonNode> limits(AdmissionRequest request) {
    List<JsonNode> all = new ArrayList<>();
    RequestContext context = request.context();
    for (ObjectNode range : context.reader().list("", "limitranges", context.namespace())) {
      range.path("spec").path("limits").forEach(all::add);
    }
    return all;
  }
}
