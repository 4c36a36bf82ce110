package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What may change in a pod after it was made: images, a shorter deadline, more tolerations, fewer
/// scheduling gates.
final class PodUpdateValidation {
  private static final String ALLOWED =
      "pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only"
          + " additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to"
          + " be set to 1 if it was previously negative)";
  private static final List<String> IMAGES = List.of("containers", "initContainers");

  private PodUpdateValidation() {}

  static void check(ObjectNode pod, ObjectNode old, Problems problems) {
    JsonNode now = pod.path("spec");
    JsonNode before = old.path("spec");
    for (String list : IMAGES) {
      if (now.path(list).size() != before.path(list).size()) {
        problems.forbidden("spec." + list, "pod updates may not add or remove containers");
        return;
      }
    }
    for (String list : IMAGES) {
      int index = 0;
      for (JsonNode container : now.path(list)) {
        if (container.path("image").asString("").isEmpty()) {
          // The original looks at it with the rest and again here.
          problems.required("spec." + list + "[" + index + "].image");
        }
        index++;
      }
    }
    checkDeadline(now, before, problems);
    checkTolerations(now, before, problems);
    ObjectNode comparable = restored(now, before);
    if (!comparable.equals(before)) {
      problems.forbidden("spec", ALLOWED + "\nchanged: " + changed(comparable, before));
    }
  }

  /// The new spec with everything that may change put back.
  private static ObjectNode restored(JsonNode now, JsonNode before) {
    ObjectNode copy = (ObjectNode) now.deepCopy();
    for (String list : IMAGES) {
      int index = 0;
      for (JsonNode container : copy.path(list)) {
        if (container instanceof ObjectNode one) {
          one.set("image", before.path(list).path(index).path("image"));
        }
        index++;
      }
    }
    putBack(copy, before, "activeDeadlineSeconds");
    putBack(copy, before, "tolerations");
    if (before.path("terminationGracePeriodSeconds").asLong(0) < 0
        && now.path("terminationGracePeriodSeconds").asLong(0) == 1) {
      putBack(copy, before, "terminationGracePeriodSeconds");
    }
    if (isSubset(now.path("schedulingGates"), before.path("schedulingGates"))) {
      putBack(copy, before, "schedulingGates");
      if (!before.path("schedulingGates").isEmpty()) {
        putBack(copy, before, "nodeSelector");
      }
    }
    return copy;
  }

  private static void checkDeadline(JsonNode now, JsonNode before, Problems problems) {
    JsonNode is = now.path("activeDeadlineSeconds");
    JsonNode was = before.path("activeDeadlineSeconds");
    if (is.equals(was)) {
      return;
    }
    if (was.isNumber() && is.asLong(Long.MAX_VALUE) > was.asLong(0)) {
      problems.invalid(
          "spec.activeDeadlineSeconds", is, "must be less than or equal to previous value");
    }
  }

  private static void checkTolerations(JsonNode now, JsonNode before, Problems problems) {
    for (JsonNode toleration : before.path("tolerations")) {
      if (!isAmong(toleration, now.path("tolerations"))) {
        problems.forbidden(
            "spec.tolerations",
            "existing toleration can not be modified except its" + " tolerationSeconds");
        return;
      }
    }
  }

  private static boolean isAmong(JsonNode wanted, JsonNode list) {
    for (JsonNode item : list) {
      if (withoutSeconds(item).equals(withoutSeconds(wanted))) {
        return true;
      }
    }
    return false;
  }

  private static JsonNode withoutSeconds(JsonNode toleration) {
    ObjectNode copy = (ObjectNode) toleration.deepCopy();
    copy.remove("tolerationSeconds");
    return copy;
  }

  private static boolean isSubset(JsonNode some, JsonNode all) {
    for (JsonNode one : some) {
      boolean found = false;
      for (JsonNode other : all) {
        found |= one.equals(other);
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  private static void putBack(ObjectNode copy, JsonNode before, String field) {
    if (before.has(field)) {
      copy.set(field, before.path(field));
    } else {
      copy.remove(field);
    }
  }

  private static String changed(ObjectNode now, JsonNode before) {
    TreeSet<String> names = new TreeSet<>();
    names.addAll(now.propertyNames());
    names.addAll(before.propertyNames());
    names.removeIf(name -> Json.at(now, name).equals(Json.at(before, name)));
    return String.join(", ", names.stream().map(name -> "spec." + name).toList());
  }
}
