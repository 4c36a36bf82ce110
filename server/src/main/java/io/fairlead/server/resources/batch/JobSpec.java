package io.fairlead.server.resources.batch;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.pod.PodSpecDefaults;
import io.fairlead.server.resources.pod.PodSpecValidation;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The spec of a Job, by itself or in the template of a CronJob.
final class JobSpec {
  private static final List<String> NUMBERS =
      List.of(
          "parallelism",
          "completions",
          "activeDeadlineSeconds",
          "backoffLimit",
          "ttlSecondsAfterFinished",
          "backoffLimitPerIndex",
          "maxFailedIndexes");
  private static final int MANY = 100_000;
  private static final int FEW = 10_000;
  private static final int NO_LIMIT = Integer.MAX_VALUE;
  private static final int MAX_MANAGER = 63;

  private JobSpec() {}

  static void applyDefaults(ObjectNode spec) {
    PodSpecDefaults.applyToTemplate(Defaults.object(spec, "template"));
    boolean open = Defaults.isMissing(spec, "completions");
    if (open && Defaults.isMissing(spec, "parallelism")) {
      spec.put("completions", 1);
    }
    Defaults.missingNumber(spec, "parallelism", 1);
    Defaults.missingNumber(spec, "backoffLimit", spec.has("backoffLimitPerIndex") ? NO_LIMIT : 6);
    Defaults.missingText(spec, "completionMode", "NonIndexed");
    Defaults.missingFlag(spec, "suspend", false);
    Defaults.missingFlag(spec, "manualSelector", false);
    for (JsonNode rule : spec.path("podFailurePolicy").path("rules")) {
      for (JsonNode pattern : rule.path("onPodConditions")) {
        Defaults.text((ObjectNode) pattern, "status", "True");
      }
    }
    Defaults.missingText(
        spec,
        "podReplacementPolicy",
        spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  }

  static void check(JsonNode spec, String path, Problems problems) {
    for (String number : NUMBERS) {
      problems.notNegative(path + "." + number, spec.path(number));
    }
    checkManager(spec.path("managedBy"), path + ".managedBy", problems);
    checkMode(spec, path, problems);
    FailurePolicyCheck.check(spec, path, problems);
    SuccessPolicyCheck.check(spec, path, problems);
    JsonNode replacement = spec.path("podReplacementPolicy");
    if (replacement.isString()) {
      problems.oneOf(
          path + ".podReplacementPolicy",
          replacement,
          spec.path("podFailurePolicy").isObject()
              ? List.of("Failed")
              : List.of("Failed", "TerminatingOrFailed"));
    }
    PodSpecValidation.checkTemplate(spec.path("template"), path + ".template", problems);
    checkRestart(spec, path + ".template.spec.restartPolicy", problems);
  }

  private static void checkRestart(JsonNode spec, String path, Problems problems) {
    JsonNode policy = spec.at("/template/spec/restartPolicy");
    String text = policy.asString("");
    if (text.isEmpty() || text.equals("Always")) {
      problems.required(path, "valid values: \"OnFailure\", \"Never\"");
    } else if (!text.equals("OnFailure") && !text.equals("Never")) {
      problems.add(FieldError.notSupported(path, policy, List.of("OnFailure", "Never")));
    } else if (spec.path("podFailurePolicy").isObject() && !text.equals("Never")) {
      problems.invalid(
          path, text, "only \"Never\" is supported when podFailurePolicy is specified");
    }
  }

  private static void checkManager(JsonNode manager, String path, Problems problems) {
    if (!manager.isString()) {
      return;
    }
    String text = manager.stringValue();
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1) {
      problems.invalid(path, text, "must be a domain-prefixed path (such as \"acme.io/foo\")");
    } else {
      String domain = text.substring(0, slash);
      problems.each(path, domain, NameValidation.dns1123Subdomain(domain));
    }
    if (text.length() > MAX_MANAGER) {
      problems.add(FieldError.tooLong(path, MAX_MANAGER));
    }
  }

  private static void checkMode(JsonNode spec, String path, Problems problems) {
    JsonNode mode = spec.path("completionMode");
    if (!mode.isString()) {
      return;
    }
    String text = mode.stringValue();
    if (!text.equals("NonIndexed") && !text.equals("Indexed")) {
      problems.oneOf(path + ".completionMode", mode, List.of("NonIndexed", "Indexed"));
    }
    JsonNode failed = spec.path("maxFailedIndexes");
    JsonNode perIndex = spec.path("backoffLimitPerIndex");
    if (text.equals("NonIndexed")) {
      for (String field : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
        if (spec.path(field).isNumber()) {
          problems.invalid(
              path + "." + field, spec.path(field), "requires indexed completion mode");
        }
      }
    } else if (text.equals("Indexed")) {
      checkIndexed(spec, path, problems);
    }
    if (text.equals("Indexed") && failed.isNumber() && !perIndex.isNumber()) {
      problems.required(path + ".backoffLimitPerIndex", "when maxFailedIndexes is specified");
    }
  }

  private static void checkIndexed(JsonNode spec, String path, Problems problems) {
    JsonNode completions = spec.path("completions");
    if (!completions.isNumber()) {
      problems.required(path + ".completions", "when completion mode is Indexed");
      return;
    }
    JsonNode parallelism = spec.path("parallelism");
    JsonNode failed = spec.path("maxFailedIndexes");
    if (parallelism.asLong(0) > MANY) {
      problems.invalid(
          path + ".parallelism",
          parallelism,
          "must be less than or equal to " + MANY + " when completion mode is Indexed");
    }
    if (failed.isNumber() && failed.asLong(0) > completions.asLong(0)) {
      problems.invalid(
          path + ".maxFailedIndexes", failed, "must be less than or equal to completions");
    }
    if (failed.asLong(0) > MANY) {
      problems.invalid(path + ".maxFailedIndexes", failed, "must be less than or equal to " + MANY);
    }
    if (completions.asLong(0) > MANY && spec.path("backoffLimitPerIndex").isNumber()) {
      String detail =
          " when completions are above " + MANY + " and used with backoff limit per index";
      if (!failed.isNumber()) {
        problems.required(path + ".maxFailedIndexes", "must be specified" + detail);
      }
      if (parallelism.asLong(0) > FEW) {
        problems.invalid(
            path + ".parallelism", parallelism, "must be less than or equal to " + FEW + detail);
      }
      if (failed.asLong(0) > FEW) {
        problems.invalid(
            path + ".maxFailedIndexes", failed, "must be less than or equal to " + FEW + detail);
      }
    }
  }

  /// What only a Job of its own demands: a selector that picks the pods of its template.
  static void checkSelector(JsonNode spec, Problems problems) {
    if (!spec.path("selector").isObject()) {
      problems.required("spec.selector");
    } else {
      problems.addAll(MetadataRules.labelSelector(spec.path("selector"), "spec.selector"));
    }
  }
}
