package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.server.cel.CelType;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What is wrong with what an admission policy changes.
final class MutationValidation {
  private static final String APPLY = "ApplyConfiguration";
  private static final String PATCH = "JSONPatch";
  private static final AdmissionExpressions EXPRESSIONS = AdmissionExpressions.OF_MUTATION;

  private MutationValidation() {}

  /// What is deleted cannot be changed.
  static void operations(Problems problems, JsonNode match) {
    for (JsonNode rule : match.path("resourceRules")) {
      for (JsonNode operation : rule.path("operations")) {
        if (operation.asString("").equals("DELETE")) {
          problems.oneOf(
              "spec.matchConstraints.resourceRules.operations",
              operation,
              List.of("*", "CONNECT", "CREATE", "UPDATE"));
        }
      }
    }
  }

  static void mutations(Problems problems, JsonNode spec) {
    if (spec.path("mutations").isEmpty()) {
      problems.required("spec.mutations", "mutations must contain at least one item");
    }
    int index = 0;
    for (JsonNode mutation : spec.path("mutations")) {
      mutation(problems, "spec.mutations[" + index++ + "]", mutation);
    }
    if (Json.textOr(spec, "", "reinvocationPolicy").isEmpty()) {
      problems.required("spec.reinvocationPolicy");
    } else {
      problems.oneOf(
          "spec.reinvocationPolicy", spec.path("reinvocationPolicy"), List.of("IfNeeded", "Never"));
    }
  }

  private static void mutation(Problems problems, String path, JsonNode mutation) {
    String type = Json.textOr(mutation, "", "patchType");
    switch (type) {
      case APPLY -> {
        chosen(problems, path, mutation, "applyConfiguration", "jsonPatch", type);
        expression(
            problems,
            path + ".applyConfiguration.expression",
            mutation.path("applyConfiguration"),
            CelType.openObject(AdmissionExpressions.OBJECT));
      }
      case PATCH -> {
        chosen(problems, path, mutation, "jsonPatch", "applyConfiguration", type);
        expression(
            problems,
            path + ".jsonPatch.expression",
            mutation.path("jsonPatch"),
            CelType.list(AdmissionExpressions.JSON_PATCH));
      }
      case "" -> problems.required(path + ".patchType");
      default ->
          problems.oneOf(path + ".patchType", mutation.path("patchType"), List.of(APPLY, PATCH));
    }
  }

  private static void chosen(
      Problems problems,
      String path,
      JsonNode mutation,
      String wanted,
      String unwanted,
      String type) {
    if (!mutation.path(wanted).isObject()) {
      problems.required(path + "." + wanted, "must be specified when patchType is " + type);
    }
    if (mutation.path(unwanted).isObject()) {
      problems.invalid(
          path + "." + unwanted,
          "{" + unwanted + "}",
          "must not be specified when patchType is " + type);
    }
  }

  private static void expression(Problems problems, String path, JsonNode holder, CelType wanted) {
    if (holder.isObject()) {
      ExpressionValidation.typed(
          problems, path, Json.textOr(holder, "", "expression"), EXPRESSIONS, wanted);
    }
  }
}
