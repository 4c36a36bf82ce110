package io.fairlead.server.openapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.ScalarKind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Leaves as schemas. Those with a name of their own upstream are references, so that `kubectl
/// explain` prints `<Quantity>` and `<IntOrString>`.
final class ScalarSchemas {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  static final String PATCH = META + "Patch";
  private static final String RAW = "io.k8s.apimachinery.pkg.runtime.RawExtension";
  private static final String FIELDS = META + "FieldsV1";

  private ScalarSchemas() {}

  /// The name of the schema a leaf refers to, or null when it is written in place.
  static @Nullable String reference(ScalarKind kind, String fieldName) {
    return switch (kind) {
      case TIME -> META + "Time";
      case MICRO_TIME -> META + "MicroTime";
      case DURATION -> META + "Duration";
      case INT_OR_STRING -> "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
      case QUANTITY -> "io.k8s.apimachinery.pkg.api.resource.Quantity";
      case ANY -> fieldName.equals("fieldsV1") ? FIELDS : RAW;
      case STRING, BOOLEAN, INT32, INT64, DOUBLE, BYTES -> null;
    };
  }

  /// The schema of a leaf that is written in place.
  static ObjectNode inPlace(ScalarKind kind) {
    ObjectNode out = Json.object();
    return switch (kind) {
      case BOOLEAN -> out.put("type", "boolean");
      case INT32 -> out.put("type", "integer").put("format", "int32");
      case INT64 -> out.put("type", "integer").put("format", "int64");
      case DOUBLE -> out.put("type", "number").put("format", "double");
      case BYTES -> out.put("type", "string").put("format", "byte");
      default -> out.put("type", "string");
    };
  }

  /// The schema behind a name that [#reference] gave.
  static ObjectNode definition(String name, boolean version3) {
    ObjectNode out = Json.object();
    switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "Time" ->
          out.put("description", "A point in time: RFC 3339, UTC, whole seconds.")
              .put("format", "date-time")
              .put("type", "string");
      case "MicroTime" ->
          out.put("description", "A point in time: RFC 3339, UTC, six decimals.")
              .put("format", "date-time")
              .put("type", "string");
      case "Duration" ->
          out.put("description", "A length of time, such as 1m30s.").put("type", "string");
      case "IntOrString" -> {
        out.put("description", "A whole number or a text, such as 80 or http.");
        out.put("format", "int-or-string");
        either(out, version3, "integer");
      }
      case "Quantity" -> {
        out.put("description", "An amount with a suffix, such as 500m, 2 or 1Gi.");
        either(out, version3, "number");
      }
      case "FieldsV1" ->
          out.put("description", "A set of fields as a tree: f:name, k:{keys}, v:value.")
              .put("type", "object");
      case "Patch" ->
          out.put("description", "A change in the form that the content type names.")
              .put("type", "object");
      default -> out.put("description", "Any object.").put("type", "object");
    }
    return out;
  }

  private static void either(ObjectNode out, boolean version3, String numeric) {
    if (version3) {
      ArrayNode choices = out.putArray("oneOf");
      choices.addObject().put("type", "string");
      choices.addObject().put("type", numeric);
    } else {
      out.put("type", "string");
    }
  }
}
