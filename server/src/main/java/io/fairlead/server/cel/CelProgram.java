package io.fairlead.server.cel;

import java.util.Map;
import java.util.Set;

/// An expression that was checked. Immutable; runs on any thread, on several at once.
public final class CelProgram {
  private final String text;
  private final CelChecker.Checked checked;

  CelProgram(String text, CelChecker.Checked checked) {
    this.text = text;
    this.checked = checked;
  }

  /// What it was made of.
  public String text() {
    return text;
  }

  /// The type of its value.
  public CelType type() {
    return checked.type();
  }

  /// Whether it can give a truth value.
  public boolean isCondition() {
    return type().kind() == CelType.Kind.BOOL || type().isDyn();
  }

  /// The names of the variables it uses; those of its own are among them.
  public Set<String> variables() {
    return checked.used();
  }

  /// The most that a run can cost.
  public double estimatedCost() {
    return CelCosts.estimate(checked);
  }

  /// Runs it.
  ///
  /// @param variables their values, of which none is null
  /// @throws CelEvaluationException when it has no value
  /// @throws CelBudgetException when the budget does not suffice
  public Object run(Map<String, Object> variables, CelBudget budget) {
    budget.begin();
    return new CelInterpreter(budget)
        .run(checked.node(), new CelInterpreter.Scope(null, variables));
  }

  /// Runs a condition.
  ///
  /// @throws CelEvaluationException when it has no truth value
  public boolean test(Map<String, Object> variables, CelBudget budget) {
    if (run(variables, budget) instanceof Boolean held) {
      return held;
    }
    throw CelEvaluationException.noOverload();
  }
}
