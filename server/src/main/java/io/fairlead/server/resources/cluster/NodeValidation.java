package io.fairlead.server.resources.cluster;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.schema.GoForm;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceNameRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks nodes.
final class NodeValidation {
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private NodeValidation() {}

  static void check(ObjectNode node, Problems problems) {
    checkTaints(node, problems);
    int index = 0;
    for (JsonNode cidr : node.path("spec").path("podCIDRs")) {
      String text = cidr.asString("");
      problems.each("spec.podCIDRs[" + index + "]", text, AddressRules.cidrProblems(text));
      index++;
    }
    checkFamilies(node.path("spec").path("podCIDRs"), problems);
    checkAmounts(node, "capacity", problems);
    checkAmounts(node, "allocatable", problems);
  }

  private static void checkFamilies(JsonNode cidrs, Problems problems) {
    Set<String> families = Problems.seen();
    for (JsonNode cidr : cidrs) {
      Cidr parsed = Cidr.parseOrNull(cidr.asString(""));
      if (parsed != null && !families.add(parsed.family().toString())) {
        problems.invalid(
            "spec.podCIDRs", cidrs, "may specify no more than one CIDR for each IP family");
        return;
      }
    }
  }

  private static void checkAmounts(ObjectNode node, String field, Problems problems) {
    for (Map.Entry<String, JsonNode> amount : node.path("status").path(field).properties()) {
      String path = "status." + field + "." + amount.getKey();
      ResourceNameRules.checkAmount(amount.getKey(), amount.getValue(), path, problems);
    }
  }

  static void checkUpdate(ObjectNode node, ObjectNode old, Problems problems) {
    JsonNode now = node.path("spec");
    JsonNode before = old.path("spec");
    if (!before.path("podCIDRs").isEmpty()
        && !now.path("podCIDRs").equals(before.path("podCIDRs"))) {
      problems.forbidden(
          "spec.podCIDRs", "node updates may not change podCIDR except from \"\" to valid");
    }
    String provider = before.path("providerID").asString("");
    if (!provider.isEmpty() && !now.path("providerID").asString("").equals(provider)) {
      problems.forbidden(
          "spec.providerID", "node updates may not change providerID except from \"\" to valid");
    }
    // The original looks at the taints a second time here, and its answer shows it.
    checkTaints(node, problems);
  }

  /// The path says `metadata` though taints are in the spec: programs know it so.
  private static void checkTaints(ObjectNode node, Problems problems) {
    Set<String> seen = Problems.seen();
    int index = 0;
    for (JsonNode taint : node.path("spec").path("taints")) {
      String path = "metadata.taints[" + index + "]";
      String key = taint.path("key").asString("");
      String value = taint.path("value").asString("");
      problems.each(path + ".key", key, NameValidation.qualifiedName(key));
      problems.each(path + ".value", value, NameValidation.labelValue(value));
      problems.requiredOneOf(path + ".effect", taint.path("effect"), EFFECTS);
      if (!seen.add(key + "=" + taint.path("effect").asString(""))) {
        problems.add(
            new io.fairlead.api.status.FieldError(
                io.fairlead.api.status.FieldError.Kind.DUPLICATE,
                path,
                GoForm.internal(taint, "io.k8s.api.core.v1.Taint"),
                "taints must be unique by key and effect pair"));
      }
      index++;
    }
  }
}
