package io.fairlead.server.resources.batch;

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
          "ttlSecondsAfterFinished");

  private JobSpec() {}

  static void applyDefaults(ObjectNode spec) {
    PodSpecDefaults.applyToTemplate(Defaults.object(spec, "template"));
    boolean open = Defaults.isMissing(spec, "completions");
    if (open && Defaults.isMissing(spec, "parallelism")) {
      spec.put("completions", 1);
    }
    Defaults.missingNumber(spec, "parallelism", 1);
    Defaults.missingNumber(spec, "backoffLimit", 6);
    Defaults.missingText(spec, "completionMode", "NonIndexed");
    Defaults.missingFlag(spec, "suspend", false);
    Defaults.missingFlag(spec, "manualSelector", false);
    for (JsonNode rule : spec.path("podFailurePolicy").path("rules")) {
      for (JsonNode pattern : rule.path("onPodConditions")) {
        Defaults.missingText((ObjectNode) pattern, "status", "True");
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
    PodSpecValidation.checkTemplate(spec.path("template"), path + ".template", problems);
    JsonNode policy = spec.at("/template/spec/restartPolicy");
    if (policy.asString("").equals("Always")) {
      problems.required(
          path + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\"");
    }
    FailurePolicyCheck.check(spec, path, problems);
    if (spec.path("completionMode").asString("").equals("Indexed") && !spec.has("completions")) {
      problems.required(path + ".completions", "when completion mode is Indexed");
    }
  }
}
