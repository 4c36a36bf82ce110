package io.fairlead.server.resources.cluster;

import io.fairlead.api.names.Names;
import io.fairlead.api.net.AddressRules;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks nodes.
final class NodeRules {
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private NodeRules() {}

  static void check(ObjectNode node, Problems problems) {
    checkTaints(node, problems);
    int index = 0;
    for (JsonNode cidr : node.path("spec").path("podCIDRs")) {
      String text = cidr.asString("");
      problems.each("spec.podCIDRs[" + index + "]", text, AddressRules.cidrProblems(text));
      index++;
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
      problems.each(path + ".key", key, Names.qualifiedName(key));
      problems.each(path + ".value", value, Names.labelValue(value));
      problems.requiredOneOf(path + ".effect", taint.path("effect"), EFFECTS);
      if (!seen.add(key + "=" + taint.path("effect").asString(""))) {
        problems.add(
            new io.fairlead.api.status.FieldError(
                io.fairlead.api.status.FieldError.Kind.DUPLICATE,
                path,
                taint,
                "taints must be unique by key and effect pair"));
      }
      index++;
    }
  }
}
