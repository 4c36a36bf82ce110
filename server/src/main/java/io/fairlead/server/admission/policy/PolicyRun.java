package io.fairlead.server.admission.policy;

import io.fairlead.server.admission.webhook.AdmissionAttributes;
import io.fairlead.server.admission.webhook.MatchConditions;
import io.fairlead.server.admission.webhook.RequestVariables;
import io.fairlead.server.cel.CelBudget;
import io.fairlead.server.cel.CelEvaluationException;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.cel.CelValues;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Holds one request against one policy with one parameter. Pure, but for the budget.
final class PolicyRun {
  private static final int LONGEST_MESSAGE = 5 * 1024;

  private final CompiledPolicy policy;
  private final Map<String, Object> variables;
  private final CelBudget budget = new CelBudget(CelBudget.PER_OBJECT);

  /// @param params null when it has none
  /// @param namespace the Namespace of the request; null when it has none
  PolicyRun(
      CompiledPolicy policy,
      AdmissionAttributes asked,
      AdmissionAttributes shown,
      @Nullable ObjectNode params,
      @Nullable ObjectNode namespace) {
    this.policy = policy;
    this.variables = RequestVariables.of(asked, shown);
    variables.put("params", CelValues.of(params));
    variables.put("namespaceObject", CelValues.of(namespace));
    variables.put("variables", new HashMap<String, Object>());
  }

  /// The Namespace of a request; null when it has none.
  static @Nullable ObjectNode namespace(AdmissionAttributes asked) {
    return asked.namespace().isEmpty()
        ? null
        : asked.context().reader().get("", "namespaces", "", asked.namespace());
  }

  /// Whether the policy is about this request at all.
  MatchConditions.Result conditions() {
    return policy.conditions().isEmpty()
        ? new MatchConditions.Result.Met()
        : policy.conditions().test(variables);
  }

  /// What a mutation wants: a part of the object, or the operations of a patch.
  ///
  /// @throws CelEvaluationException when that has no value
  Object wanted(CompiledPolicy.Mutation mutation) {
    CelProgram program = mutation.program();
    if (program == null) {
      throw new CelEvaluationException("it cannot be compiled");
    }
    computeVariables();
    return program.run(variables, budget);
  }

  /// What breaks the policy.
  record Violation(String message, String reason) {}

  /// @param annotations for the audit log
  record Findings(List<Violation> violations, Map<String, String> annotations) {}

  Findings judge() {
    Findings none = new Findings(List.of(), Map.of());
    switch (conditions()) {
      case MatchConditions.Result.Met _ -> {}
      case MatchConditions.Result.Unmet _ -> {
        return none;
      }
      case MatchConditions.Result.Unknown(String why) -> {
        return policy.failsOpen()
            ? none
            : new Findings(List.of(new Violation(why, "Invalid")), Map.of());
      }
    }
    computeVariables();
    List<Violation> violations = new ArrayList<>();
    for (CompiledPolicy.Rule rule : policy.rules()) {
      Violation found = judge(rule);
      if (found != null) {
        violations.add(found);
      }
    }
    return new Findings(violations, annotations(violations));
  }

  /// One that has no value is left out; who uses it has none either.
  private void computeVariables() {
    Map<String, Object> known = new HashMap<>();
    for (CompiledPolicy.Named each : policy.variables()) {
      variables.put("variables", Map.copyOf(known));
      CelProgram program = each.program();
      if (program == null) {
        continue;
      }
      try {
        known.put(each.name(), program.run(variables, budget));
      } catch (CelEvaluationException _) {
        known.remove(each.name());
      }
    }
    variables.put("variables", Map.copyOf(known));
  }

  private @Nullable Violation judge(CompiledPolicy.Rule rule) {
    CelProgram program = rule.program();
    try {
      if (program == null) {
        return unknown(rule, "it cannot be compiled");
      }
      return program.test(variables, budget) ? null : new Violation(message(rule), rule.reason());
    } catch (CelEvaluationException e) {
      return unknown(rule, e.getMessage());
    }
  }

  private @Nullable Violation unknown(CompiledPolicy.Rule rule, @Nullable String why) {
    return policy.failsOpen()
        ? null
        : new Violation("expression '" + rule.text() + "' resulted in error: " + why, "Invalid");
  }

  private String message(CompiledPolicy.Rule rule) {
    CelProgram words = rule.words();
    if (words != null) {
      try {
        if (words.run(variables, budget) instanceof String text
            && !text.isBlank()
            && text.indexOf('\n') < 0
            && text.length() <= LONGEST_MESSAGE) {
          return text.strip();
        }
      } catch (CelEvaluationException _) {
        return rule.message();
      }
    }
    return rule.message();
  }

  private Map<String, String> annotations(List<Violation> violations) {
    Map<String, String> found = new LinkedHashMap<>();
    for (CompiledPolicy.Named each : policy.annotations()) {
      CelProgram program = each.program();
      try {
        if (program != null && program.run(variables, budget) instanceof String text) {
          found.put(policy.name() + "/" + each.name(), text.strip());
        }
      } catch (CelEvaluationException e) {
        if (!policy.failsOpen()) {
          violations.add(
              new Violation(
                  "expression '"
                      + (program == null ? "" : program.text())
                      + "' resulted in error: "
                      + e.getMessage(),
                  "Invalid"));
        }
      }
    }
    return found;
  }
}
