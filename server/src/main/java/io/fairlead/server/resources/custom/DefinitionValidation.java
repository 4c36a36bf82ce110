package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is wrong with a definition, beside its schemas ([SchemaRules]).
final class DefinitionValidation {
  private static final String APPROVAL = "api-approved.kubernetes.io";
  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final List<String> COLUMN_FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

  private final ObjectNode object;
  private final JsonNode spec;
  private final Problems problems = new Problems();

  private DefinitionValidation(ObjectNode object) {
    this.object = object;
    this.spec = object.path("spec");
  }

  static List<FieldError> create(ObjectNode object) {
    DefinitionValidation validation = new DefinitionValidation(object);
    validation.name();
    validation.spec();
    validation.storedVersions();
    validation.approval();
    return validation.problems.list();
  }

  static List<FieldError> update(ObjectNode object, ObjectNode old) {
    DefinitionValidation validation = new DefinitionValidation(object);
    validation.spec();
    validation.immutable(old);
    validation.storedVersions();
    return validation.problems.list();
  }

  static List<FieldError> status(ObjectNode object) {
    DefinitionValidation validation = new DefinitionValidation(object);
    validation.storedVersions();
    return validation.problems.list();
  }

  private String text(String... path) {
    return Json.textOr(spec, "", path);
  }

  private void name() {
    String name = Json.textOr(object, "", "metadata", "name");
    if (!name.isEmpty() && !name.equals(text("names", "plural") + "." + text("group"))) {
      problems.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
    }
  }

