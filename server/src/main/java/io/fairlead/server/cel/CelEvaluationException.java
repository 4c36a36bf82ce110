package io.fairlead.server.cel;

/// A run that came to no value: a missing key, a division by zero.
public class CelEvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CelEvaluationException(String message) {
    super(message, null, false, false);
  }

  static CelEvaluationException noOverload() {
    return new CelEvaluationException("no such overload");
  }
}
