package io.fairlead.server.resources.pod;

import io.fairlead.api.names.NameValidation;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks tolerations.
public final class TolerationValidation {
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

  private TolerationValidation() {}

  public static void check(JsonNode tolerations, String path, Problems problems) {
    int index = 0;
    for (JsonNode toleration : tolerations) {
      checkOne(toleration, path + "[" + index + "]", problems);
      index++;
    }
  }

  private static void checkOne(JsonNode toleration, String path, Problems problems) {
    String key = toleration.path("key").asString("");
    String operator = toleration.path("operator").asString("");
    String effect = toleration.path("effect").asString("");
    if (!key.isEmpty()) {
      problems.each(path + ".key", key, NameValidation.qualifiedName(key));
    } else if (!operator.equals("Exists")) {
      problems.invalid(
          path + ".operator",
          operator,
          "operator must be Exists when `key` is empty, which means \"match all values and all"
              + " keys\"");
    }
    if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
      problems.invalid(
          path + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    String value = toleration.path("value").asString("");
    switch (operator) {
      case "", "Equal" ->
          problems.each(path + ".operator", value, NameValidation.labelValue(value));
      case "Exists" -> {
        if (!value.isEmpty()) {
          problems.invalid(
              path + ".operator", value, "value must be empty when `operator` is 'Exists'");
        }
      }
      default ->
          problems.oneOf(
              path + ".operator", toleration.path("operator"), List.of("Equal", "Exists"));
    }
    if (!effect.isEmpty()) {
      problems.oneOf(path + ".effect", toleration.path("effect"), EFFECTS);
    }
  }
}
