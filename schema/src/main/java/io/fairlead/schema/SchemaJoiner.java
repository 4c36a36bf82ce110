package io.fairlead.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Joins two descriptions of the Kubernetes API into one.
///
/// How it works: the protobuf descriptors know the true names of the types, the field numbers and
/// the widths of integers, but neither texts nor what JSON looks like. The model classes, generated
/// from OpenAPI, know the JSON names, the texts and what is required, but not the packages. Both
/// are walked together from pairs that are known ([RootKinds]), and a field that both have with a
/// message type gives the next pair. A field that only JSON has must be found in a nested message
/// that JSON flattens (an embedded Go struct); a message that only protobuf has must be such a
/// nested one. Anything else stops the build, so nothing is lost unnoticed when the library moves.
final class SchemaJoiner {
  /// Messages that are leaves in JSON.
  private static final Map<String, String> LEAVES =
      Map.of(
          "k8s.io.apimachinery.pkg.apis.meta.v1.Time", "time",
          "k8s.io.apimachinery.pkg.apis.meta.v1.MicroTime", "microTime",
          "k8s.io.apimachinery.pkg.apis.meta.v1.Duration", "duration",
          "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1", "any",
          "k8s.io.apimachinery.pkg.runtime.RawExtension", "any",
          "k8s.io.apimachinery.pkg.util.intstr.IntOrString", "intOrString",
          "k8s.io.apimachinery.pkg.api.resource.Quantity", "quantity");

  /// Fields of the protobuf file that the models lack: the file is of a newer Kubernetes.
  private static final List<String> PROTOBUF_ONLY =
      List.of("k8s.io.api.autoscaling.v2.HorizontalPodAutoscalerCondition.observedGeneration");

  /// How many messages may be flattened into each other.
  private static final int DEEPEST = 3;

  private final Map<String, ModelClass> models = new TreeMap<>();
  private final Map<String, Descriptor> messages = new TreeMap<>();
  private final Deque<String> pending = new ArrayDeque<>();
  private final List<String> problems = new ArrayList<>();

  /// Adds a pair and everything it reaches.
  void add(Descriptor message, Class<?> model) {
    enqueue(message, model);
  }

  String text() {
    Map<String, String> blocks = new TreeMap<>();
    while (!pending.isEmpty()) {
      String name = pending.remove();
      StringBuilder block = new StringBuilder();
      write(block, name);
      blocks.put(name, block.toString());
    }
    if (!problems.isEmpty()) {
      throw new IllegalStateException(
          "protobuf and OpenAPI disagree:\n  " + String.join("\n  ", problems));
    }
    return String.join("", blocks.values());
  }

  private String enqueue(Descriptor message, Class<?> type) {
    String name = schemaName(message);
    messages.put(name, message);
    ModelClass known = models.get(name);
    if (known == null || known.isPartial()) {
      models.put(name, new ModelClass(type));
      pending.add(name);
    }
    return name;
  }

  private void write(StringBuilder out, String name) {
    Descriptor message = get(messages, name);
    ModelClass model = get(models, name);
    Map<String, FieldDescriptor> direct = byJsonName(message);
    Map<String, FieldDescriptor> nested = new HashMap<>();
    List<FieldDescriptor> flattened = flattened(message, model, nested);
    SchemaLineFormat.struct(out, name, model.description());
    for (ModelClass.Property property : model.properties()) {
      FieldDescriptor own = direct.get(key(property.name()));
      FieldDescriptor field = own == null ? nested.get(key(property.name())) : own;
      if (field == null && !property.isTypeMeta()) {
        problems.add(name + "." + property.name() + " is unknown to protobuf");
        continue;
      }
      String type = field == null ? "string" : type(field, property.type());
      int number = own == null ? 0 : own.getNumber();
      SchemaLineFormat.field(
          out, property.name(), type, number, property.required(), property.description());
    }
    for (FieldDescriptor field : flattened) {
      SchemaLineFormat.inlined(out, field.getName(), "@" + flat(field, model), field.getNumber());
    }
  }

