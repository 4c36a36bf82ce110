package io.fairlead.api.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.fairlead.api.json.DecodeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/// What stands around every protobuf object: four bytes `k8s\0`, then a message `Unknown` that says
/// what kind the bytes inside are.
///
/// ```
/// 6b 38 73 00 │ 1 typeMeta{1 apiVersion, 2 kind} │ 2 raw │ 3 contentEncoding │ 4 contentType
/// ```
///
/// @param raw the object's own message; not copied
public record Envelope(String apiVersion, String kind, Bytes raw) {
  static final byte[] MAGIC = {0x6b, 0x38, 0x73, 0x00};

  private static final int TYPE_META = 1;
  private static final int RAW = 2;

  /// A byte array that no caller may change.
  public record Bytes(byte[] array) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes bytes && java.util.Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
      return java.util.Arrays.hashCode(array);
    }
  }

  /// Opens a body. Throws [DecodeException] when it is no such envelope.
  public static Envelope open(byte[] body) {
    if (body.length < MAGIC.length
        || !java.util.Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new DecodeException(
          "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    }
    try {
      return read(CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length));
    } catch (IOException e) {
      throw new DecodeException("invalid protobuf envelope: " + e.getMessage());
    }
  }

  private static Envelope read(CodedInputStream in) throws IOException {
    String[] typeMeta = {"", ""};
    byte[] raw = new byte[0];
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case TYPE_META << 3 | ProtobufWireTypes.LENGTH -> typeMeta = typeMeta(in.readByteArray());
        case RAW << 3 | ProtobufWireTypes.LENGTH -> raw = in.readByteArray();
        default -> ProtobufWireTypes.skip(in, tag);
      }
    }
    return new Envelope(typeMeta[0], typeMeta[1], new Bytes(raw));
  }

  private static String[] typeMeta(byte[] message) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(message);
    String[] found = {"", ""};
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = tag >>> 3;
      if ((number == 1 || number == 2) && (tag & 7) == ProtobufWireTypes.LENGTH) {
        found[number - 1] = in.readStringRequireUtf8();
      } else {
        ProtobufWireTypes.skip(in, tag);
      }
    }
    return found;
  }

  /// The bytes to send.
  public byte[] seal() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.array().length + 64);
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      open(out, raw.array().length);
      out.writeRawBytes(raw.array());
      close(out);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Writes what comes before a message of that length.
  void open(CodedOutputStream out, int length) throws IOException {
    out.writeRawBytes(MAGIC);
    out.writeByteArray(TYPE_META, typeMeta());
    out.writeTag(RAW, ProtobufWireTypes.LENGTH);
    out.writeUInt32NoTag(length);
  }

  /// Writes what comes after the message, and flushes.
  static void close(CodedOutputStream out) throws IOException {
    out.writeString(3, "");
    out.writeString(4, "");
    out.flush();
  }

  private byte[] typeMeta() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes, 64);
    out.writeString(1, apiVersion);
    out.writeString(2, kind);
    out.flush();
    return bytes.toByteArray();
  }
}
