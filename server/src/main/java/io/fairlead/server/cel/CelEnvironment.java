package io.fairlead.server.cel;

import java.util.Map;

/// The variables that expressions may use, with their types, and the objects they may make.
/// Immutable.
public record CelEnvironment(Map<String, CelType> variables, CelObjectTypes objects) {
  public CelEnvironment {
    variables = Map.copyOf(variables);
  }

  /// One whose expressions make no objects.
  public CelEnvironment(Map<String, CelType> variables) {
    this(variables, CelObjectTypes.NONE);
  }

  /// Checks an expression and makes it ready to run.
  ///
  /// @throws CelCompileException saying where it is wrong
  public CelProgram compile(String text) {
    return new CelProgram(text, CelChecker.check(text, CelParser.parse(text), this));
  }
}
