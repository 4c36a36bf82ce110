package io.fairlead.dns.plugin;

/// The configuration cannot be used. The text names file and line, what is wrong and, where there
/// is one, the nearest word that would be right.
public final class SetupException extends Exception {
  private final String file;
  private final int line;

  /// @param line 0 when no line is to blame
  public SetupException(String file, int line, String what) {
    super(line > 0 ? file + ":" + line + ": " + what : file + ": " + what);
    this.file = file;
    this.line = line;
  }

  public String file() {
    return file;
  }

  public int line() {
    return line;
  }
}