  /// The nested messages that JSON flattens; puts their fields, by JSON name, into `found`.
  private List<FieldDescriptor> flattened(
      Descriptor message, ModelClass model, Map<String, FieldDescriptor> found) {
    List<FieldDescriptor> flattened = new ArrayList<>();
    for (FieldDescriptor field : message.getFields()) {
      if (model.property(key(field.getName())) != null) {
        continue;
      }
      Map<String, FieldDescriptor> inner = inside(field, model, 1);
      if (!inner.isEmpty()) {
        found.putAll(inner);
        flattened.add(field);
      } else if (!PROTOBUF_ONLY.contains(field.getFullName())) {
        problems.add(field.getFullName() + " is unknown to JSON");
      }
    }
    return flattened;
  }

  /// The fields of a message that JSON flattens, and of those that it flattens in turn; none when
  /// JSON knows some of them not.
  private static Map<String, FieldDescriptor> inside(
      FieldDescriptor field, ModelClass model, int depth) {
    boolean single = field.getJavaType() == JavaType.MESSAGE && !field.isRepeated();
    if (!single || depth > DEEPEST) {
      return Map.of();
    }
    Map<String, FieldDescriptor> found = new HashMap<>();
    for (FieldDescriptor inner : field.getMessageType().getFields()) {
      if (model.property(key(inner.getName())) != null) {
        found.put(key(inner.getName()), inner);
      } else {
        Map<String, FieldDescriptor> further = inside(inner, model, depth + 1);
        if (further.isEmpty()) {
          return Map.of();
        }
        found.putAll(further);
      }
    }
    return found;
  }

  /// Makes a struct of a flattened message out of the part of its parent's model that it covers.
  private String flat(FieldDescriptor field, ModelClass parent) {
    Descriptor message = field.getMessageType();
    String name = schemaName(message);
    if (messages.putIfAbsent(name, message) == null) {
      models.put(name, parent.restrictedTo(inside(field, parent, 1).keySet()));
      pending.add(name);
    }
    return name;
  }

  private String type(FieldDescriptor field, ModelClass.Shape shape) {
    if (field.isMapField()) {
      FieldDescriptor value = field.getMessageType().findFieldByName("value");
      return "{}" + element(value, shape.argument());
    }
    return field.isRepeated() ? "[]" + element(field, shape.argument()) : element(field, shape);
  }

  private String element(FieldDescriptor field, ModelClass.Shape shape) {
    return switch (field.getType()) {
      case STRING -> "string";
      case BOOL -> "boolean";
      case INT32, UINT32 -> "int32";
      case INT64, UINT64 -> "int64";
      case DOUBLE, FLOAT -> "double";
      case BYTES -> "bytes";
      case MESSAGE -> message(field.getMessageType(), shape);
      default -> throw new IllegalStateException("unexpected type of " + field.getFullName());
    };
  }

  private String message(Descriptor message, ModelClass.Shape shape) {
    String leaf = LEAVES.get(message.getFullName());
    if (leaf != null) {
      return leaf;
    }
    if (shape.raw().equals(List.class)) {
      // A Go slice type with a name (ExtraValue): a message with `items` in protobuf.
      return "[]" + element(message.findFieldByNumber(1), shape.argument());
    }
    if (shape.raw().equals(Object.class)) {
      return "any";
    }
    return "@" + enqueue(message, shape.raw());
  }

  private static Map<String, FieldDescriptor> byJsonName(Descriptor message) {
    Map<String, FieldDescriptor> fields = new HashMap<>();
    for (FieldDescriptor field : message.getFields()) {
      fields.put(key(field.getName()), field);
    }
    return fields;
  }

  /// Names are compared without case and signs: protobuf says `uID`, `podIP`, `ref` and
  /// `xKubernetesListType` where JSON has `uid`, `podIP`, `$ref` and `x-kubernetes-list-type`.
  static String key(String name) {
    return name.replace("$", "").replace("-", "").toLowerCase(java.util.Locale.ROOT);
  }

  private static String schemaName(Descriptor message) {
    return message
        .getFullName()
        .replaceFirst("^k8s\\.io\\.", "io.k8s.")
        // The name of a Go module, in which protobuf cannot have a hyphen.
        .replace("apiextensions_apiserver", "apiextensions-apiserver");
  }

  private static <T> T get(Map<String, T> map, String key) {
    T found = map.get(key);
    if (found == null) {
      throw new IllegalStateException("nothing known of " + key);
    }
    return found;
  }
}
