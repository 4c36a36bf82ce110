package io.fairlead.api.protobuf;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;

/// The wire types of protobuf, <https://protobuf.dev/programming-guides/encoding/>.
final class ProtobufWireTypes {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;

  private ProtobufWireTypes() {}

  /// Steps over an unknown field. A stray end of a group is an error.
  static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new IOException("a group ends that never began");
    }
  }
}
