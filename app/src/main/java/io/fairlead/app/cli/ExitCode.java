package io.fairlead.app.cli;

/// Exit codes, the same for every verb.
public final class ExitCode {
  public static final int FINE = 0;
  public static final int COULD_NOT = 1;
  public static final int USAGE = 2;
  public static final int FAULT_FOUND = 3;
  public static final int PREFLIGHT_REFUSED = 4;
  public static final int TIMED_OUT = 124;
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