  private void spec() {
    group();
    scope();
    versions();
    parts("schema", "spec.validation", this::schema);
    parts(
        "subresources",
        "spec.subresources",
        (version, path) -> scale(version.path("subresources").path("scale"), path + ".scale"));
    parts("additionalPrinterColumns", "spec.additionalPrinterColumns", this::columns);
    parts("selectableFields", "spec.selectableFields", this::fields);
    names("spec.names");
    conversion();
    if (spec.path("preserveUnknownFields").asBoolean(false)) {
      problems.invalid(
          "spec.preserveUnknownFields",
          spec.path("preserveUnknownFields"),
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private void group() {
    String group = text("group");
    if (group.isEmpty()) {
      problems.required("spec.group");
      return;
    }
    List<String> wrong = NameValidation.dns1123Subdomain(group);
    if (!wrong.isEmpty()) {
      problems.invalid("spec.group", group, String.join(",", wrong));
    } else if (group.indexOf('.') < 0) {
      problems.invalid("spec.group", group, "should be a domain with at least one dot");
    }
  }

  private void scope() {
    problems.requiredOneOf("spec.scope", spec.path("scope"), List.of("Cluster", "Namespaced"));
  }

  private void versions() {
    JsonNode versions = spec.path("versions");
    Set<String> seen = new HashSet<>();
    boolean repeated = false;
    int stored = 0;
    int index = 0;
    for (JsonNode version : versions) {
      String path = "spec.versions[" + index + "]";
      String name = Json.textOr(version, "", "name");
      repeated |= !seen.add(name);
      stored += version.path("storage").asBoolean(false) ? 1 : 0;
      List<String> wrong = NameValidation.dns1035Label(name);
      if (!wrong.isEmpty()) {
        problems.invalid(path + ".name", name, String.join(",", wrong));
      }
      version(version, path);
      index++;
    }
    if (repeated) {
      problems.invalid("spec.versions", versions, "must contain unique version names");
    }
    if (stored != 1) {
      problems.invalid(
          "spec.versions", versions, "must have exactly one version marked as storage version");
    }
  }

  private void version(JsonNode version, String path) {
    String warning = Json.text(version, "deprecationWarning");
    if (warning != null) {
      if (!version.path("deprecated").asBoolean(false)) {
        problems.invalid(
            path + ".deprecationWarning", warning, "can only be set for deprecated versions");
      } else if (warning.isEmpty()) {
        problems.invalid(path + ".deprecationWarning", warning, "must not be an empty string");
      } else if (warning.length() > 256) {
        problems.add(FieldError.tooLong(path + ".deprecationWarning", 256));
      }
    }
    if (!version.path("schema").path("openAPIV3Schema").isObject()) {
      problems.required(path + ".schema.openAPIV3Schema");
    }
  }

  /// Checks a part that each version has. Where it is the same in all versions, the original takes
  /// it for one of the definition.
  private void parts(String member, String common, BiConsumer<JsonNode, String> check) {
    JsonNode versions = spec.path("versions");
    JsonNode first = versions.path(0);
    boolean same = true;
    for (JsonNode version : versions) {
      same &= version.path(member).equals(first.path(member));
    }
    if (same) {
      check.accept(first, common);
      return;
    }
    int index = 0;
    for (JsonNode version : versions) {
      check.accept(version, "spec.versions[" + index + "]." + member);
      index++;
    }
  }

  private void schema(JsonNode version, String path) {
    if (version.path("schema").path("openAPIV3Schema") instanceof ObjectNode root) {
      problems.addAll(SchemaRules.check(root, path + ".openAPIV3Schema"));
    }
  }

  private void columns(JsonNode version, String path) {
    int index = 0;
    for (JsonNode column : version.path("additionalPrinterColumns")) {
      column(column, path + "[" + index + "]");
      index++;
    }
  }

  private void scale(JsonNode scale, String path) {
    if (!scale.isObject()) {
      return;
    }
    scalePath(scale, path, "specReplicasPath", ".spec.", true);
    scalePath(scale, path, "statusReplicasPath", ".status.", true);
    String selector = Json.textOr(scale, "", "labelSelectorPath");
    if (!selector.isEmpty() && !selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
      problems.invalid(
          path + ".labelSelectorPath",
          selector,
          "should be a json path under either .spec or .status");
    }
  }

  private void scalePath(
      JsonNode scale, String path, String member, String prefix, boolean required) {
    String value = Json.textOr(scale, "", member);
    if (value.isEmpty()) {
      if (required) {
        problems.required(path + "." + member);
      }
    } else if (!value.startsWith(prefix)) {
      problems.invalid(
          path + "." + member,
          value,
          "should be a json path under " + prefix.substring(0, prefix.length() - 1));
    }
  }

  private void column(JsonNode column, String path) {
    if (Json.textOr(column, "", "name").isEmpty()) {
      problems.required(path + ".name");
    }
    String type = Json.textOr(column, "", "type");
    if (type.isEmpty()) {
      problems.required(path + ".type", "must be one of " + String.join(",", COLUMN_TYPES));
    } else if (!COLUMN_TYPES.contains(type)) {
      problems.invalid(path + ".type", type, "must be one of " + String.join(",", COLUMN_TYPES));
    }
    String format = Json.textOr(column, "", "format");
    if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
      problems.invalid(
          path + ".format", format, "must be one of " + String.join(",", COLUMN_FORMATS));
    }
    String jsonPath = Json.textOr(column, "", "jsonPath");
    if (jsonPath.isEmpty()) {
      problems.required(path + ".JSONPath");
      return;
    }
    try {
      var _ = JsonPathExpression.parse(jsonPath);
    } catch (IllegalArgumentException e) {
      problems.invalid(path + ".JSONPath", jsonPath, "is an invalid JSON path: " + e.getMessage());
    }
  }

  private void fields(JsonNode version, String path) {
    JsonNode schema = version.path("schema").path("openAPIV3Schema");
    Set<String> seen = new HashSet<>();
    int index = 0;
    for (JsonNode field : version.path("selectableFields")) {
      String there = path + "[" + index + "].jsonPath";
      String jsonPath = Json.textOr(field, "", "jsonPath");
      if (jsonPath.isEmpty()) {
        problems.required(there);
      } else if (!isScalar(schema, jsonPath)) {
        problems.invalid(there, jsonPath, "is an invalid path: does not refer to a valid field");
      } else {
        problems.unique(there, jsonPath, seen);
      }
      index++;
    }
  }

  private static boolean isScalar(JsonNode schema, String jsonPath) {
    JsonNode at = schema;
    for (String step : jsonPath.replaceFirst("^\\.", "").split("\\.", -1)) {
      at = at.path("properties").path(step);
    }
    return List.of("string", "boolean", "integer").contains(Json.textOr(at, "", "type"));
  }

  private void names(String path) {
    dns1035(path + ".plural", text("names", "plural"), true);
    dns1035(path + ".singular", text("names", "singular"), false);
    kindName(path + ".kind", text("names", "kind"), true);
    kindName(path + ".listKind", text("names", "listKind"), false);
    if (!text("names", "kind").isEmpty()
        && text("names", "kind").equals(text("names", "listKind"))) {
      problems.invalid(
          path + ".listKind", text("names", "listKind"), "kind and listKind may not be the same");
    }
    each("shortNames", path);
    each("categories", path);
  }

  private void each(String member, String path) {
    int index = 0;
    for (JsonNode name : spec.path("names").path(member)) {
      dns1035(path + "." + member + "[" + index + "]", name.asString(""), false);
      index++;
    }
  }

  private void dns1035(String path, String name, boolean required) {
    if (name.isEmpty() && required) {
      problems.required(path);
    } else if (!name.isEmpty()) {
      List<String> wrong = NameValidation.dns1035Label(name);
      if (!wrong.isEmpty()) {
        problems.invalid(path, name, String.join(",", wrong));
      }
    }
  }

  private void kindName(String path, String name, boolean required) {
    if (name.isEmpty()) {
      if (required) {
        problems.required(path);
      }
      return;
    }
    List<String> wrong = NameValidation.dns1035Label(name.toLowerCase(Locale.ROOT));
    if (!wrong.isEmpty()) {
      problems.invalid(
          path,
          name,
          "may have mixed case, but should otherwise match: " + String.join(",", wrong));
    }
  }

  private void conversion() {
    JsonNode conversion = spec.path("conversion");
    String strategy = Json.textOr(conversion, "", "strategy");
    JsonNode webhook = conversion.path("webhook");
    problems.requiredOneOf(
        "spec.conversion.strategy", conversion.path("strategy"), List.of("None", "Webhook"));
    if (!strategy.equals("Webhook")) {
      if (strategy.equals("None") && webhook.path("clientConfig").isObject()) {
        problems.forbidden(
            "spec.conversion.webhookClientConfig",
            "should not be set when strategy is not set to Webhook");
      }
      if (strategy.equals("None") && !webhook.path("conversionReviewVersions").isEmpty()) {
        problems.forbidden(
            "spec.conversion.conversionReviewVersions",
            "should not be set when strategy is not set to Webhook");
      }
      return;
    }
    JsonNode client = webhook.path("clientConfig");
    if (!client.isObject()) {
      problems.required(
          "spec.conversion.webhookClientConfig", "required when strategy is set to Webhook");
    } else if (client.has("url") == client.has("service")) {
      problems.required(
          "spec.conversion.webhookClientConfig", "exactly one of url or service is required");
    }
    List<String> versions = SchemaCompiler.texts(webhook.path("conversionReviewVersions"));
    if (versions.isEmpty()) {
      problems.required("spec.conversion.conversionReviewVersions");
    } else if (!versions.contains("v1") && !versions.contains("v1beta1")) {
      problems.invalid(
          "spec.conversion.conversionReviewVersions",
          webhook.path("conversionReviewVersions"),
          "must include at least one of v1, v1beta1");
    }
  }

  /// A kind that is in use keeps its group, scope and names.
  private void immutable(ObjectNode old) {
    JsonNode before = old.path("spec");
    problems.immutable("spec.group", spec.path("group"), before.path("group"));
    if (DefinitionConditions.isTrue(old, DefinitionConditions.ESTABLISHED)) {
      problems.immutable("spec.scope", spec.path("scope"), before.path("scope"));
      problems.immutable(
          "spec.names.kind", spec.path("names").path("kind"), before.path("names").path("kind"));
    }
    problems.immutable(
        "spec.names.plural",
        spec.path("names").path("plural"),
        before.path("names").path("plural"));
  }

  private void storedVersions() {
    Set<String> known = new HashSet<>();
    String storage = "";
    for (JsonNode version : spec.path("versions")) {
      String name = Json.textOr(version, "", "name");
      known.add(name);
      if (version.path("storage").asBoolean(false)) {
        storage = name;
      }
    }
    List<String> stored = SchemaCompiler.texts(object.path("status").path("storedVersions"));
    int index = 0;
    for (String version : stored) {
      if (!known.contains(version)) {
        problems.invalid(
            "status.storedVersions[" + index + "]",
            version,
            "missing from spec.versions; "
                + version
                + " was previously a storage version, and must remain in spec.versions until a"
                + " storage migration ensures no data remains persisted in "
                + version
                + " and removes "
                + version
                + " from status.storedVersions");
      }
      index++;
    }
    if (stored.isEmpty()) {
      problems.invalid(
          "status.storedVersions",
          object.path("status").path("storedVersions"),
          "must have at least one stored version");
    } else if (!storage.isEmpty() && !stored.contains(storage)) {
      problems.invalid(
          "status.storedVersions",
          object.path("status").path("storedVersions"),
          "must have the storage version " + storage);
    }
  }

  private void approval() {
    String group = text("group");
    boolean isProtected =
        group.equals("k8s.io")
            || group.endsWith(".k8s.io")
            || group.equals("kubernetes.io")
            || group.endsWith(".kubernetes.io");
    JsonNode annotation = object.path("metadata").path("annotations").path(APPROVAL);
    if (!isProtected) {
      return;
    }
    String text = annotation.asString("");
    String path = "metadata.annotations[" + APPROVAL + "]";
    if (text.isEmpty()) {
      problems.required(
          path,
          "protected groups must have approval annotation \""
              + APPROVAL
              + "\", see https://github.com/kubernetes/enhancements/pull/1111");
    } else if (!text.startsWith("unapproved") && !text.matches("https?://[^ ]+")) {
      problems.invalid(
          path,
          text,
          "protected groups must have approval annotation \""
              + APPROVAL
              + "\" with either a URL or a reason starting with \"unapproved\", see"
              + " https://github.com/kubernetes/enhancements/pull/1111");
    }
  }
}
