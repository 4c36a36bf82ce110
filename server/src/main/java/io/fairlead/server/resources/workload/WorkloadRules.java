package io.fairlead.server.resources.workload;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.Names;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.pod.PodSpecValidation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What the kinds that make pods demand alike: a selector that picks the pods of their template,
/// and a template that can run for ever.
public final class WorkloadRules {
  private WorkloadRules() {}

  /// Checks `spec.selector`, and `spec.template` against it. `word` is how the texts call the kind.
  static void checkSelectorAndTemplate(
      ObjectNode object, String word, String kind, Problems problems) {
    JsonNode spec = object.path("spec");
    JsonNode selector = spec.path("selector");
    if (!selector.isObject()) {
      problems.required("spec.selector");
    } else {
      problems.addAll(MetadataRules.labelSelector(selector, "spec.selector"));
      if (selector.isEmpty()) {
        problems.invalid("spec.selector", selector, "empty selector is invalid for " + word);
      }
    }
    JsonNode template = spec.path("template");
    JsonNode labels = template.path("metadata").path("labels");
    if (!matches(selector, labels)) {
      problems.invalid(
          "spec.template.metadata.labels",
          labels.isObject() ? labels : JsonNodeFactory.instance.nullNode(),
          "`selector` does not match template `labels`");
    }
    PodSpecValidation.checkTemplate(template, "spec.template", problems);
    JsonNode pod = template.path("spec");
    problems.oneOf(
        "spec.template.spec.restartPolicy", pod.path("restartPolicy"), List.of("Always"));
    if (pod.has("activeDeadlineSeconds")) {
      problems.forbidden(
          "spec.template.spec.activeDeadlineSeconds",
          "activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  /// Counts of a status: none below zero, none above the number of replicas.
  static void checkCounts(
      JsonNode status, List<String> counts, List<String> bounded, Problems problems) {
    for (String count : counts) {
      problems.notNegative("status." + count, status.path(count));
    }
    long replicas = status.path("replicas").asLong(0);
    for (String count : bounded) {
      if (status.path(count).asLong(0) > replicas) {
        problems.invalid(
            "status." + count, status.path(count), "cannot be greater than status.replicas");
      }
    }
    if (status.path("availableReplicas").asLong(0) > status.path("readyReplicas").asLong(0)) {
      problems.invalid(
          "status.availableReplicas",
          status.path("availableReplicas"),
          "cannot be greater than readyReplicas");
    }
  }

  /// A number or a percentage, not below zero.
  static void checkIntOrPercent(String path, JsonNode value, Problems problems) {
    if (value.isString()) {
      problems.each(path, value.stringValue(), Names.percent(value.stringValue()));
    } else {
      problems.notNegative(path, value);
    }
  }

  /// Whether the value is 0 or 0 %.
  static boolean isZero(JsonNode value) {
    return value.isString() ? value.stringValue().equals("0%") : value.asLong(0) == 0;
  }

  private static boolean matches(JsonNode selector, JsonNode labels) {
    if (!(selector instanceof ObjectNode given)) {
      return false;
    }
    Map<String, String> map = new TreeMap<>();
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      map.put(label.getKey(), label.getValue().asString(""));
    }
    try {
      return LabelSelector.of(given).matches(map);
    } catch (io.fairlead.api.status.ApiException unknownOperator) {
      // Reported by the check of the selector itself.
      return true;
    }
  }
}
