package io.fairlead.kernel.process;

/// A program could not be run to its end.
public final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String program;

  ToolException(String program, String why) {
    super(program + " " + why);
    this.program = program;
  }

  public String program() {
    return program;
  }
}
