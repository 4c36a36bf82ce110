package io.fairlead.api.schema;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Type.ListOf;
import io.fairlead.api.schema.Type.MapOf;
import io.fairlead.api.schema.Type.Scalar;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Makes a tree fit a type, as if it had been read into a Go struct and written out again.
///
/// How it works: one walk along the type. A member the type lacks is removed and reported, as
/// Kubernetes drops it. A value of the wrong type ends the walk with Go's sentence. Quantities,
/// times and base64 get their canonical text. Nulls go, and so does what an encoder with
/// `omitempty` leaves out: empty lists and maps, and zero values of fields that are neither
/// required nor pointers; a stored object is therefore the same whichever way it came.
public final class Conformer {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// No more unknown fields than these are reported to the client.
  private static final int MAX_PROBLEMS = 100;

  /// Marks a step of the path that is the key of a map; no member's name begins like this.
  private static final String KEY = "\0";

  /// Marks a step of the path that is a struct which JSON flattens; Go names it on the way.
  private static final String EMBEDDED = "\1";

  private final List<String> problems = new ArrayList<>();
  private final List<String> path = new ArrayList<>();
  private String struct = "";
  // What Go calls the type of the value that is looked at; empty where it follows from the shape.
  private String declared = "";

  private Conformer() {}

  /// Changes the tree so that it fits. Returns what a strict client wants to know, `unknown field
  /// "spec.selectr"`, in document order; throws [DecodeException] for a value of the wrong type.
  public static List<String> conform(ObjectNode tree, StructType type) {
    Conformer conformer = new Conformer();
    conformer.struct(tree, type);
    return List.copyOf(conformer.problems);
  }

  private void struct(ObjectNode object, StructType type) {
    String outer = struct;
    struct = simpleName(type);
    for (Iterator<Map.Entry<String, JsonNode>> members = object.properties().iterator();
        members.hasNext(); ) {
      Map.Entry<String, JsonNode> member = members.next();
      Field field = type.field(member.getKey());
      String embedded = field == null ? "" : embedding(type, field);
      if (!embedded.isEmpty()) {
        path.add(EMBEDDED + embedded);
      }
      path.add(member.getKey());
      if (field == null) {
        unknown();
        members.remove();
      } else {
        declared = field.goType();
        JsonNode value = value(member.getValue(), field.type());
        if (value == null || isOmitted(value, field)) {
          members.remove();
        } else {
          member.setValue(value);
        }
      }
      path.removeLast();
      if (!embedded.isEmpty()) {
        path.removeLast();
      }
    }
    struct = outer;
  }

  /// The struct through which a member came into its parent; empty for one of its own.
  private static String embedding(StructType type, Field field) {
    for (Field inlined : type.inlined()) {
      if (inlined.type() instanceof StructType struct && struct.field(field.name()) != null) {
        return simpleName(struct);
      }
    }
    return "";
  }

  /// The fitting value, or null when there is none to keep.
  private @Nullable JsonNode value(JsonNode value, Type type) {
    if (value.isNull()) {
      return null;
    }
    return switch (type) {
      case Scalar scalar -> scalar(value, scalar.kind());
      case StructType nested -> {
        if (!(value instanceof ObjectNode object)) {
          throw mismatch(value, type);
        }
        struct(object, nested);
        yield object;
      }
      case ListOf list -> {
        if (!(value instanceof ArrayNode items)) {
          throw mismatch(value, type);
        }
        items(items, list.element());
        yield items;
      }
      case MapOf map -> {
        if (!(value instanceof ObjectNode object)) {
          throw mismatch(value, type);
        }
        entries(object, map.value());
        yield object;
      }
    };
  }

  private void items(ArrayNode items, Type element) {
    String inner = declared.startsWith("[]") ? declared.substring(2) : "";
    for (int at = 0; at < items.size(); at++) {
      path.add("[" + at + "]");
      declared = inner;
      JsonNode value = value(items.get(at), element);
      items.set(at, value == null ? zero(element) : value);
      path.removeLast();
    }
  }

