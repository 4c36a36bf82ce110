package io.fairlead.api.names;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What `metadata` may hold, the same for every kind. The checks only report; nothing is changed.
public final class MetadataRules {
  private static final int ANNOTATIONS_MAX_BYTES = 256 << 10;
  private static final int MANAGER_MAX_BYTES = 128;
  private static final int SUBRESOURCE_MAX_BYTES = 256;
  private static final String IMMUTABLE = "field is immutable";
  private static final Set<String> PLAIN_FINALIZERS =
      Set.of("kubernetes", "orphan", "foregroundDeletion");

  private MetadataRules() {}

  /// Checks a new object; a name must have been generated before.
  public static List<FieldError> validate(
      ObjectNode object, boolean namespaced, NameFormat format) {
    List<FieldError> errors = validateCommon(object, namespaced, format);
    checkFinalizersAreQualified(object.path("metadata"), errors);
    return errors;
  }

  /// What is checked of every object that is written, whatever its kind.
  public static List<FieldError> validateCommon(
      ObjectNode object, boolean namespaced, NameFormat format) {
    JsonNode metadata = object.path("metadata");
    List<FieldError> errors = new ArrayList<>();
    checkNames(metadata, format, errors);
    checkNamespace(metadata, namespaced, errors);
    if (metadata.path("generation").asLong(0) < 0) {
      errors.add(
          FieldError.invalid(
              "metadata.generation",
              metadata.path("generation"),
              "must be greater than or equal to 0"));
    }
    checkCommon(metadata, errors);
    checkFinalizers(metadata, errors);
    checkManagedFields(metadata, errors);
    return errors;
  }

  /// Checks an object that replaces `old`. The server has restored what clients cannot change
  /// (creation and deletion times) before.
  public static List<FieldError> validateUpdate(ObjectNode object, ObjectNode old) {
    List<FieldError> errors = validateCommonUpdate(object, old);
    checkFinalizersAreQualified(object.path("metadata"), errors);
    return errors;
  }

  /// What is checked of every object that replaces another, whatever its kind.
  public static List<FieldError> validateCommonUpdate(ObjectNode object, ObjectNode old) {
    JsonNode metadata = object.path("metadata");
    JsonNode before = old.path("metadata");
    List<FieldError> errors = new ArrayList<>();
    if (before.has("deletionTimestamp")) {
      checkNoNewFinalizers(metadata, before, errors);
    }
    if (metadata.path("generation").asLong(0) < before.path("generation").asLong(0)) {
      errors.add(
          FieldError.invalid(
              "metadata.generation",
              metadata.path("generation").asLong(0),
              "must not be decremented"));
    }
    for (String field : List.of("name", "namespace", "uid")) {
      String now = Json.textOr(metadata, "", field);
      if (!now.equals(Json.textOr(before, "", field))) {
        errors.add(FieldError.invalid("metadata." + field, now, IMMUTABLE));
      }
    }
    checkCommon(metadata, errors);
    checkManagedFields(metadata, errors);
    return errors;
  }

  /// Checks labels wherever they stand, `spec.template.metadata.labels` or a selector.
  public static List<FieldError> labels(JsonNode labels, String path) {
    List<FieldError> errors = new ArrayList<>();
    labels
        .properties()
        .forEach(
            label -> {
              add(errors, path, label.getKey(), NameValidation.qualifiedName(label.getKey()));
              String value = label.getValue().asString("");
              add(errors, path, value, NameValidation.labelValue(value));
            });
    return errors;
  }

  /// Checks annotations wherever they stand.
  public static List<FieldError> annotations(JsonNode annotations, String path) {
    List<FieldError> errors = new ArrayList<>();
    long total = 0;
    for (var annotation : annotations.properties()) {
      add(errors, path, annotation.getKey(), NameValidation.annotationKey(annotation.getKey()));
      total += bytes(annotation.getKey()) + bytes(annotation.getValue().asString(""));
    }
    if (total > ANNOTATIONS_MAX_BYTES) {
      errors.add(FieldError.tooLong(path, ANNOTATIONS_MAX_BYTES));
    }
    return errors;
  }

