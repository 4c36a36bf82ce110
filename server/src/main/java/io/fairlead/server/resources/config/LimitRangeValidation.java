package io.fairlead.server.resources.config;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.Quantity;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceNameRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Checks the limits of a LimitRange: names of resources, and that the bounds of each fit together.
final class LimitRangeValidation {
  private static final List<String> TYPES = List.of("Pod", "Container", "PersistentVolumeClaim");
  private static final List<String> BOUNDS =
      List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

  private LimitRangeValidation() {}

  static void check(JsonNode limits, Problems problems) {
    Set<String> types = Problems.seen();
    int index = 0;
    for (JsonNode limit : limits) {
      String path = "spec.limits[" + index + "]";
      String type = limit.path("type").asString("");
      checkType(type, path + ".type", problems);
      if (!types.add(type)) {
        problems.duplicate(path + ".type", type);
      }
      checkLimit(limit, type, path, problems);
      index++;
    }
  }

  private static void checkType(String type, String path, Problems problems) {
    List<String> texts = NameValidation.qualifiedName(type);
    problems.each(path, type, texts);
    if (texts.isEmpty() && type.indexOf('/') < 0 && !TYPES.contains(type)) {
      problems.invalid(path, type, "must be a standard limit type or fully qualified");
    }
  }

  private static void checkLimit(JsonNode limit, String type, String path, Problems problems) {
    Set<String> names = new TreeSet<>();
    for (String bound : BOUNDS) {
      boolean ofPods = type.equals("Pod") && bound.startsWith("default");
      if (ofPods && !limit.path(bound).isEmpty()) {
        problems.forbidden(path + "." + bound, "may not be specified when `type` is 'Pod'");
      }
      for (Map.Entry<String, JsonNode> entry : limit.path(bound).properties()) {
        names.add(entry.getKey());
        if (ofPods) {
          continue;
        }
        String at = path + "." + bound + "[" + entry.getKey() + "]";
        if (type.equals("Pod") || type.equals("Container")) {
          ResourceNameRules.checkContainer(entry.getKey(), at, problems);
        } else {
          ResourceNameRules.check(entry.getKey(), at, problems);
        }
      }
    }
    if (type.equals("PersistentVolumeClaim")
        && !limit.path("min").has("storage")
        && !limit.path("max").has("storage")) {
      problems.required(
          path + ".limits",
          "either minimum or maximum storage value is required, but neither was provided");
    }
    for (String name : names) {
      new Amounts(limit, name, path, problems).check();
    }
  }

  /// The bounds of one resource.
  private static final class Amounts {
    private final JsonNode limit;
    private final String name;
    private final String path;
    private final Problems problems;

    Amounts(JsonNode limit, String name, String path, Problems problems) {
      this.limit = limit;
      this.name = name;
      this.path = path;
      this.problems = problems;
    }

    void check() {
      Quantity max = amount("max");
      Quantity min = amount("min");
      Quantity usual = amount("default");
      Quantity request = amount("defaultRequest");
      Quantity ratio = amount("maxLimitRequestRatio");
      order("min", min, "min value", min, "max value", max);
      order("defaultRequest", request, "min value", min, "default request value", request);
      order("defaultRequest", request, "default request value", request, "max value", max);
      order(
          "defaultRequest",
          request,
          "default request value",
          request,
          "default limit value",
          usual);
      order("default", min, "min value", min, "default value", usual);
      order("default", max, "default value", usual, "max value", max);
      if (ratio == null) {
        return;
      }
      if (ratio.compareTo(Quantity.of(1)) < 0) {
        report("maxLimitRequestRatio", ratio, "ratio " + ratio + " is less than 1");
      }
      if (min != null && max != null) {
        double most = (double) max.milliValue() / min.milliValue();
        if (ratio.milliValue() / 1000.0 > most) {
          report(
              "maxLimitRequestRatio",
              ratio,
              "ratio %s is greater than max/min = %f".formatted(ratio, most));
        }
      }
    }

    private void order(
        String bound,
        @Nullable Quantity shown,
        String lesserName,
        @Nullable Quantity lesser,
        String greaterName,
        @Nullable Quantity greater) {
      if (shown != null && lesser != null && greater != null && lesser.compareTo(greater) > 0) {
        report(
            bound,
            shown,
            lesserName + " " + lesser + " is greater than " + greaterName + " " + greater);
      }
    }

    private @Nullable Quantity amount(String bound) {
      return Quantity.parseOrNull(limit.path(bound).path(name).asString(""));
    }

    private void report(String bound, Quantity shown, String detail) {
      problems.invalid(path + "." + bound + "[" + name + "]", shown.toString(), detail);
    }
  }
}
