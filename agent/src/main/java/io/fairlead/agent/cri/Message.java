package io.fairlead.agent.cri;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A protobuf message by the numbers of its fields.
///
/// How it works: CRI has a hundred messages with a thousand fields, and the agent uses a few of
/// them. Instead of generated classes, the library's own container for "fields without a class" is
/// read and written by number; the numbers stand in [Requests] and [Answers], beside the names that
/// the protocol gives them. What is absent reads as empty, as protobuf has it. Immutable.
final class Message {
  static final Message EMPTY = new Message(UnknownFieldSet.getDefaultInstance());

  private final UnknownFieldSet fields;

  private Message(UnknownFieldSet fields) {
    this.fields = fields;
  }

  static Message parse(InputStream in) throws IOException {
    return new Message(UnknownFieldSet.parseFrom(in));
  }

  private static Message parse(ByteString bytes) {
    try {
      return new Message(UnknownFieldSet.parseFrom(bytes));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a protobuf message: " + e.getMessage(), e);
    }
  }

  InputStream stream() {
    return fields.toByteString().newInput();
  }

  String text(int number) {
    return bytes(number).toStringUtf8();
  }

  ByteString bytes(int number) {
    List<ByteString> values = fields.getField(number).getLengthDelimitedList();
    return values.isEmpty() ? ByteString.EMPTY : values.getLast();
  }

  long number(int number) {
    List<Long> values = fields.getField(number).getVarintList();
    return values.isEmpty() ? 0 : values.getLast();
  }

  boolean flag(int number) {
    return number(number) != 0;
  }

  boolean has(int number) {
    return fields.hasField(number);
  }

  Message message(int number) {
    return has(number) ? parse(bytes(number)) : EMPTY;
  }

  List<Message> messages(int number) {
    return fields.getField(number).getLengthDelimitedList().stream().map(Message::parse).toList();
  }

  List<String> texts(int number) {
    return fields.getField(number).getLengthDelimitedList().stream()
        .map(ByteString::toStringUtf8)
        .toList();
  }

  Map<String, String> map(int number) {
    Map<String, String> map = new TreeMap<>();
    messages(number).forEach(entry -> map.put(entry.text(1), entry.text(2)));
    return map;
  }

  static Writer write() {
    return new Writer();
  }

  /// Collects fields. Empty texts, zeros and no are left out, as protobuf has it. Used by one
  /// thread.
  static final class Writer {
    private final UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder();

    Writer text(int number, String value) {
      return value.isEmpty() ? this : bytes(number, ByteString.copyFromUtf8(value));
    }

    Writer texts(int number, Collection<String> values) {
      values.forEach(value -> bytes(number, ByteString.copyFromUtf8(value)));
      return this;
    }

    private Writer bytes(int number, ByteString value) {
      fields.mergeField(number, Field.newBuilder().addLengthDelimited(value).build());
      return this;
    }

    Writer number(int number, long value) {
      if (value != 0) {
        fields.mergeField(number, Field.newBuilder().addVarint(value).build());
      }
      return this;
    }

    Writer numbers(int number, Collection<Long> values) {
      values.forEach(
          value -> fields.mergeField(number, Field.newBuilder().addVarint(value).build()));
      return this;
    }

    Writer flag(int number, boolean value) {
      return number(number, value ? 1 : 0);
    }

    /// An empty message is there all the same.
    Writer message(int number, Message value) {
      return bytes(number, value.fields.toByteString());
    }

    Writer map(int number, Map<String, String> values) {
      values.forEach((key, value) -> message(number, write().text(1, key).text(2, value).build()));
      return this;
    }

    Message build() {
      return new Message(fields.build());
    }
  }
}
