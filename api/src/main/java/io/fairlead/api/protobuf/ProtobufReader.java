package io.fairlead.api.protobuf;

import com.google.protobuf.CodedInputStream;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import io.fairlead.api.schema.Type.ListOf;
import io.fairlead.api.schema.Type.MapOf;
import io.fairlead.api.schema.Type.Scalar;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads `application/vnd.kubernetes.protobuf` into a tree, driven by the field numbers of the
/// schema.
///
/// How it works: Go writes every scalar that is not a pointer, zero or not, and `omitempty` leaves
/// the zeros out of JSON; so zeros of plain fields are dropped here and those of pointers kept.
/// Messages that JSON flattens are read into their parent. Unknown numbers are skipped: protobuf
/// has no strict mode. Throws [DecodeException] and nothing else.
public final class ProtobufReader {
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private final CodedInputStream in;
  private int depth;

  private ProtobufReader(byte[] message) {
    in = CodedInputStream.newInstance(message);
  }

  /// Reads a body with its envelope; `kind` and `apiVersion` come first, where the envelope has
  /// them.
  public static ObjectNode read(byte[] body, StructType type) {
    Envelope envelope = Envelope.open(body);
    ObjectNode object = Json.object();
    if (!envelope.kind().isEmpty()) {
      object.put("kind", envelope.kind());
    }
    if (!envelope.apiVersion().isEmpty()) {
      object.put("apiVersion", envelope.apiVersion());
    }
    readMessage(envelope.raw().array(), type, object);
    return object;
  }

  /// Reads a bare message into an object.
  public static void readMessage(byte[] message, StructType type, ObjectNode into) {
    try {
      new ProtobufReader(message).struct(into, type);
    } catch (IOException e) {
      throw new DecodeException("invalid protobuf: " + e.getMessage());
    }
  }

