package io.fairlead.app.cli;

import java.io.PrintStream;
import java.util.Map;

/// Where a command writes: data to `out`, progress, advice and errors to `err`, and which marks and
/// colours each may carry.
public final class Terminal {

  /// The state of a row, shown by shape first and colour second.
  public enum Mark {
    GOOD("✓", "ok", "32"),
    WARNING("!", "!", "33"),
    BAD("✗", "x", "31"),
    NOTHING("–", "-", "2"),
    ATTENTION("▲", "^", "33");

    private final String unicode;
    private final String ascii;
    private final String colour;

    Mark(String unicode, String ascii, String colour) {
      this.unicode = unicode;
      this.ascii = ascii;
      this.colour = colour;
    }
  }

  private final PrintStream out;
  private final PrintStream err;
  private final boolean unicode;
  private final boolean colourOut;
  private final boolean colourErr;

  private Terminal(
      PrintStream out, PrintStream err, boolean unicode, boolean colourOut, boolean colourErr) {
    this.out = out;
    this.err = err;
    this.unicode = unicode;
    this.colourOut = colourOut;
    this.colourErr = colourErr;
  }

  /// @param terminals which streams are terminals: `out`, `err`, both or neither
  /// @param when `auto`, `always` or `never`
  public static Terminal of(
      PrintStream out,
      PrintStream err,
      Map<String, String> environment,
      String terminals,
      String when) {
    boolean wanted =
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !"dumb".equals(environment.get("TERM"));
    boolean always = when.equals("always");
    boolean auto = when.equals("auto") && wanted;
    return new Terminal(
        out,
        err,
        utf8(environment),
        always || (auto && terminals.contains("out")),
        always || (auto && terminals.contains("err")));
  }

  /// Whether the locale says UTF-8, by the order of POSIX: `LC_ALL`, `LC_CTYPE`, `LANG`.
  static boolean utf8(Map<String, String> environment) {
    for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      String value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        return value.toUpperCase(java.util.Locale.ROOT).replace("-", "").contains("UTF8");
      }
    }
    return false;
  }

  public PrintStream out() {
    return out;
  }

  public PrintStream err() {
    return err;
  }

  /// A mark for a line on `out`.
  public String mark(Mark mark) {
    return paint(mark, colourOut);
  }

  /// A mark for a line on `err`.
  public String markErr(Mark mark) {
    return paint(mark, colourErr);
  }

  private String paint(Mark mark, boolean colour) {
    String shape = unicode ? mark.unicode : mark.ascii;
    return colour ? "\u001b[" + mark.colour + "m" + shape + "\u001b[0m" : shape;
  }
}
