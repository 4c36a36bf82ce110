package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What is wrong with the webhooks of a configuration, in the words of the original.
final class WebhookValidation {
  private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
  private static final List<String> VERSIONS = List.of("v1", "v1beta1");
  private static final int LONGEST_SECONDS = 30;
  private static final int LEAST_SEGMENTS = 3;

  private final Problems problems;
  private final boolean mutating;

  WebhookValidation(Problems problems, boolean mutating) {
    this.problems = problems;
    this.mutating = mutating;
  }

  void check(JsonNode webhooks) {
    Set<String> names = new HashSet<>();
    int index = 0;
    for (JsonNode webhook : webhooks) {
      String path = "webhooks[" + index++ + "]";
      check(path, webhook);
      String name = Json.textOr(webhook, "", "name");
      if (!name.isEmpty()) {
        problems.unique(path + ".name", name, names);
      }
    }
  }

  private void check(String path, JsonNode webhook) {
    checkName(path + ".name", Json.textOr(webhook, "", "name"));
    AdmissionRuleValidation.labelSelector(
        problems, path + ".namespaceSelector", webhook.path("namespaceSelector"));
    AdmissionRuleValidation.labelSelector(
        problems, path + ".objectSelector", webhook.path("objectSelector"));
    int index = 0;
    for (JsonNode rule : webhook.path("rules")) {
      AdmissionRuleValidation.rule(problems, path + ".rules[" + index++ + "]", rule, true);
    }
    chosen(path + ".failurePolicy", webhook.path("failurePolicy"), List.of("Fail", "Ignore"));
    chosen(path + ".matchPolicy", webhook.path("matchPolicy"), List.of("Equivalent", "Exact"));
    checkSideEffects(path + ".sideEffects", webhook.path("sideEffects"));
    if (mutating) {
      chosen(
          path + ".reinvocationPolicy",
          webhook.path("reinvocationPolicy"),
          List.of("IfNeeded", "Never"));
    }
    JsonNode timeout = webhook.path("timeoutSeconds");
    if (timeout.isNumber() && (timeout.asInt() > LONGEST_SECONDS || timeout.asInt() < 1)) {
      problems.invalid(
          path + ".timeoutSeconds",
          timeout,
          "the timeout value must be between 1 and " + LONGEST_SECONDS + " seconds");
    }
    ClientConfigValidation.check(problems, path + ".clientConfig", webhook.path("clientConfig"));
    checkVersions(path + ".admissionReviewVersions", webhook.path("admissionReviewVersions"));
    ExpressionValidation.conditions(
        problems,
        path + ".matchConditions",
        webhook.path("matchConditions"),
        AdmissionExpressions.OF_WEBHOOK);
  }

  private void checkName(String path, String name) {
    if (name.isEmpty()) {
      problems.required(path);
      return;
    }
    List<String> faults = NameValidation.dns1123Subdomain(name);
    problems.each(path, name, faults);
    if (faults.isEmpty() && name.split("\\.", -1).length < LEAST_SEGMENTS) {
      problems.invalid(
          path, name, "should be a domain with at least three segments separated by dots");
    }
  }

  private void chosen(String path, JsonNode value, List<String> choices) {
    if (!value.isMissingNode()) {
      problems.oneOf(path, value, choices);
    }
  }

  private void checkSideEffects(String path, JsonNode value) {
    if (value.isMissingNode()) {
      problems.required(path, "must specify one of " + String.join(", ", SIDE_EFFECTS));
    } else {
      problems.oneOf(path, value, SIDE_EFFECTS);
    }
  }

  private void checkVersions(String path, JsonNode versions) {
    if (versions.isEmpty()) {
      problems.required(path, "must specify one of " + String.join(", ", VERSIONS));
      return;
    }
    Set<String> seen = new HashSet<>();
    boolean known = false;
    int index = 0;
    for (JsonNode version : versions) {
      String text = version.asString("");
      String at = path + "[" + index++ + "]";
      if (!seen.add(text)) {
        problems.invalid(at, text, "duplicate version");
        continue;
      }
      problems.each(at, text, NameValidation.dns1035Label(text));
      known |= VERSIONS.contains(text);
    }
    if (!known) {
      problems.add(
          FieldError.invalid(
              path, versions, "must include at least one of " + String.join(", ", VERSIONS)));
    }
  }
}
