package io.fairlead.agent.spdy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// One side of a connection: the client opens streams, both use them.
///
/// One thread reads, in [#serve], and fills the streams; a stream without a reader holds it up once
/// it is full, since the protocol as it is spoken here has no flow control and memory is bounded.
public final class SpdyConnection implements AutoCloseable {
  private static final int MOST_STREAMS = 4096;

  private final InputStream in;
  private final OutputStream out;
  private final FrameReader reader;
  private final FrameWriter writer;
  private final Map<Integer, SpdyStream> streams = new ConcurrentHashMap<>();
  private final AtomicInteger next = new AtomicInteger(1);
  private int newest;

  public SpdyConnection(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
    this.reader = new FrameReader(in);
    this.writer = new FrameWriter(out);
  }

  FrameWriter writer() {
    return writer;
  }

  void forget(SpdyStream stream) {
    streams.remove(stream.id());
  }

  /// Opens a stream, where we are the client.
  public SpdyStream open(Map<String, String> headers) throws IOException {
    SpdyStream stream = new SpdyStream(this, next.getAndAdd(2), headers);
    streams.put(stream.id(), stream);
    writer.synStream(stream.id(), false, headers);
    return stream;
  }

  /// Reads until the other side closes the connection. Every stream has ended afterwards.
  ///
  /// @param opened gets each new stream, already accepted; must not wait for its bytes
  public void serve(Consumer<SpdyStream> opened) throws IOException {
    IOException end = new EOFException("the client has closed the connection");
    try (reader) {
      for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
        take(frame, opened);
      }
    } catch (IOException e) {
      end = e;
      throw e;
    } finally {
      for (SpdyStream stream : streams.values()) {
        stream.broken(end);
      }
      streams.clear();
    }
  }

  private void take(Frame frame, Consumer<SpdyStream> opened) throws IOException {
    switch (frame) {
      case Frame.SynStream syn -> open(syn, opened);
      case Frame.Data data -> {
        SpdyStream stream = streams.get(data.stream());
        if (stream != null) {
          stream
              .received()
              .write(data.bytes().array(), data.bytes().position(), data.bytes().remaining());
          if (data.last()) {
            stream.receivedLast();
          }
        }
      }
      case Frame.Reset reset -> {
        SpdyStream stream = streams.remove(reset.stream());
        if (stream != null) {
          stream.broken(new IOException("the client has reset the stream"));
        }
      }
      // Ours would have an even number; we send none.
      case Frame.Ping ping -> writer.ping(ping.id());
      case Frame.SynReply _, Frame.GoAway _, Frame.Other _ -> {}
    }
  }

  private void open(Frame.SynStream syn, Consumer<SpdyStream> opened) throws IOException {
    int id = syn.stream();
    if (id % 2 == 0 || id <= newest) {
      throw new SpdyException("a client cannot open stream " + id + " after " + newest);
    }
    newest = id;
    if (streams.size() >= MOST_STREAMS) {
      writer.reset(id, Frame.Reset.CANCEL);
      return;
    }
    SpdyStream stream = new SpdyStream(this, id, syn.headers());
    streams.put(id, stream);
    writer.synReply(id, false, Map.of());
    if (syn.last()) {
      stream.receivedLast();
    }
    opened.accept(stream);
  }

  /// Cuts the connection: reading and writing end on all threads.
  @Override
  public void close() throws IOException {
    try (in;
        out) {
      // The transport goes first, so that no writing thread keeps the writer from closing.
    } finally {
      writer.close();
    }
  }
}
