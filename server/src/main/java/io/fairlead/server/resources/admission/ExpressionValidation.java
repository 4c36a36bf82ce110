package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.cel.CelType;
import io.fairlead.server.resources.kind.Problems;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What is wrong with expressions in CEL, in the words of the original.
final class ExpressionValidation {
  private static final int MOST_CONDITIONS = 64;

  private ExpressionValidation() {}

  /// The `matchConditions` of a webhook or policy.
  static void conditions(
      Problems problems, String path, JsonNode conditions, AdmissionExpressions expressions) {
    if (conditions.size() > MOST_CONDITIONS) {
      problems.add(FieldError.tooMany(path, conditions.size(), MOST_CONDITIONS));
    }
    Set<String> names = new HashSet<>();
    int index = 0;
    for (JsonNode condition : conditions) {
      String at = path + "[" + index++ + "]";
      condition(
          problems, at + ".expression", Json.textOr(condition, "", "expression"), expressions);
      String name = Json.textOr(condition, "", "name");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      } else {
        problems.each(at + ".name", name, NameValidation.qualifiedName(name));
        problems.unique(at + ".name", name, names);
      }
    }
  }

  /// An expression that gives a truth value.
  static void condition(
      Problems problems, String path, String text, AdmissionExpressions expressions) {
    typed(problems, path, text, expressions, CelType.BOOL);
  }

  /// An expression that gives a value of that type.
  static void typed(
      Problems problems,
      String path,
      String text,
      AdmissionExpressions expressions,
      CelType wanted) {
    if (text.isBlank()) {
      problems.required(path);
      return;
    }
    try {
      CelProgram program = expressions.compile(text);
      if (!program.type().isDyn() && !program.type().toString().equals(wanted.toString())) {
        problems.invalid(path, text, "must evaluate to " + wanted + " but got " + program.type());
      }
    } catch (CelCompileException e) {
      problems.invalid(path, text, "compilation failed: " + e.getMessage());
    }
  }

  /// An expression that gives any value.
  static void any(Problems problems, String path, String text, AdmissionExpressions expressions) {
    if (text.isBlank()) {
      problems.required(path);
      return;
    }
    try {
      CelProgram _ = expressions.compile(text);
    } catch (CelCompileException e) {
      problems.invalid(path, text, "compilation failed: " + e.getMessage());
    }
  }
}
