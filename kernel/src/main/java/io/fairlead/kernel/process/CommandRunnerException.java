package io.fairlead.kernel.process;

/// A program could not be run to its end.
public final class CommandRunnerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String program;

  CommandRunnerException(String program, String why) {
    super(program + " " + why);
    this.program = program;
  }

  public String program() {
    return program;
  }
}
