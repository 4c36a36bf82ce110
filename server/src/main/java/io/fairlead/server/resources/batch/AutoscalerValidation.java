package io.fairlead.server.resources.batch;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceNameRules;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks autoscalers: the target, the bounds, the metrics and how quickly it may act.
final class AutoscalerValidation {
  private static final int MOST_WINDOW = 3600;
  private static final int MOST_PERIOD = 1800;
  private static final List<String> TYPES =
      List.of("ContainerResource", "External", "Object", "Pods", "Resource");

  /// In the order in which they are looked at.
  private static final List<String> SOURCES =
      List.of("object", "external", "pods", "containerResource", "resource");

  private final Problems problems;

  AutoscalerValidation(Problems problems) {
    this.problems = problems;
  }

  void check(JsonNode spec) {
    JsonNode least = spec.path("minReplicas");
    if (least.isNumber() && least.asLong(0) < 1) {
      problems.invalid("spec.minReplicas", least, "must be greater than or equal to 1");
    }
    long most = spec.path("maxReplicas").asLong(0);
    if (most == 0) {
      problems.required("spec.maxReplicas", "must be set and greater than 0");
    } else if (most < 1) {
      problems.invalid("spec.maxReplicas", most, "must be greater than or equal to 1");
    }
    if (least.isNumber() && most < least.asLong(0)) {
      problems.invalid("spec.maxReplicas", most, "must be greater than or equal to `minReplicas`");
    }
    target(spec.path("scaleTargetRef"), "spec.scaleTargetRef", true);
    metrics(spec.path("metrics"), least);
    for (String direction : List.of("scaleUp", "scaleDown")) {
      JsonNode rules = spec.path("behavior").path(direction);
      if (rules.isObject()) {
        behavior(rules, "spec.behavior." + direction);
      }
    }
  }

