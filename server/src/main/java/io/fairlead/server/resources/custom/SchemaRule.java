package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.cel.CelBudget;
import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelEnvironment;
import io.fairlead.server.cel.CelEvaluationException;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.cel.CelType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// One rule in CEL of a schema, ready to be asked.
///
/// @param message what is said when it does not hold and nothing else is
/// @param words computes what is said; null when there is no such expression
/// @param fieldPath where the fault is, relative to the value
/// @param asksOld whether it compares with the value before
/// @param optionalOld whether it is asked also when there was no value before
record SchemaRule(
    String source,
    CelProgram program,
    String message,
    @Nullable CelProgram words,
    FieldError.Kind reason,
    String fieldPath,
    boolean asksOld,
    boolean optionalOld) {

  /// The variables of a rule about a value of that type.
  static CelEnvironment environment(CelType self, boolean optionalOld) {
    return new CelEnvironment(
        Map.of("self", self, "oldSelf", optionalOld ? CelType.optional(self) : self));
  }

  /// Null when it cannot be compiled: the definition was stored when more was allowed.
  static @Nullable SchemaRule of(ObjectNode source, CelType self) {
    boolean optionalOld = source.path("optionalOldSelf").asBoolean(false);
    CelEnvironment environment = environment(self, optionalOld);
    String rule = Json.textOr(source, "", "rule");
    try {
      CelProgram program = environment.compile(rule);
      String words = Json.textOr(source, "", "messageExpression");
      return new SchemaRule(
          rule.strip(),
          program,
          Json.textOr(source, "", "message").strip(),
          words.isEmpty() ? null : environment.compile(words),
          kind(Json.textOr(source, "", "reason")),
          Json.textOr(source, "", "fieldPath"),
          program.variables().contains("oldSelf"),
          optionalOld);
    } catch (CelCompileException e) {
      return null;
    }
  }

  private static FieldError.Kind kind(String reason) {
    return switch (reason) {
      case "FieldValueRequired" -> FieldError.Kind.REQUIRED;
      case "FieldValueForbidden" -> FieldError.Kind.FORBIDDEN;
      case "FieldValueDuplicate" -> FieldError.Kind.DUPLICATE;
      default -> FieldError.Kind.INVALID;
    };
  }

  /// What is wrong with a value; null when the rule holds or has nothing to say.
  ///
  /// @param old the value before; null when there was none, or none can be told
  @Nullable FieldError judge(
      Object self, @Nullable Object old, String path, String type, CelBudget budget) {
    if (asksOld && old == null && !optionalOld) {
      return null;
    }
    Map<String, Object> variables = new HashMap<>();
    variables.put("self", self);
    if (optionalOld) {
      variables.put("oldSelf", Optional.ofNullable(old));
    } else if (old != null) {
      variables.put("oldSelf", old);
    }
    try {
      return program.test(variables, budget) ? null : broken(variables, path, budget);
    } catch (io.fairlead.server.cel.CelBudgetException e) {
      throw e;
    } catch (CelEvaluationException e) {
      return FieldError.invalid(
          SchemaFindings.shown(path),
          type,
          e.getMessage() + " evaluating rule: " + (message.isEmpty() ? source : message));
    }
  }

  private FieldError broken(Map<String, Object> variables, String path, CelBudget budget) {
    String field =
        path.isEmpty() && fieldPath.startsWith(".") ? fieldPath.substring(1) : path + fieldPath;
    String said = said(variables, budget);
    // The value of such a fault is not shown, and so are the words alone.
    return new FieldError(reason, SchemaFindings.shown(field), null, said);
  }

  private String said(Map<String, Object> variables, CelBudget budget) {
    CelProgram expression = words;
    if (expression != null) {
      try {
        if (expression.run(variables, budget) instanceof String text
            && !text.isBlank()
            && text.indexOf('\n') < 0) {
          return text;
        }
      } catch (CelEvaluationException e) {
        // Then the fixed words serve.
        return fixed();
      }
    }
    return fixed();
  }

  private String fixed() {
    return message.isEmpty() ? "failed rule: " + source : message;
  }

  /// What is said when the rules were not asked because the value is wrong in itself.
  static FieldError notAsked() {
    return FieldError.invalid(
        SchemaFindings.NOWHERE,
        JsonNodeFactory.instance.nullNode(),
        "some validation rules were not checked because the object was invalid; correct the"
            + " existing errors to complete validation");
  }
}
