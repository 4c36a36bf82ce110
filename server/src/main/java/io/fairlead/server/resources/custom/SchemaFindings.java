package io.fairlead.server.resources.custom;

import io.fairlead.api.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// What is wrong with a value, and how much of it was right: of several schemas that do not fit,
/// the one that fits best is reported. Of very many findings the first are kept: each repeats what
/// the schema wants, and an object of three megabytes may be wrong in a million places.
final class SchemaFindings {
  /// Where what concerns no single field is reported.
  static final String NOWHERE = "<nil>";

  /// More than anybody reads.
  private static final int MOST_ERRORS = 500;

  private static final int MOST_CHARACTERS = 1 << 20;

  private final List<FieldError> errors = new ArrayList<>();
  private int matches;
  private int characters;

  List<FieldError> errors() {
    return errors;
  }

  boolean isValid() {
    return errors.isEmpty();
  }

  int matches() {
    return matches;
  }

  void matched() {
    matches++;
  }

  void merge(SchemaFindings others) {
    others.errors.forEach(this::add);
    matches += others.matches;
  }

  void add(FieldError error) {
    if (errors.isEmpty() || (errors.size() < MOST_ERRORS && characters < MOST_CHARACTERS)) {
      errors.add(error);
      characters += error.field().length() + error.detail().length();
    }
  }

  /// `spec.x in body must be of type string: "integer"`.
  void wrongType(String path, String wanted, String found) {
    add(
        new FieldError(
            FieldError.Kind.TYPE_INVALID,
            shown(path),
            JsonNodeFactory.instance.stringNode(found),
            path + " in body must be of type " + wanted + ": \"" + found + "\""));
  }

  /// What is wrong with the alternatives of a schema.
  void wrongChoice(String path, String why) {
    add(FieldError.invalid(NOWHERE, "", "\"" + path + "\" " + why));
  }

  static String shown(String path) {
    return path.isEmpty() ? NOWHERE : path;
  }
}
