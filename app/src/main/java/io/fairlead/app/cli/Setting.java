package io.fairlead.app.cli;

/// The value of a flag and where it comes from.
///
/// @param flag its name
/// @param origin the flag with its dashes, the name of a variable, of a file, or [#DEFAULT]
/// @param defaultValue what counts when it is not set; empty for none
public record Setting(String flag, String value, String origin, String defaultValue) {
  /// Nothing sets it.
  public static final String DEFAULT = "default";

  Setting(String name, String value, String origin, Flag flag) {
    this(name, value, origin, flag.defaultValue());
  }
}
