package io.fairlead.agent.spdy;

import java.nio.ByteBuffer;
import java.util.Map;

/// One unit of the protocol.
public sealed interface Frame {
  /// Opens a stream.
  ///
  /// @param last the sender will send nothing on it
  /// @param headers names in lower case
  record SynStream(int stream, boolean last, Map<String, String> headers) implements Frame {
    public SynStream {
      headers = Map.copyOf(headers);
    }
  }

  /// Accepts a stream.
  record SynReply(int stream, boolean last, Map<String, String> headers) implements Frame {
    public SynReply {
      headers = Map.copyOf(headers);
    }
  }

  /// Bytes of a stream. A long frame comes in pieces.
  ///
  /// @param last the sender will send nothing more on it
  /// @param bytes the receiver's own
  record Data(int stream, boolean last, ByteBuffer bytes) implements Frame {}

  /// Ends a stream at once.
  record Reset(int stream, int status) implements Frame {
    public static final int PROTOCOL_ERROR = 1;
    public static final int CANCEL = 5;
  }

  /// Wants to come back as it is.
  record Ping(int id) implements Frame {}

  /// The sender will take no more streams.
  record GoAway(int lastStream, int status) implements Frame {}

  /// Something that means nothing to us: settings, windows, further headers.
  record Other(int type) implements Frame {}
}
