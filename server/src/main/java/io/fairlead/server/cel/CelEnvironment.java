package io.fairlead.server.cel;

import java.util.Map;

/// The variables that expressions may use, with their types. Immutable.
public record CelEnvironment(Map<String, CelType> variables) {
  public CelEnvironment {
    variables = Map.copyOf(variables);
  }

  /// Checks an expression and makes it ready to run.
  ///
  /// @throws CelCompileException saying where it is wrong
  public CelProgram compile(String text) {
    return new CelProgram(text, CelChecker.check(text, CelParser.parse(text), variables));
  }
}
