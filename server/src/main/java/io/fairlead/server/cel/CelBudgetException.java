package io.fairlead.server.cel;

/// A run that would have cost more than it may.
public final class CelBudgetException extends CelEvaluationException {
  private static final long serialVersionUID = 1L;

  CelBudgetException() {
    super("operation cancelled: actual cost limit exceeded");
  }
}
