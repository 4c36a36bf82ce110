package io.fairlead.server.resources.custom;

import io.fairlead.api.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// What is wrong with a value, and how much of it was right: of several schemas that do not fit,
/// the one that fits best is reported.
final class SchemaFindings {
  /// Where what concerns no single field is reported.
  static final String NOWHERE = "<nil>";

  private final List<FieldError> errors = new ArrayList<>();
  private int matches;

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
    errors.addAll(others.errors);
    matches += others.matches;
  }

  void add(FieldError error) {
    errors.add(error);
  }

  /// `spec.x in body must be of type string: "integer"`.
  void wrongType(String path, String wanted, String found) {
    errors.add(
        new FieldError(
            FieldError.Kind.TYPE_INVALID,
            shown(path),
            JsonNodeFactory.instance.stringNode(found),
            path + " in body must be of type " + wanted + ": \"" + found + "\""));
  }

  /// What is wrong with the alternatives of a schema.
  void wrongChoice(String path, String why) {
    errors.add(FieldError.invalid(NOWHERE, "", "\"" + path + "\" " + why));
  }

  static String shown(String path) {
    return path.isEmpty() ? NOWHERE : path;
  }
}
