package io.fairlead.server.resources.pod;

import io.fairlead.api.names.NameValidation;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Checks the environment of a container.
final class EnvironmentValidation {
  private static final String SOURCES =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or"
          + " `fileKeyRef`";

  private EnvironmentValidation() {}

  static void check(JsonNode container, String path, Problems problems) {
    int index = 0;
    for (JsonNode variable : container.path("env")) {
      String at = path + ".env[" + index + "]";
      String name = variable.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      } else {
        problems.each(at + ".name", name, NameValidation.environmentVariable(name));
      }
      if (variable.has("valueFrom")) {
        checkSource(variable, at + ".valueFrom", problems);
      }
      index++;
    }
    index = 0;
    String all = path + ".envFrom";
    for (JsonNode source : container.path("envFrom")) {
      String at = path + ".envFrom[" + index + "]";
      int kinds = (source.has("configMapRef") ? 1 : 0) + (source.has("secretRef") ? 1 : 0);
      if (kinds == 0) {
        problems.invalid(all, "", "must specify one of: `configMapRef` or `secretRef`");
      } else if (kinds > 1) {
        problems.invalid(all, "", "may not have more than one field specified at a time");
      }
      for (String reference : List.of("configMapRef", "secretRef")) {
        if (source.has(reference)) {
          String name = source.path(reference).path("name").asString("");
          if (name.isEmpty()) {
            problems.required(at + "." + reference + ".name");
          } else {
            problems.each(
                at + "." + reference + ".name", name, NameValidation.dns1123Subdomain(name));
          }
        }
      }
      index++;
    }
  }

  private static void checkSource(JsonNode variable, String path, Problems problems) {
    JsonNode source = variable.path("valueFrom");
    if (source.isEmpty()) {
      problems.invalid(path, "", SOURCES);
      return;
    }
    if (!variable.path("value").asString("").isEmpty()) {
      problems.invalid(path, "", "may not be specified when `value` is not empty");
    }
    if (source.size() > 1) {
      problems.invalid(path, "", "may not have more than one field specified at a time");
    }
    if (source.has("fieldRef")) {
      FieldReferenceValidation.checkField(
          source.path("fieldRef"), false, path + ".fieldRef", problems);
    }
    if (source.has("resourceFieldRef")) {
      FieldReferenceValidation.checkResource(
          source.path("resourceFieldRef"), false, path + ".resourceFieldRef", problems);
    }
    for (String reference : List.of("configMapKeyRef", "secretKeyRef")) {
      if (source.has(reference)) {
        String name = source.path(reference).path("name").asString("");
        problems.each(
            path + "." + reference + ".name", name, NameValidation.dns1123Subdomain(name));
        String key = source.path(reference).path("key").asString("");
        if (key.isEmpty()) {
          problems.required(path + "." + reference + ".key");
        } else {
          problems.each(path + "." + reference + ".key", key, NameValidation.configMapKey(key));
        }
      }
    }
  }
}
