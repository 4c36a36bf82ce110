package io.fairlead.server.resources.workload;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.FieldError;
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
public final class WorkloadValidation {
  private WorkloadValidation() {}

  private static final String LABEL_SELECTOR = "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector";

  /// What becomes of a template whose selector is wrong.
  enum BadSelector {
    /// Nothing of the template is looked at.
    HIDES_TEMPLATE,
    /// Only what is said about every template is looked at, and the selector goes without a text.
    HIDES_POD,
    /// The template is looked at all the same, and the selector may be missing.
    IS_IGNORED
  }

  /// Checks `spec.selector`, and `spec.template` against it. `word` is how the texts call the kind.
  static void checkSelectorAndTemplate(
      ObjectNode object, String word, String kind, BadSelector bad, Problems problems) {
    JsonNode spec = object.path("spec");
    JsonNode selector = spec.path("selector");
    List<FieldError> faults = MetadataRules.labelSelector(selector, "spec.selector");
    problems.addAll(faults);
    if (!selector.isObject() && bad != BadSelector.IS_IGNORED) {
      problems.required("spec.selector");
    } else if (selector.isObject() && selector.isEmpty()) {
      problems.invalid("spec.selector", selector, "empty selector is invalid for " + word);
    }
    if (!faults.isEmpty() && bad != BadSelector.IS_IGNORED) {
      problems.invalid(
          "spec.selector",
          GoForm.external(selector, LABEL_SELECTOR),
          bad == BadSelector.HIDES_POD ? "" : "invalid label selector");
    }
    JsonNode template = spec.path("template");
    JsonNode labels = template.path("metadata").path("labels");
    if (faults.isEmpty() && !matches(selector, labels)) {
      problems.invalid(
          "spec.template.metadata.labels",
          labels.isObject() ? GoForm.sorted(labels) : JsonNodeFactory.instance.nullNode(),
          "`selector` does not match template `labels`");
    }
    if (faults.isEmpty() || bad == BadSelector.IS_IGNORED) {
      PodSpecValidation.checkTemplate(template, "spec.template", problems);
      if (bad == BadSelector.HIDES_POD) {
        // The original looks at them with the rest of the template and again here.
        PodSpecValidation.checkTemplateMetadata(template, "spec.template", problems);
      }
    } else if (bad == BadSelector.HIDES_TEMPLATE) {
      return;
    }
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
            "status." + count,
            status.path(count).asLong(0),
            "cannot be greater than status.replicas");
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
      problems.each(path, value.stringValue(), NameValidation.percent(value.stringValue()));
    } else {
      problems.notNegative(path, value);
    }
  }

  /// Whether the value comes to nothing: 0, 0 % or what is neither a number nor a percentage.
  static boolean isZero(JsonNode value) {
    if (!value.isString()) {
      return value.asLong(0) == 0;
    }
    // What is no percentage counts as nothing.
    return value.stringValue().equals("0%")
        || !NameValidation.percent(value.stringValue()).isEmpty();
  }

  /// A number or a percentage that may not be above 100 %.
  static void checkAtMostWhole(String path, JsonNode value, Problems problems) {
    String text = value.asString("");
    if (value.isString() && text.matches("[0-9]{3,6}%") && !text.equals("100%")) {
      problems.invalid(path, value, "must not be greater than 100%");
    }
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
