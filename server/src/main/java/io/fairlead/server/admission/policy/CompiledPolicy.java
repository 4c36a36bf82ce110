package io.fairlead.server.admission.policy;

import io.fairlead.api.json.Json;
import io.fairlead.server.admission.webhook.MatchConditions;
import io.fairlead.server.admission.webhook.MatchCriteria;
import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.resources.admission.AdmissionExpressions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A ValidatingAdmissionPolicy or a MutatingAdmissionPolicy, read once.
///
/// @param paramApiVersion with `paramKind` the kind of its parameters; empty for none
/// @param rules what a validating one asks for
/// @param mutations what a mutating one changes, in their order
/// @param reinvocable whether it wants to see what others changed after it
record CompiledPolicy(
    String name,
    MatchCriteria criteria,
    MatchConditions conditions,
    boolean failsOpen,
    String paramApiVersion,
    String paramKind,
    List<Named> variables,
    List<Rule> rules,
    List<Named> annotations,
    List<Mutation> mutations,
    boolean reinvocable) {

  /// An expression by its name; null where it cannot be compiled.
  record Named(String name, @Nullable CelProgram program) {}

  /// One validation.
  ///
  /// @param text of the expression
  /// @param words computes the message; null for none
  record Rule(
      String text,
      @Nullable CelProgram program,
      String message,
      @Nullable CelProgram words,
      String reason) {}

  /// One mutation.
  ///
  /// @param program null where it cannot be compiled
  /// @param patches whether it gives a JSON patch, not a part of the object
  record Mutation(String text, @Nullable CelProgram program, boolean patches) {}

  boolean hasParams() {
    return !paramKind.isEmpty();
  }

  static List<CompiledPolicy> of(JsonNode object) {
    JsonNode spec = object.path("spec");
    JsonNode match = spec.path("matchConstraints");
    JsonNode kind = spec.path("paramKind");
    List<Rule> rules = new ArrayList<>();
    for (JsonNode each : spec.path("validations")) {
      String text = Json.textOr(each, "", "expression").strip();
      String message = Json.textOr(each, "", "message").strip();
      rules.add(
          new Rule(
              text,
              program(text),
              message.isEmpty() ? "failed expression: " + text : message,
              program(Json.textOr(each, "", "messageExpression")),
              Json.textOr(each, "Invalid", "reason")));
    }
    return List.of(
        new CompiledPolicy(
            Json.textOr(object, "", "metadata", "name"),
            MatchCriteria.of(
                match, match.path("resourceRules"), match.path("excludeResourceRules")),
            MatchConditions.of(spec.path("matchConditions"), AdmissionExpressions.OF_POLICY),
            Json.textOr(spec, "", "failurePolicy").equals("Ignore"),
            Json.textOr(kind, "", "apiVersion"),
            Json.textOr(kind, "", "kind"),
            named(spec.path("variables"), "name", "expression"),
            rules,
            named(spec.path("auditAnnotations"), "key", "valueExpression"),
            mutations(spec.path("mutations")),
            Json.textOr(spec, "", "reinvocationPolicy").equals("IfNeeded")));
  }

  private static List<Mutation> mutations(JsonNode list) {
    List<Mutation> found = new ArrayList<>();
    for (JsonNode each : list) {
      boolean patches = Json.textOr(each, "", "patchType").equals("JSONPatch");
      String text =
          Json.textOr(each, "", patches ? "jsonPatch" : "applyConfiguration", "expression").strip();
      found.add(new Mutation(text, program(text, AdmissionExpressions.OF_MUTATION), patches));
    }
    return found;
  }

  private static List<Named> named(JsonNode list, String name, String expression) {
    List<Named> found = new ArrayList<>();
    for (JsonNode each : list) {
      found.add(new Named(Json.textOr(each, "", name), program(Json.textOr(each, "", expression))));
    }
    return found;
  }

  private static @Nullable CelProgram program(String text) {
    return program(text, AdmissionExpressions.OF_POLICY);
  }

  private static @Nullable CelProgram program(String text, AdmissionExpressions expressions) {
    try {
      return text.isBlank() ? null : expressions.compile(text);
    } catch (CelCompileException _) {
      return null; // stored when more was allowed; then it has no value
    }
  }
}
