package io.fairlead.server.admission.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.server.cel.CelBudget;
import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelEvaluationException;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.resources.admission.AdmissionExpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Expressions that must all hold for a webhook or policy to be asked.
public final class MatchConditions {
  private final List<CelProgram> programs = new ArrayList<>();
  private String broken = "";

  private MatchConditions() {}

  public static MatchConditions of(JsonNode conditions, AdmissionExpressions expressions) {
    MatchConditions made = new MatchConditions();
    for (JsonNode condition : conditions) {
      try {
        made.programs.add(expressions.compile(Json.textOr(condition, "", "expression")));
      } catch (CelCompileException e) {
        made.broken = "compilation error: " + e.getMessage();
      }
    }
    return made;
  }

  /// What came of them.
  public sealed interface Result {
    /// All hold.
    record Met() implements Result {}

    /// One does not hold.
    record Unmet() implements Result {}

    /// None is known not to hold, and one has no value.
    record Unknown(String why) implements Result {}
  }

  public boolean isEmpty() {
    return programs.isEmpty() && broken.isEmpty();
  }

  /// Asks all of them.
  public Result test(Map<String, Object> variables) {
    CelBudget budget = new CelBudget(CelBudget.PER_OBJECT);
    String why = broken;
    for (CelProgram program : programs) {
      try {
        if (!program.test(variables, budget)) {
          return new Result.Unmet();
        }
      } catch (CelEvaluationException e) {
        why = "expression '" + program.text() + "' resulted in error: " + e.getMessage();
      }
    }
    return why.isEmpty() ? new Result.Met() : new Result.Unknown(why);
  }
}
