package io.fairlead.app.cli;

import java.util.Locale;

/// One flag of a verb. Its description is the message `flag.<name>`.
///
/// @param name without the dashes
/// @param shortName a single letter, or empty
/// @param kind what its value must look like
/// @param value how help names the value; for [Kind#CHOICE] the choices joined by `|`
/// @param defaultValue what counts when it is not set; empty for none
public record Flag(String name, String shortName, Kind kind, String value, String defaultValue) {

  /// What a value must look like.
  public enum Kind {
    SWITCH,
    TEXT,
    NUMBER,
    PORT,
    /// A file that must be there and readable.
    INPUT_FILE,
    /// A file that will be written.
    OUTPUT_FILE,
    DIRECTORY,
    CHOICE,
    LIST,
    /// May be given several times; the values are separated by blanks.
    REPEATED,
    SECONDS,
    /// How many of something, at least one.
    COUNT,
    /// A length of time as Go writes it: `250ms`, `1m30s`.
    DURATION,
    /// Text that may be empty and is checked by the code that reads it.
    FREE
  }

  static Flag of(String name, Kind kind, String value) {
    return new Flag(name, "", kind, value, "");
  }

  static Flag toggle(String name) {
    return new Flag(name, "", Kind.SWITCH, "", "");
  }

  Flag or(String defaultValue) {
    return new Flag(name, shortName, kind, value, defaultValue);
  }

  Flag shortened(String letter) {
    return new Flag(name, letter, kind, value, defaultValue);
  }

  /// Whether it may stand without a value: `--wait` or `--wait=30s`, and never `--wait 30s`.
  boolean isValueOptional() {
    return value.startsWith("[=");
  }

  /// The environment variable that sets this flag when the command line does not.
  public String variable() {
    return "FAIRLEAD_" + name.replace('-', '_').replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /// `--api-port PORT`, or `-o, --output json|yaml`.
  String shown() {
    return (shortName.isEmpty() ? "    " : "-" + shortName + ", ")
        + (name.length() == 1 ? "-" : "--")
        + name
        + (value.isEmpty() || isValueOptional() ? value : " " + value);
  }
}
