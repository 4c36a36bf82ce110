package io.fairlead.agent.spdy;

import io.fairlead.agent.pipe.BlockOutput;
import io.fairlead.agent.pipe.BoundedPipe;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// One of the streams of a connection: bytes both ways, each way ended on its own. Safe for one
/// thread that reads and others that write.
public final class SpdyStream {
  private final SpdyConnection connection;
  private final int id;
  private final Map<String, String> headers;
  private final BoundedPipe received = new BoundedPipe();
  private final AtomicBoolean sentLast = new AtomicBoolean();
  private final OutputStream output = new Output();
  private volatile boolean receivedLast;

  SpdyStream(SpdyConnection connection, int id, Map<String, String> headers) {
    this.connection = connection;
    this.id = id;
    this.headers = Map.copyOf(headers);
  }

  public int id() {
    return id;
  }

  /// A header the stream was opened with; empty when there is none.
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /// What the peer sends, up to its end of this stream.
  public InputStream input() {
    return received.input();
  }

  /// Sends to the peer; closing ends this way of the stream. After the peer has reset the stream
  /// writing fails.
  public OutputStream output() {
    return output;
  }

  /// Ends the stream both ways at once.
  public void reset(int status) throws IOException {
    sentLast.set(true);
    received.input().close();
    connection.forget(this);
    connection.writer().reset(id, status);
  }

  BoundedPipe received() {
    return received;
  }

  /// The peer has said that nothing more comes.
  void receivedLast() {
    receivedLast = true;
    received.finish();
    if (sentLast.get()) {
      connection.forget(this);
    }
  }

  /// The peer has reset it, or the connection is gone.
  void broken(IOException why) {
    sentLast.set(true);
    received.fail(why);
  }

  private final class Output extends BlockOutput {
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (sentLast.get()) {
        throw new IOException("the stream is closed");
      }
      if (length > 0) {
        connection.writer().data(id, false, bytes, offset, length);
      }
    }

    @Override
    public void close() throws IOException {
      if (sentLast.compareAndSet(false, true)) {
        connection.writer().data(id, true, new byte[0], 0, 0);
        if (receivedLast) {
          connection.forget(SpdyStream.this);
        }
      }
    }
  }
}
