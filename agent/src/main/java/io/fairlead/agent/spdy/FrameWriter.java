package io.fairlead.agent.spdy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/// Writes frames to a connection, each in one piece and at once. Any thread may write: the lock is
/// what keeps frames, and the one zlib stream of their headers, in order, so it is held while the
/// connection takes the bytes.
public final class FrameWriter implements AutoCloseable {
  static final int LARGEST_DATA = 32 << 10;

  private final OutputStream out;
  private final ReentrantLock order = new ReentrantLock();
  // Guarded by order.
  private final HeaderWriter headers = new HeaderWriter();
  private boolean closed;

  public FrameWriter(OutputStream out) {
    this.out = out;
  }

  public void synStream(int stream, boolean last, Map<String, String> named) throws IOException {
    order.lock();
    try {
      byte[] block = block(named);
      ByteBuffer body = ByteBuffer.allocate(10 + block.length);
      body.putInt(stream).putInt(0).put((byte) 0).put((byte) 0).put(block);
      control(FrameType.SYN_STREAM, last, body);
    } finally {
      order.unlock();
    }
  }

  public void synReply(int stream, boolean last, Map<String, String> named) throws IOException {
    order.lock();
    try {
      byte[] block = block(named);
      control(
          FrameType.SYN_REPLY,
          last,
          ByteBuffer.allocate(4 + block.length).putInt(stream).put(block));
    } finally {
      order.unlock();
    }
  }

  public void reset(int stream, int status) throws IOException {
    send(FrameType.RST_STREAM, ByteBuffer.allocate(8).putInt(stream).putInt(status));
  }

  public void ping(int id) throws IOException {
    send(FrameType.PING, ByteBuffer.allocate(4).putInt(id));
  }

  public void goAway(int lastStream, int status) throws IOException {
    send(FrameType.GOAWAY, ByteBuffer.allocate(8).putInt(lastStream).putInt(status));
  }

  /// Sends bytes of a stream in frames of a moderate size, so that other streams get between them.
  ///
  /// @param last nothing more comes on it
  public void data(int stream, boolean last, byte[] bytes, int offset, int length)
      throws IOException {
    int done = 0;
    do {
      int size = Math.min(LARGEST_DATA, length - done);
      boolean end = last && done + size == length;
      ByteBuffer frame = ByteBuffer.allocate(8 + size);
      frame.putInt(stream).putInt((end ? FrameReader.FIN : 0) << 24 | size);
      frame.put(bytes, offset + done, size);
      order.lock();
      try {
        write(frame);
      } finally {
        order.unlock();
      }
      done += size;
    } while (done < length);
  }

  private void send(int type, ByteBuffer body) throws IOException {
    order.lock();
    try {
      control(type, false, body);
    } finally {
      order.unlock();
    }
  }

  private byte[] block(Map<String, String> named) throws IOException {
    if (closed) {
      throw new IOException("the connection is closed");
    }
    return headers.write(named);
  }

  private void control(int type, boolean last, ByteBuffer body) throws IOException {
    body.flip();
    ByteBuffer frame = ByteBuffer.allocate(8 + body.remaining());
    frame.putInt(0x80000000 | FrameReader.VERSION << 16 | type);
    frame.putInt((last ? FrameReader.FIN : 0) << 24 | body.remaining());
    frame.put(body);
    write(frame);
  }

  private void write(ByteBuffer frame) throws IOException {
    if (closed) {
      throw new IOException("the connection is closed");
    }
    out.write(frame.array(), 0, frame.position());
    out.flush();
  }

  @Override
  public void close() {
    order.lock();
    try {
      closed = true;
      headers.close();
    } finally {
      order.unlock();
    }
  }
}
