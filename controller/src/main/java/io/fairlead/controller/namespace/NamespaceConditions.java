package io.fairlead.controller.namespace;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What a namespace says about why it is still there. Pure.
///
/// The words are those `kubectl describe namespace` has always shown. A condition that is in order
/// is written only over one that was not.
final class NamespaceConditions {
  private record Condition(String type, boolean trouble, String reason, String message) {}

  private NamespaceConditions() {}

  /// Sets the conditions of `status` from the findings. True when anything changed.
  static boolean apply(ObjectNode status, RemainingContent findings, String now) {
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode found ? found : Json.array();
    boolean changed = false;
    for (Condition condition : of(findings)) {
      changed |= set(conditions, condition, now);
    }
    if (changed) {
      status.set("conditions", conditions);
    }
    return changed;
  }

  private static List<Condition> of(RemainingContent findings) {
    return List.of(
        condition(
            "NamespaceDeletionDiscoveryFailure",
            findings.discoveryFailures().isEmpty(),
            "ResourcesDiscovered",
            "All resources successfully discovered",
            "DiscoveryFailed",
            "Discovery failed for some groups, "
                + findings.discoveryFailures().size()
                + " failing: "
                + String.join("; ", findings.discoveryFailures())),
        condition(
            "NamespaceDeletionGroupVersionParsingFailure",
            true,
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed",
            "",
            ""),
        condition(
            "NamespaceDeletionContentFailure",
            findings.deletionFailures().isEmpty(),
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization",
            "ContentDeletionFailed",
            "Failed to delete all resource types, "
                + findings.deletionFailures().size()
                + " remaining: "
                + String.join("; ", findings.deletionFailures())),
        condition(
            "NamespaceContentRemaining",
            findings.remaining().isEmpty(),
            "ContentRemoved",
            "All content successfully removed",
            "SomeResourcesRemain",
            "Some resources are remaining: " + counts(findings.remaining(), " has ")),
        condition(
            "NamespaceFinalizersRemaining",
            findings.finalizers().isEmpty(),
            "ContentHasNoFinalizers",
            "All content-preserving finalizers finished",
            "SomeFinalizersRemain",
            "Some content in the namespace has finalizers remaining: "
                + counts(findings.finalizers(), " in ")));
  }

  private static Condition condition(
      String type,
      boolean fine,
      String fineReason,
      String fineMessage,
      String badReason,
      String badMessage) {
    return fine
        ? new Condition(type, false, fineReason, fineMessage)
        : new Condition(type, true, badReason, badMessage);
  }

  private static String counts(Map<String, Integer> counted, String word) {
    List<String> parts = new ArrayList<>();
    counted.forEach((what, count) -> parts.add(what + word + count + " resource instances"));
    return String.join(", ", parts);
  }

  private static boolean set(ArrayNode conditions, Condition wanted, String now) {
    String status = wanted.trouble() ? "True" : "False";
    for (JsonNode present : conditions) {
      if (wanted.type().equals(Json.text(present, "type"))) {
        ObjectNode entry = (ObjectNode) present;
        boolean same =
            status.equals(Json.text(entry, "status"))
                && wanted.reason().equals(Json.text(entry, "reason"))
                && wanted.message().equals(Json.text(entry, "message"));
        if (same) {
          return false;
        }
        if (!status.equals(Json.text(entry, "status"))) {
          entry.put("lastTransitionTime", now);
        }
        entry.put("status", status);
        entry.put("reason", wanted.reason()).put("message", wanted.message());
        return true;
      }
    }
    conditions
        .addObject()
        .put("type", wanted.type())
        .put("status", status)
        .put("lastTransitionTime", now)
        .put("reason", wanted.reason())
        .put("message", wanted.message());
    return true;
  }
}