  private void entries(ObjectNode object, Type type) {
    String inner = declared.startsWith("map[") ? declared.substring(declared.indexOf(']') + 1) : "";
    boolean amounts = type instanceof Scalar scalar && scalar.kind() == ScalarKind.QUANTITY;
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      path.add(KEY + entry.getKey());
      declared = inner;
      JsonNode value = value(entry.getValue(), type);
      JsonNode kept = value == null ? zero(type) : value;
      // Amounts of resources are counted in thousandths.
      entry.setValue(amounts ? Scalars.roundedToMillis(kept) : kept);
      path.removeLast();
    }
  }

  private JsonNode scalar(JsonNode value, ScalarKind kind) {
    JsonNode canonical = Scalars.canonical(kind, value);
    if (canonical == null) {
      throw mismatch(value, new Scalar(kind));
    }
    return canonical;
  }

  /// What Go makes of a null inside a list or a map.
  private static JsonNode zero(Type type) {
    return switch (type) {
      case StructType _, MapOf _ -> Json.object();
      case ListOf _ -> Json.array();
      case Scalar scalar ->
          switch (scalar.kind()) {
            case BOOLEAN -> NODES.booleanNode(false);
            case INT32, INT64, DOUBLE, INT_OR_STRING -> NODES.numberNode(0);
            case QUANTITY -> NODES.stringNode("0");
            case STRING, BYTES, DURATION -> NODES.stringNode("");
            case TIME, MICRO_TIME, ANY -> NODES.nullNode();
          };
    };
  }

  private static boolean isOmitted(JsonNode value, Field field) {
    if (field.required()) {
      return false;
    }
    return switch (field.type()) {
      case ListOf _, MapOf _ -> value.isEmpty();
      case Scalar scalar -> !field.pointer() && Scalars.isZero(scalar.kind(), value);
      case StructType _ -> false;
    };
  }

  private void unknown() {
    if (problems.size() < MAX_PROBLEMS) {
      problems.add("unknown field \"" + shownPath(true) + "\"");
    }
  }

  /// Go names the fields on the way to the value, and neither indexes nor keys of maps.
  private DecodeException mismatch(JsonNode value, Type type) {
    return new DecodeException(
        "json: cannot unmarshal "
            + shown(value)
            + " into Go struct field "
            + struct
            + "."
            + shownPath(false)
            + " of type "
            + (declared.isEmpty() ? goName(type) : declared));
  }

  private String shownPath(boolean whole) {
    StringBuilder text = new StringBuilder();
    for (String step : path) {
      boolean index = step.startsWith("[");
      boolean key = step.startsWith(KEY);
      boolean embedded = step.startsWith(EMBEDDED);
      if (whole ? !embedded : !index && !key) {
        text.append(text.isEmpty() || index ? "" : ".")
            .append(key || embedded ? step.substring(1) : step);
      }
    }
    return text.toString();
  }

  /// What Go calls a JSON value that does not fit: `string`, `number 1.5`.
  public static String shown(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case NUMBER ->
          value.isIntegralNumber() && value.canConvertToInt()
              ? "number"
              : "number " + value.asString();
      case ARRAY -> "array";
      default -> "object";
    };
  }

  static String goName(Type type) {
    return switch (type) {
      case Scalar scalar -> Scalars.goName(scalar.kind());
      case ListOf list -> "[]" + goName(list.element());
      case MapOf map -> "map[string]" + goName(map.value());
      case StructType struct -> {
        String[] parts = struct.name().split("\\.", -1);
        yield parts[parts.length - 2] + "." + parts[parts.length - 1];
      }
    };
  }

  private static String simpleName(StructType type) {
    return type.name().substring(type.name().lastIndexOf('.') + 1);
  }
}
