package io.fairlead.server.resources.batch;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.kind.Defaults;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in how quickly an autoscaler may act, where its author said anything about it.
final class AutoscalerBehavior {
  private static final int PERIOD = 15;
  private static final int ALL = 100;
  private static final int PODS = 4;

  private AutoscalerBehavior() {}

  static void applyDefaults(ObjectNode spec) {
    if (!(spec.get("behavior") instanceof ObjectNode behavior)) {
      return;
    }
    ObjectNode up = Json.child(behavior, "scaleUp");
    Defaults.missingNumber(up, "stabilizationWindowSeconds", 0);
    Defaults.missingText(up, "selectPolicy", "Max");
    if (!up.has("policies")) {
      ArrayNode policies = up.putArray("policies");
      policy(policies, "Pods", PODS);
      policy(policies, "Percent", ALL);
    }
    ObjectNode down = Json.child(behavior, "scaleDown");
    Defaults.missingText(down, "selectPolicy", "Max");
    if (!down.has("policies")) {
      policy(down.putArray("policies"), "Percent", ALL);
    }
  }

  private static void policy(ArrayNode policies, String type, int value) {
    policies.addObject().put("type", type).put("value", value).put("periodSeconds", PERIOD);
  }
}