  private void struct(ObjectNode into, StructType type) throws IOException {
    if (++depth > Json.MAX_DEPTH) {
      throw new DecodeException("invalid protobuf: nested deeper than " + Json.MAX_DEPTH);
    }
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      Field field = type.numbered(tag >>> 3);
      if (field == null) {
        ProtobufWireTypes.skip(in, tag);
      } else if (field.inlined()) {
        nested(tag, into, (StructType) field.type());
      } else if (SchemaUnion.of(type, field) instanceof SchemaUnion union) {
        union(tag, field, union, type, into);
      } else {
        field(tag, field, into);
      }
    }
    depth--;
  }

  private void field(int tag, Field field, ObjectNode into) throws IOException {
    switch (field.type()) {
      case StructType struct -> nested(tag, Json.child(into, field.name()), struct);
      case ListOf list -> item(tag, list.element(), list(into, field.name()));
      case MapOf map -> entry(tag, map.value(), Json.child(into, field.name()));
      case Scalar scalar -> {
        JsonNode value = ScalarReader.read(in, tag, scalar.kind());
        if (value == null || isDropped(field, scalar.kind(), value)) {
          into.remove(field.name());
        } else {
          into.set(field.name(), value);
        }
      }
    }
  }

  private static boolean isDropped(Field field, ScalarKind kind, JsonNode value) {
    return !field.pointer() && !field.required() && ScalarReader.isZero(kind, value);
  }

  private void nested(int tag, ObjectNode into, StructType type) throws IOException {
    int before = in.pushLimit(length(tag));
    struct(into, type);
    in.popLimit(before);
  }

  private void item(int tag, Type element, ArrayNode list) throws IOException {
    if (element instanceof Scalar scalar && isPacked(tag, scalar.kind())) {
      int before = in.pushLimit(length(tag));
      while (in.getBytesUntilLimit() > 0) {
        list.add(ScalarReader.read(in, ProtobufWireTypes.VARINT, scalar.kind()));
      }
      in.popLimit(before);
      return;
    }
    list.add(value(tag, element));
  }

  private static boolean isPacked(int tag, ScalarKind kind) {
    return (tag & 7) == ProtobufWireTypes.LENGTH
        && switch (kind) {
          case BOOLEAN, INT32, INT64 -> true;
          default -> false;
        };
  }

  /// One item of a list or one value of a map.
  private JsonNode value(int tag, Type type) throws IOException {
    return switch (type) {
      case StructType struct -> {
        ObjectNode object = Json.object();
        nested(tag, object, struct);
        yield object;
      }
      case ListOf list -> wrapped(tag, list.element());
      case Scalar scalar -> {
        JsonNode value = ScalarReader.read(in, tag, scalar.kind());
        yield value == null ? Json.mapper().nullNode() : value;
      }
      case MapOf _ -> throw new DecodeException("invalid protobuf: a map inside a map");
    };
  }

  /// A named Go slice as a value: a message with the repeated field 1.
  private ArrayNode wrapped(int tag, Type element) throws IOException {
    ArrayNode list = Json.array();
    int before = in.pushLimit(length(tag));
    for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
      if (inner >>> 3 == 1) {
        item(inner, element, list);
      } else {
        ProtobufWireTypes.skip(in, inner);
      }
    }
    in.popLimit(before);
    return list;
  }

  private void entry(int tag, Type type, ObjectNode map) throws IOException {
    entry(tag, type, map, inner -> value(inner, type));
  }

  /// Reads the value of an entry, whose tag was read.
  private interface ValueReader {
    JsonNode read(int tag) throws IOException;
  }

  private void entry(int tag, Type type, ObjectNode map, ValueReader reader) throws IOException {
    int before = in.pushLimit(length(tag));
    String key = "";
    JsonNode value = null;
    for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
      if (inner == (KEY << 3 | ProtobufWireTypes.LENGTH)) {
        key = in.readStringRequireUtf8();
      } else if (inner >>> 3 == VALUE) {
        value = reader.read(inner);
      } else {
        ProtobufWireTypes.skip(in, inner);
      }
    }
    in.popLimit(before);
    map.set(key, value == null ? zero(type) : value);
  }

  private void union(int tag, Field field, SchemaUnion union, StructType schema, ObjectNode into)
      throws IOException {
    if (field.type() instanceof MapOf map) {
      ObjectNode values = Json.child(into, field.name());
      entry(tag, map.value(), values, inner -> union(inner, union, schema));
    } else {
      into.set(field.name(), union(tag, union, schema));
    }
  }

  private JsonNode union(int tag, SchemaUnion union, StructType schema) throws IOException {
    ObjectNode whole = null;
    boolean allows = false;
    ArrayNode several = Json.array();
    int before = in.pushLimit(length(tag));
    for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
      if (inner >>> 3 == union.schema) {
        whole = Json.object();
        nested(inner, whole, schema);
      } else if (inner >>> 3 != union.other) {
        ProtobufWireTypes.skip(in, inner);
      } else if (union == SchemaUnion.OR_BOOLEAN) {
        allows =
            ScalarReader.read(in, inner, ScalarKind.BOOLEAN) instanceof JsonNode flag
                && flag.booleanValue();
      } else if (union == SchemaUnion.OR_NAMES) {
        several.add(ScalarReader.read(in, inner, ScalarKind.STRING));
      } else {
        several.add(value(inner, schema));
      }
    }
    in.popLimit(before);
    if (whole != null) {
      return whole;
    }
    return union == SchemaUnion.OR_BOOLEAN
        ? Json.mapper().getNodeFactory().booleanNode(allows)
        : several;
  }

  /// The value of an entry that holds only a key. Null stands for what only the conformer knows.
  private static JsonNode zero(Type type) {
    return switch (type) {
      case StructType _, MapOf _ -> Json.object();
      case ListOf _ -> Json.array();
      case Scalar _ -> Json.mapper().nullNode();
    };
  }

  private int length(int tag) throws IOException {
    if ((tag & 7) != ProtobufWireTypes.LENGTH) {
      throw new DecodeException("invalid protobuf: field " + (tag >>> 3) + " has the wrong type");
    }
    return in.readRawVarint32();
  }

  private static ArrayNode list(ObjectNode into, String name) {
    @Nullable JsonNode known = into.get(name);
    return known instanceof ArrayNode list ? list : into.putArray(name);
  }
}
