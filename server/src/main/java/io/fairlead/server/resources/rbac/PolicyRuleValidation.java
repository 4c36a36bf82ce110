package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.Problems;
import tools.jackson.databind.JsonNode;

/// Checks the rules of roles.
final class PolicyRuleValidation {
  private PolicyRuleValidation() {}

  static void check(JsonNode rules, boolean namespaced, Problems problems) {
    int index = 0;
    for (JsonNode rule : rules) {
      checkOne(rule, namespaced, "rules[" + index + "]", problems);
      index++;
    }
  }

  private static void checkOne(JsonNode rule, boolean namespaced, String path, Problems problems) {
    if (rule.path("verbs").isEmpty()) {
      problems.required(path + ".verbs", "verbs must contain at least one value");
    }
    JsonNode urls = rule.path("nonResourceURLs");
    if (!urls.isEmpty()) {
      if (namespaced) {
        problems.invalid(
            path + ".nonResourceURLs", urls, "namespaced rules cannot apply to non-resource URLs");
      }
      if (!rule.path("apiGroups").isEmpty()
          || !rule.path("resources").isEmpty()
          || !rule.path("resourceNames").isEmpty()) {
        problems.invalid(
            path + ".nonResourceURLs",
            urls,
            "rules cannot apply to both regular resources and non-resource URLs");
      }
      return;
    }
    if (rule.path("apiGroups").isEmpty()) {
      problems.required(path + ".apiGroups", "resource rules must supply at least one api group");
    }
    if (rule.path("resources").isEmpty()) {
      problems.required(path + ".resources", "resource rules must supply at least one resource");
    }
  }
}
