package io.fairlead.api.protobuf;

import com.google.protobuf.CodedOutputStream;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Durations;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Times;
import io.fairlead.api.schema.Type;
import io.fairlead.api.schema.Type.ListOf;
import io.fairlead.api.schema.Type.MapOf;
import io.fairlead.api.schema.Type.Scalar;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes trees as `application/vnd.kubernetes.protobuf`: objects, lists and Status alike, each
/// with its own struct. The tree must fit the struct (see `Conformer`); stored objects do.
public final class ProtobufWriter {
  private static final int BUFFER = 256;

  private ProtobufWriter() {}

  /// The whole body, envelope included; kind and apiVersion are those of the object.
  public static byte[] write(ObjectNode object, StructType type) {
    return new Envelope(
            Json.textOr(object, "", "apiVersion"),
            Json.textOr(object, "", "kind"),
            new Envelope.Bytes(message(object, type)))
        .seal();
  }

  /// Writes a whole list to a stream: the length of everything stands before it, so the items come
  /// as the messages that [#message] made of them.
  ///
  /// @param head the list without its items
  /// @param items gone through twice, first for their lengths, so they need not be held in memory
  public static void writeList(
      OutputStream to, ObjectNode head, StructType type, Iterable<byte[]> items)
      throws IOException {
    Field field = Objects.requireNonNull(type.field("items"), type.name());
    byte[] start = message(head, type);
    int length = start.length;
    for (byte[] item : items) {
      length += CodedOutputStream.computeByteArraySize(field.number(), item);
    }
    Envelope envelope =
        new Envelope(
            Json.textOr(head, "", "apiVersion"),
            Json.textOr(head, "", "kind"),
            new Envelope.Bytes(start));
    CodedOutputStream out = CodedOutputStream.newInstance(to);
    envelope.open(out, length);
    out.writeRawBytes(start);
    for (byte[] item : items) {
      out.writeByteArray(field.number(), item);
    }
    Envelope.close(out);
  }

  /// One event of a watch: four bytes of length, then `WatchEvent{1 type, 2 object{1 raw}}`.
  ///
  /// @param object the bytes that [#write] made of the object
  public static byte[] watchFrame(String type, byte[] object) {
    byte[] event =
        bytes(
            out -> {
              out.writeString(1, type);
              out.writeByteArray(2, bytes(inner -> inner.writeByteArray(1, object)));
            });
    return ByteBuffer.allocate(4 + event.length).putInt(event.length).put(event).array();
  }

  /// The message alone.
  public static byte[] message(JsonNode object, StructType type) {
    return bytes(out -> struct(out, object, type));
  }

  private static void struct(CodedOutputStream out, JsonNode object, StructType type)
      throws IOException {
    for (Field field : type.inlined()) {
      byte[] nested = message(object, (StructType) field.type());
      if (nested.length > 0) {
        out.writeByteArray(field.number(), nested);
      }
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      Field field = type.field(member.getKey());
      if (field == null || field.number() <= 0 || member.getValue().isNull()) {
        continue;
      }
      SchemaUnion union = SchemaUnion.of(type, field);
      if (union == null) {
        field(out, field.number(), member.getValue(), field.type());
      } else {
        unions(out, field, member.getValue(), union, type);
      }
    }
  }

  private static void field(CodedOutputStream out, int number, JsonNode value, Type type)
      throws IOException {
    switch (type) {
      case ListOf list -> {
        for (JsonNode item : value.values()) {
          value(out, number, item, list.element());
        }
      }
      case MapOf map -> {
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
          out.writeByteArray(number, entry(entry, map.value()));
        }
      }
      default -> value(out, number, value, type);
    }
  }

  private static void unions(
      CodedOutputStream out, Field field, JsonNode value, SchemaUnion union, StructType schema)
      throws IOException {
    if (field.type() instanceof MapOf) {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        out.writeByteArray(
            field.number(),
            bytes(
                inner -> {
                  inner.writeString(1, entry.getKey());
                  inner.writeByteArray(2, union(entry.getValue(), union, schema));
                }));
      }
    } else {
      out.writeByteArray(field.number(), union(value, union, schema));
    }
  }

  private static byte[] union(JsonNode value, SchemaUnion union, StructType schema) {
    return bytes(
        out -> {
          if (union == SchemaUnion.OR_BOOLEAN) {
            out.writeBool(union.other, value.isObject() || value.asBoolean(false));
          }
          if (value.isObject()) {
            out.writeByteArray(union.schema, message(value, schema));
          } else if (union == SchemaUnion.OR_NAMES) {
            for (JsonNode name : value.values()) {
              out.writeString(union.other, name.asString());
            }
          } else if (union == SchemaUnion.OR_SCHEMAS) {
            for (JsonNode item : value.values()) {
              out.writeByteArray(union.other, message(item, schema));
            }
          }
        });
  }

  private static byte[] entry(Map.Entry<String, JsonNode> entry, Type type) {
    return bytes(
        out -> {
          out.writeString(1, entry.getKey());
          value(out, 2, entry.getValue(), type);
        });
  }

  private static void value(CodedOutputStream out, int number, JsonNode value, Type type)
      throws IOException {
    switch (type) {
      case StructType struct -> out.writeByteArray(number, message(value, struct));
      case ListOf _ -> out.writeByteArray(number, bytes(inner -> field(inner, 1, value, type)));
      case Scalar scalar -> scalar(out, number, value, scalar.kind());
      case MapOf _ -> throw new IllegalArgumentException("protobuf has no map inside a map");
    }
  }

  private static void scalar(CodedOutputStream out, int number, JsonNode value, ScalarKind kind)
      throws IOException {
    switch (kind) {
      case STRING -> out.writeString(number, value.asString());
      case BYTES -> out.writeByteArray(number, Base64.getDecoder().decode(value.asString()));
      case BOOLEAN -> out.writeBool(number, value.asBoolean());
      case INT32 -> out.writeInt32(number, value.intValue());
      case INT64 -> out.writeInt64(number, value.longValue());
      case DOUBLE -> out.writeDouble(number, value.doubleValue());
      case TIME, MICRO_TIME -> out.writeByteArray(number, time(value));
      case DURATION -> {
        Long nanoseconds = Durations.nanoseconds(value.asString());
        out.writeByteArray(
            number, bytes(inner -> inner.writeInt64(1, nanoseconds == null ? 0 : nanoseconds)));
      }
      case INT_OR_STRING -> out.writeByteArray(number, intOrString(value));
      case QUANTITY ->
          out.writeByteArray(number, bytes(inner -> inner.writeString(1, value.asString())));
      case ANY ->
          out.writeByteArray(number, bytes(inner -> inner.writeByteArray(1, Json.bytes(value))));
    }
  }

  private static byte[] time(JsonNode value) {
    Instant time = Times.parse(value.asString());
    return time == null
        ? new byte[0]
        : bytes(
            out -> {
              out.writeInt64(1, time.getEpochSecond());
              out.writeInt32(2, time.getNano());
            });
  }

  private static byte[] intOrString(JsonNode value) {
    return bytes(
        out -> {
          out.writeInt64(1, value.isString() ? 1 : 0);
          out.writeInt32(2, value.isString() ? 0 : value.intValue());
          out.writeString(3, value.isString() ? value.stringValue() : "");
        });
  }

  /// A part of a message, made apart because its length stands before it.
  private interface Part {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] bytes(Part part) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER);
      part.write(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