  /// Checks the object form of a label selector, `spec.selector` of the workload kinds.
  public static List<FieldError> labelSelector(JsonNode selector, String path) {
    List<FieldError> errors =
        new ArrayList<>(labels(selector.path("matchLabels"), path + ".matchLabels"));
    int index = 0;
    for (JsonNode expression : selector.path("matchExpressions")) {
      checkExpression(expression, path + ".matchExpressions[" + index + "]", errors);
      index++;
    }
    return errors;
  }

  private static void checkExpression(JsonNode expression, String path, List<FieldError> errors) {
    String operator = Json.textOr(expression, "", "operator");
    JsonNode values = expression.path("values");
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.add(
              FieldError.required(
                  path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.add(
              FieldError.forbidden(
                  path + ".values",
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
      }
      default ->
          errors.add(
              FieldError.invalid(path + ".operator", operator, "not a valid selector operator"));
    }
    String key = Json.textOr(expression, "", "key");
    add(errors, path + ".key", key, NameValidation.qualifiedName(key));
    int index = 0;
    for (JsonNode value : values) {
      String text = value.asString("");
      add(errors, path + ".values[" + index + "]", text, NameValidation.labelValue(text));
      index++;
    }
  }

  /// Checks the name of a field manager: at most 128 bytes, all printable.
  public static List<FieldError> fieldManager(String manager, String path) {
    List<FieldError> errors = new ArrayList<>();
    if (bytes(manager) > MANAGER_MAX_BYTES) {
      errors.add(FieldError.tooLong(path, MANAGER_MAX_BYTES));
    }
    int position = 0;
    for (int character : manager.codePoints().toArray()) {
      if (!isPrintable(character)) {
        errors.add(
            FieldError.invalid(
                path,
                manager,
                "invalid character U+%04X (at position %d)".formatted(character, position)));
      }
      position += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
    }
    return errors;
  }

  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }

  private static void checkNames(JsonNode metadata, NameFormat format, List<FieldError> errors) {
    String prefix = Json.textOr(metadata, "", "generateName");
    if (!prefix.isEmpty()) {
      add(errors, "metadata.generateName", prefix, format.problems(prefix, true));
    }
    String name = Json.textOr(metadata, "", "name");
    if (name.isEmpty()) {
      errors.add(FieldError.required("metadata.name", "name or generateName is required"));
    } else {
      add(errors, "metadata.name", name, format.problems(name, false));
    }
  }

  private static void checkNamespace(
      JsonNode metadata, boolean namespaced, List<FieldError> errors) {
    String namespace = Json.textOr(metadata, "", "namespace");
    if (!namespaced) {
      if (!namespace.isEmpty()) {
        errors.add(FieldError.forbidden("metadata.namespace", "not allowed on this type"));
      }
    } else if (namespace.isEmpty()) {
      errors.add(FieldError.required("metadata.namespace", ""));
    } else {
      add(errors, "metadata.namespace", namespace, NameValidation.dns1123Label(namespace));
    }
  }

  private static void checkCommon(JsonNode metadata, List<FieldError> errors) {
    errors.addAll(labels(metadata.path("labels"), "metadata.labels"));
    errors.addAll(annotations(metadata.path("annotations"), "metadata.annotations"));
    checkOwners(metadata.path("ownerReferences"), errors);
  }

  private static void checkOwners(JsonNode owners, List<FieldError> errors) {
    String path = "metadata.ownerReferences";
    String controller = "";
    for (JsonNode owner : owners) {
      String apiVersion = Json.textOr(owner, "", "apiVersion");
      if (apiVersion.isEmpty() || apiVersion.endsWith("/")) {
        errors.add(
            FieldError.invalid(path + ".apiVersion", apiVersion, "version must not be empty"));
      }
      for (String field : List.of("kind", "name", "uid")) {
        if (Json.textOr(owner, "", field).isEmpty()) {
          errors.add(FieldError.invalid(path + "." + field, "", "must not be empty"));
        }
      }
      String kind = Json.textOr(owner, "", "kind");
      if (apiVersion.equals("v1") && kind.equals("Event")) {
        errors.add(
            FieldError.invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
      }
      if (owner.path("controller").asBoolean(false)) {
        String name = kind + "/" + Json.textOr(owner, "", "name");
        if (!controller.isEmpty()) {
          errors.add(
              FieldError.invalid(
                  path,
                  owners,
                  "Only one reference can have Controller set to true. Found \"true\" in"
                      + " references for "
                      + controller
                      + " and "
                      + name));
        } else {
          controller = name;
        }
      }
    }
  }

  private static void checkFinalizers(JsonNode metadata, List<FieldError> errors) {
    String path = "metadata.finalizers";
    Set<String> all = texts(metadata.path("finalizers"));
    for (JsonNode finalizer : metadata.path("finalizers")) {
      String name = finalizer.asString("");
      add(errors, path, name, NameValidation.qualifiedName(name));
    }
    if (all.contains("orphan") && all.contains("foregroundDeletion")) {
      errors.add(
          FieldError.invalid(
              path,
              metadata.path("finalizers"),
              "finalizer orphan and foregroundDeletion cannot be both set"));
    }
  }

  private static void checkFinalizersAreQualified(JsonNode metadata, List<FieldError> errors) {
    int index = 0;
    for (JsonNode finalizer : metadata.path("finalizers")) {
      String name = finalizer.asString("");
      if (name.indexOf('/') < 0 && !PLAIN_FINALIZERS.contains(name)) {
        errors.add(
            FieldError.invalid(
                "metadata.finalizers[" + index + "]",
                name,
                "name is neither a standard finalizer name nor is it fully qualified"));
      }
      index++;
    }
  }

  private static void checkNoNewFinalizers(
      JsonNode metadata, JsonNode before, List<FieldError> errors) {
    Set<String> added = texts(metadata.path("finalizers"));
    added.removeAll(texts(before.path("finalizers")));
    if (!added.isEmpty()) {
      String shown =
          added.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
      errors.add(
          FieldError.forbidden(
              "metadata.finalizers",
              "no new finalizers can be added if the object is being deleted, found new"
                  + " finalizers []string{"
                  + shown
                  + "}"));
    }
  }

  private static void checkManagedFields(JsonNode metadata, List<FieldError> errors) {
    int index = 0;
    for (JsonNode entry : metadata.path("managedFields")) {
      String path = "metadata.managedFields[" + index + "]";
      String operation = Json.textOr(entry, "", "operation");
      if (!operation.equals("Apply") && !operation.equals("Update")) {
        errors.add(
            FieldError.invalid(path + ".operation", operation, "must be `Apply` or `Update`"));
      }
      String type = Json.textOr(entry, "", "fieldsType");
      if (!type.isEmpty() && !type.equals("FieldsV1")) {
        errors.add(FieldError.invalid(path + ".fieldsType", type, "must be `FieldsV1`"));
      }
      errors.addAll(fieldManager(Json.textOr(entry, "", "manager"), path + ".manager"));
      if (bytes(Json.textOr(entry, "", "subresource")) > SUBRESOURCE_MAX_BYTES) {
        errors.add(FieldError.tooLong(path + ".subresource", SUBRESOURCE_MAX_BYTES));
      }
      index++;
    }
  }

  private static void add(
      List<FieldError> errors, String path, String value, List<String> problems) {
    for (String problem : problems) {
      errors.add(FieldError.invalid(path, value, problem));
    }
  }

  private static Set<String> texts(JsonNode list) {
    Set<String> texts = new TreeSet<>();
    list.forEach(item -> texts.add(item.asString("")));
    return texts;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
