package io.fairlead.api.protobuf;

import com.google.protobuf.CodedInputStream;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.JsonReader;
import io.fairlead.api.schema.Durations;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.Times;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Reads leaves. Some are messages in protobuf: a time is `{1 seconds, 2 nanos}`, a quantity `{1
/// text}`, an int-or-string `{1 type, 2 intVal, 3 strVal}`, anything else `{1 JSON bytes}`.
final class ScalarReader {
  /// Below this a double tells all whole numbers apart.
  private static final double MOST_EXACT = 1L << 53;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ScalarReader() {}

  /// The next value, or null for a time that is not set.
  static @Nullable JsonNode read(CodedInputStream in, int tag, ScalarKind kind) throws IOException {
    return switch (kind) {
      case STRING -> {
        expect(tag, ProtobufWireTypes.LENGTH);
        yield NODES.stringNode(in.readStringRequireUtf8());
      }
      case BYTES -> {
        expect(tag, ProtobufWireTypes.LENGTH);
        yield NODES.stringNode(Base64.getEncoder().encodeToString(in.readByteArray()));
      }
      case BOOLEAN -> {
        expect(tag, ProtobufWireTypes.VARINT);
        yield NODES.booleanNode(in.readBool());
      }
      case INT32 -> {
        expect(tag, ProtobufWireTypes.VARINT);
        yield NODES.numberNode(in.readInt32());
      }
      case INT64 -> {
        expect(tag, ProtobufWireTypes.VARINT);
        yield whole(in.readInt64());
      }
      case DOUBLE -> {
        expect(tag, ProtobufWireTypes.FIXED64);
        yield number(in.readDouble());
      }
      case TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY, ANY -> message(in, tag, kind);
    };
  }

  /// Whether Go would leave the value out of JSON.
  static boolean isZero(ScalarKind kind, JsonNode value) {
    return switch (kind) {
      case STRING, BYTES -> value.stringValue().isEmpty();
      case BOOLEAN -> !value.booleanValue();
      case INT32, INT64, DOUBLE -> value.doubleValue() == 0;
      case INT_OR_STRING ->
          value.isString() ? value.stringValue().isEmpty() : value.intValue() == 0;
      case TIME, MICRO_TIME, DURATION, QUANTITY, ANY -> false;
    };
  }

  private static @Nullable JsonNode message(CodedInputStream in, int tag, ScalarKind kind)
      throws IOException {
    expect(tag, ProtobufWireTypes.LENGTH);
    Parts parts = new Parts();
    int before = in.pushLimit(in.readRawVarint32());
    for (int inner = in.readTag(); inner != 0; inner = in.readTag()) {
      parts.read(in, inner);
    }
    in.popLimit(before);
    return switch (kind) {
      case TIME, MICRO_TIME -> parts.time(kind);
      case DURATION -> NODES.stringNode(Durations.text(parts.first));
      case INT_OR_STRING ->
          parts.first == 0
              ? NODES.numberNode((int) parts.second)
              : NODES.stringNode(parts.third.toStringUtf8());
      case QUANTITY -> NODES.stringNode(parts.text.isEmpty() ? "0" : parts.text.toStringUtf8());
      default -> parts.text.isEmpty() ? null : JsonReader.read(parts.text.toByteArray()).value();
    };
  }

  /// The fields 1 to 3 of such a message, whichever it is.
  private static final class Parts {
    private long first;
    private long second;
    private com.google.protobuf.ByteString text = com.google.protobuf.ByteString.EMPTY;
    private com.google.protobuf.ByteString third = com.google.protobuf.ByteString.EMPTY;

    void read(CodedInputStream in, int tag) throws IOException {
      switch (tag) {
        case 1 << 3 | ProtobufWireTypes.VARINT -> first = in.readInt64();
        case 1 << 3 | ProtobufWireTypes.LENGTH -> text = in.readBytes();
        case 2 << 3 | ProtobufWireTypes.VARINT -> second = in.readInt64();
        case 3 << 3 | ProtobufWireTypes.LENGTH -> third = in.readBytes();
        default -> ProtobufWireTypes.skip(in, tag);
      }
    }

    @Nullable JsonNode time(ScalarKind kind) {
      if (first == 0 && second == 0) {
        return null;
      }
      try {
        Instant time = Instant.ofEpochSecond(first, second);
        if (!Times.isPrintable(time)) {
          throw new DecodeException("invalid protobuf: a time is out of range");
        }
        return NODES.stringNode(
            kind == ScalarKind.TIME ? Times.seconds(time) : Times.microseconds(time));
      } catch (DateTimeException | ArithmeticException e) {
        throw new DecodeException("invalid protobuf: a time is out of range");
      }
    }
  }

  /// As the JSON reader makes it: nodes of different sizes are different, also for one number.
  private static JsonNode whole(long value) {
    return value == (int) value ? NODES.numberNode((int) value) : NODES.numberNode(value);
  }

  /// Go writes a whole number without a fraction.
  private static JsonNode number(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new DecodeException("invalid protobuf: JSON has no number " + value);
    }
    return Math.rint(value) == value && Math.abs(value) < MOST_EXACT
        ? whole((long) value)
        : NODES.numberNode(value);
  }

  private static void expect(int tag, int wire) {
    if ((tag & 7) != wire) {
      throw new DecodeException("invalid protobuf: field " + (tag >>> 3) + " has the wrong type");
    }
  }
}