  private void target(JsonNode reference, String path, boolean groupNeeded) {
    String kind = reference.path("kind").asString("");
    for (String field : List.of("kind", "name")) {
      String text = reference.path(field).asString("");
      if (text.isEmpty()) {
        problems.required(path + "." + field);
      } else {
        problems.each(path + "." + field, text, NameValidation.pathSegment(text));
      }
    }
    String apiVersion = reference.path("apiVersion").asString("");
    if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      problems.invalid(
          path + ".apiVersion", apiVersion, "unexpected GroupVersion string: " + apiVersion);
    } else if (groupNeeded
        && apiVersion.indexOf('/') < 0
        && !kind.equals("ReplicationController")) {
      problems.invalid(path + ".apiVersion", apiVersion, "apiVersion must specify API group");
    }
  }

  private void metrics(JsonNode metrics, JsonNode least) {
    boolean outside = false;
    int index = 0;
    for (JsonNode metric : metrics) {
      metric(metric, "spec.metrics[" + index + "]");
      String type = metric.path("type").asString("");
      outside |= type.equals("Object") || type.equals("External");
      index++;
    }
    if (least.isNumber() && least.asLong(1) == 0 && !outside) {
      problems.forbidden(
          "spec.metrics",
          "must specify at least one Object or External metric to support scaling to zero"
              + " replicas");
    }
  }

  private void metric(JsonNode metric, String path) {
    String type = metric.path("type").asString("");
    if (type.isEmpty()) {
      problems.required(path + ".type", "must specify a metric source type");
    }
    if (!TYPES.contains(type)) {
      problems.oneOf(path + ".type", metric.path("type"), TYPES);
    }
    List<String> sources = SOURCES.stream().filter(one -> metric.path(one).isObject()).toList();
    if (!sources.isEmpty()) {
      source(sources.getFirst(), metric, path);
    }
    if (!TYPES.contains(type)) {
      // The original reports it here a second time.
      problems.oneOf(path + ".type", metric.path("type"), TYPES);
      return;
    }
    String field = Character.toLowerCase(type.charAt(0)) + type.substring(1);
    if (!metric.path(field).isObject()) {
      problems.required(
          path + "." + field, "must populate information for the given metric source");
    }
    if (sources.size() > 1) {
      for (String source : sources) {
        if (!source.equals(field)) {
          problems.forbidden(path + "." + source, "must populate the given metric source only");
        }
      }
    }
  }

  /// Of several sources the first one is looked into.
  private void source(String source, JsonNode metric, String path) {
    if (source.equals("object")) {
      JsonNode object = metric.path("object");
      target(object.path("describedObject"), path + ".object.describedObject", false);
      name(object.path("metric"), path + ".object.metric");
      amounts(object.path("target"), path + ".object.target");
      if (!object.path("target").has("value") && !object.path("target").has("averageValue")) {
        problems.required(
            path + ".object.target.averageValue", "must set either a target value or averageValue");
      }
    }
    if (source.equals("external")) {
      external(metric.path("external"), path + ".external");
    }
    if (source.equals("pods")) {
      JsonNode pods = metric.path("pods");
      name(pods.path("metric"), path + ".pods.metric");
      amounts(pods.path("target"), path + ".pods.target");
      if (!pods.path("target").has("averageValue")) {
        problems.required(
            path + ".pods.target.averageValue", "must specify a positive target averageValue");
      }
    }
    if (source.equals("containerResource")) {
      container(metric.path("containerResource"), path + ".containerResource");
    }
    if (source.equals("resource")) {
      JsonNode resource = metric.path("resource");
      required(resource, "name", path + ".resource", "must specify a resource name");
      resourceTarget(resource.path("target"), path + ".resource.target");
    }
  }

  private void container(JsonNode container, String path) {
    String name = container.path("name").asString("");
    if (name.isEmpty()) {
      problems.required(path + ".name", "must specify a resource name");
    } else {
      ResourceNameRules.checkContainer(name, path + ".name", problems);
    }
    String inside = container.path("container").asString("");
    if (inside.isEmpty()) {
      problems.required(path + ".container", "must specify a container");
    } else {
      problems.each(path + ".container", inside, NameValidation.dns1123Label(inside));
    }
    resourceTarget(container.path("target"), path + ".target");
  }

  private void external(JsonNode external, String path) {
    if (!external.isObject()) {
      return;
    }
    name(external.path("metric"), path + ".metric");
    JsonNode target = external.path("target");
    amounts(target, path + ".target");
    if (!target.has("value") && !target.has("averageValue")) {
      problems.required(
          path + ".target.averageValue",
          "must set either a target value for metric or a per-pod target");
    } else if (target.has("value") && target.has("averageValue")) {
      problems.forbidden(
          path + ".target.value",
          "may not set both a target value for metric and a per-pod target");
    }
  }

  private void name(JsonNode metric, String path) {
    String name = metric.path("name").asString("");
    if (name.isEmpty()) {
      problems.required(path + ".name", "must specify a metric name");
    } else {
      problems.each(path + ".name", name, NameValidation.pathSegment(name));
    }
  }

  private void resourceTarget(JsonNode target, String path) {
    amounts(target, path);
    boolean share = target.path("averageUtilization").isNumber();
    boolean amount = target.has("averageValue");
    if (!share && !amount) {
      problems.required(
          path + ".averageUtilization",
          "must set either a target raw value or a target utilization");
    } else if (share && amount) {
      problems.forbidden(
          path + ".averageValue", "may not set both a target raw value and a target utilization");
    }
  }

  private void targetType(JsonNode target, String path) {
    String type = target.path("type").asString("");
    if (type.isEmpty()) {
      problems.required(path + ".type", "must specify a metric target type");
    }
    if (!List.of("Utilization", "Value", "AverageValue").contains(type)) {
      problems.invalid(path + ".type", type, "must be either Utilization, Value, or AverageValue");
    }
  }

  private void amounts(JsonNode target, String path) {
    targetType(target, path);
    positive(target.path("value"), path + ".value");
    positive(target.path("averageValue"), path + ".averageValue");
    JsonNode share = target.path("averageUtilization");
    if (share.isNumber() && share.asLong(0) < 1) {
      problems.invalid(path + ".averageUtilization", share, "must be greater than 0");
    }
  }

  private void positive(JsonNode amount, String path) {
    Quantity quantity = Quantity.parseOrNull(amount.asString(""));
    if (quantity != null && quantity.signum() <= 0) {
      problems.invalid(path, quantity.toString(), "must be positive");
    }
  }

  private void required(JsonNode holder, String field, String path, String detail) {
    if (holder.path(field).asString("").isEmpty()) {
      problems.required(path + "." + field, detail);
    }
  }

  private void behavior(JsonNode rules, String path) {
    JsonNode window = rules.path("stabilizationWindowSeconds");
    if (window.isNumber() && window.asLong(0) < 0) {
      problems.invalid(
          path + ".stabilizationWindowSeconds", window, "must be greater than or equal to zero");
    } else if (window.asLong(0) > MOST_WINDOW) {
      problems.invalid(
          path + ".stabilizationWindowSeconds",
          window,
          "must be less than or equal to " + MOST_WINDOW);
    }
    JsonNode select = rules.path("selectPolicy");
    if (select.isString()) {
      problems.oneOf(path + ".selectPolicy", select, List.of("Disabled", "Max", "Min"));
    }
    if (rules.path("policies").isEmpty()) {
      problems.required(path + ".policies", "must specify at least one Policy");
    }
    int index = 0;
    for (JsonNode policy : rules.path("policies")) {
      policy(policy, path + ".policies[" + index + "]");
      index++;
    }
    Quantity tolerance = Quantity.parseOrNull(rules.path("tolerance").asString(""));
    if (tolerance != null && tolerance.signum() < 0) {
      problems.invalid(path + ".tolerance", tolerance.toString(), Problems.NOT_NEGATIVE);
    }
  }

  private void policy(JsonNode policy, String path) {
    problems.oneOf(path + ".type", policy.path("type"), List.of("Percent", "Pods"));
    for (String field : List.of("value", "periodSeconds")) {
      long number = policy.path(field).asLong(0);
      if (number <= 0) {
        problems.invalid(path + "." + field, number, "must be greater than zero");
      } else if (field.equals("periodSeconds") && number > MOST_PERIOD) {
        problems.invalid(
            path + "." + field, number, "must be less than or equal to " + MOST_PERIOD);
      }
    }
  }
}
