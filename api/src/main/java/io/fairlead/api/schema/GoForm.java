package io.fairlead.api.schema;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Prints values in messages as Go prints its structs: the members in the order of their
/// declaration, not in the order in which a client sent them.
///
/// Messages show two sorts of structs. Those of the API have its names and leave out what is not
/// set. Those that validation works on have Go's names and show every field.
public final class GoForm {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.";
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("ip", "IP"),
          Map.entry("uid", "UID"),
          Map.entry("apiVersion", "APIVersion"),
          Map.entry("apiGroup", "APIGroup"),
          Map.entry("apiGroups", "APIGroups"),
          Map.entry("tls", "TLS"),
          Map.entry("http", "HTTP"),
          Map.entry("httpGet", "HTTPGet"),
          Map.entry("tcpSocket", "TCPSocket"),
          Map.entry("grpc", "GRPC"),
          Map.entry("cidr", "CIDR"),
          Map.entry("ipBlock", "IPBlock"));

  private GoForm() {}

  /// A value of the API: `{"key":"app","operator":"In"}`.
  public static JsonNode external(JsonNode value, String structName) {
    return external(value, Schemas.kubernetes().struct(structName));
  }

  /// A value as validation sees it: `{"Key":"k","Value":"","Effect":"NoSchedule"}`.
  public static JsonNode internal(JsonNode value, String structName) {
    return internal(value, Schemas.kubernetes().struct(structName));
  }

  private static JsonNode external(JsonNode value, Type type) {
    return switch (type) {
      case StructType struct -> {
        ObjectNode shown = Json.object();
        for (Field field : declared(struct)) {
          JsonNode member = value.path(field.name());
          if (!member.isMissingNode() && !member.isNull()) {
            shown.set(field.name(), external(member, field.type()));
          } else if (field.required()) {
            shown.set(field.name(), zero(field));
          }
        }
        yield shown;
      }
      case Type.ListOf list -> {
        ArrayNode shown = Json.array();
        value.forEach(item -> shown.add(external(item, list.element())));
        yield shown;
      }
      case Type.MapOf map -> sorted(value);
      case Type.Scalar _ -> value;
    };
  }

  private static JsonNode internal(JsonNode value, Type type) {
    return switch (type) {
      // Validation works on the API's own structs where they are of the metadata group.
      case StructType struct when struct.name().startsWith(META) -> external(value, struct);
      case StructType struct -> {
        ObjectNode shown = Json.object();
        for (Field field : declared(struct)) {
          JsonNode member = value.path(field.name());
          boolean set = !member.isMissingNode() && !member.isNull();
          shown.set(goName(field.name()), set ? internal(member, field.type()) : zero(field));
        }
        yield shown;
      }
      case Type.ListOf list -> {
        ArrayNode shown = Json.array();
        value.forEach(item -> shown.add(internal(item, list.element())));
        yield shown;
      }
      case Type.MapOf _ -> sorted(value);
      case Type.Scalar _ -> value;
    };
  }

  /// Go prints maps by their keys.
  public static JsonNode sorted(JsonNode map) {
    List<String> keys = new ArrayList<>(map.propertyNames());
    keys.sort(Comparator.naturalOrder());
    ObjectNode shown = Json.object();
    keys.forEach(key -> shown.set(key, map.path(key)));
    return shown;
  }

  private static List<Field> declared(StructType struct) {
    List<Field> fields = new ArrayList<>(struct.fields());
    fields.sort(Comparator.comparingInt(Field::number));
    return fields;
  }

  private static JsonNode zero(Field field) {
    if (field.pointer() || !(field.type() instanceof Type.Scalar scalar)) {
      return NODES.nullNode();
    }
    return switch (scalar.kind()) {
      case STRING, DURATION -> NODES.stringNode("");
      case BOOLEAN -> NODES.booleanNode(false);
      case INT32, INT64, DOUBLE -> NODES.numberNode(0);
      case QUANTITY -> NODES.stringNode("0");
      case BYTES, TIME, MICRO_TIME, INT_OR_STRING, ANY -> NODES.nullNode();
    };
  }

  private static String goName(String name) {
    return NAMES.getOrDefault(
        name, name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
  }
}
