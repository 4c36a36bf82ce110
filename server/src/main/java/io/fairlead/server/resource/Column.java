package io.fairlead.server.resource;

/// A column of the table kubectl prints.
///
/// @param type `string`, `integer`, `date`
/// @param format `name` for the first column, else mostly empty
/// @param priority 0 is always shown, 1 with `-o wide`
public record Column(String name, String type, String format, String description, int priority) {
  public static Column name(String description) {
    return new Column("Name", "string", "name", description, 0);
  }

  public static Column text(String name, String description) {
    return new Column(name, "string", "", description, 0);
  }

  public static Column number(String name, String description) {
    return new Column(name, "integer", "", description, 0);
  }

  /// The same column, shown only with `-o wide`.
  public Column wide() {
    return new Column(name, type, format, description, 1);
  }
}
