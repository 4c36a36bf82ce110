package io.fairlead.server.resources.pod;

import io.fairlead.api.names.Names;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Checks the environment of a container.
final class EnvironmentValidation {
  private static final List<String> FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");
  private static final String SOURCES =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";

  private EnvironmentValidation() {}

  static void check(JsonNode container, String path, Problems problems) {
    int index = 0;
    for (JsonNode variable : container.path("env")) {
      String at = path + ".env[" + index + "]";
      String name = variable.path("name").asString("");
      if (name.isEmpty()) {
        problems.required(at + ".name");
      } else {
        problems.each(at + ".name", name, Names.environmentVariable(name));
      }
      if (variable.has("valueFrom")) {
        checkSource(variable, at + ".valueFrom", problems);
      }
      index++;
    }
    index = 0;
    for (JsonNode source : container.path("envFrom")) {
      String at = path + ".envFrom[" + index + "]";
      int kinds = (source.has("configMapRef") ? 1 : 0) + (source.has("secretRef") ? 1 : 0);
      if (kinds == 0) {
        problems.invalid(at, "", "must specify one of: `configMapRef` or `secretRef`");
      } else if (kinds > 1) {
        problems.invalid(at, "", "may not have more than one field specified at a time");
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
      checkField(source.path("fieldRef").path("fieldPath").asString(""), path, problems);
    }
    for (String reference : List.of("configMapKeyRef", "secretKeyRef")) {
      if (source.has(reference)) {
        String key = source.path(reference).path("key").asString("");
        if (key.isEmpty()) {
          problems.required(path + "." + reference + ".key");
        } else {
          problems.each(path + "." + reference + ".key", key, Names.configMapKey(key));
        }
      }
    }
  }

  private static void checkField(String field, String path, Problems problems) {
    String at = path + ".fieldRef.fieldPath";
    boolean keyed =
        (field.startsWith("metadata.labels['") || field.startsWith("metadata.annotations['"))
            && field.endsWith("']");
    if (field.isEmpty()) {
      problems.required(at);
    } else if (!keyed) {
      problems.oneOf(at, JsonNodeFactory.instance.stringNode(field), FIELDS);
    }
  }
}
