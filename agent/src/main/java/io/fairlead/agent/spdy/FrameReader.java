package io.fairlead.agent.spdy;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads frames from a connection. Belongs to one thread.
///
/// A control frame begins with a set bit, the version and its type; a data frame with the number of
/// its stream. Both then have eight bits of flags and a length of 24 bits. Data is given on in
/// pieces, so that no length in a frame decides how much memory is used.
public final class FrameReader implements AutoCloseable {
  static final int VERSION = 3;
  static final int FIN = 1;
  static final int LARGEST_PIECE = 32 << 10;

  private static final int LARGEST_CONTROL = 64 << 10;

  private final DataInputStream in;
  private final HeaderReader headers = new HeaderReader();
  private int dataStream;
  private boolean dataLast;
  private int dataLeft;

  public FrameReader(InputStream in) {
    this.in = new DataInputStream(in);
  }

  /// The next frame, or null when the peer has closed the connection between two frames.
  ///
  /// @throws SpdyException when it is no proper frame; the connection is of no more use then
  public @Nullable Frame next() throws IOException {
    if (dataLeft > 0) {
      return piece();
    }
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int start = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
    int flags = in.readUnsignedByte();
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    if (start >= 0) {
      dataStream = start;
      dataLast = (flags & FIN) != 0;
      dataLeft = length;
      return length == 0 ? new Frame.Data(start, dataLast, ByteBuffer.allocate(0)) : piece();
    }
    int version = start >>> 16 & 0x7fff;
    if (version != VERSION) {
      throw new SpdyException("a frame of version " + version + " instead of " + VERSION);
    }
    if (length > LARGEST_CONTROL) {
      throw new SpdyException("a control frame of " + length + " bytes");
    }
    byte[] body = new byte[length];
    in.readFully(body);
    return control(start & 0xffff, (flags & FIN) != 0, ByteBuffer.wrap(body));
  }

  private Frame piece() throws IOException {
    byte[] bytes = new byte[Math.min(dataLeft, LARGEST_PIECE)];
    int count = in.read(bytes);
    if (count < 0) {
      throw new EOFException("the connection ended within a frame");
    }
    dataLeft -= count;
    return new Frame.Data(dataStream, dataLast && dataLeft == 0, ByteBuffer.wrap(bytes, 0, count));
  }

  private Frame control(int type, boolean last, ByteBuffer body) throws SpdyException {
    return switch (type) {
      case FrameType.SYN_STREAM -> {
        int stream = stream(body, 10);
        body.position(10);
        yield new Frame.SynStream(stream, last, headers(body));
      }
      case FrameType.SYN_REPLY -> new Frame.SynReply(stream(body, 4), last, headers(body));
      case FrameType.RST_STREAM -> new Frame.Reset(stream(body, 8), body.getInt());
      case FrameType.PING -> {
        need(body, 4);
        yield new Frame.Ping(body.getInt());
      }
      case FrameType.GOAWAY -> new Frame.GoAway(stream(body, 8), body.getInt());
      case FrameType.HEADERS -> {
        // They mean nothing here, but the zlib stream goes through them.
        stream(body, 4);
        headers(body);
        yield new Frame.Other(type);
      }
      default -> new Frame.Other(type);
    };
  }

  private Map<String, String> headers(ByteBuffer body) throws SpdyException {
    byte[] block = new byte[body.remaining()];
    body.get(block);
    return headers.read(block);
  }

  private static int stream(ByteBuffer body, int atLeast) throws SpdyException {
    need(body, atLeast);
    return body.getInt() & Integer.MAX_VALUE;
  }

  private static void need(ByteBuffer body, int bytes) throws SpdyException {
    if (body.remaining() < bytes) {
      throw new SpdyException("a control frame of only " + body.remaining() + " bytes");
    }
  }

  @Override
  public void close() {
    headers.close();
  }
}
