package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.agent.spdy.Frame;
import io.fairlead.agent.spdy.FrameReader;
import io.fairlead.agent.spdy.FrameWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The client's side of a SPDY connection in memory: opens streams and collects what comes.
final class SpdyClient implements AutoCloseable {
  private final BoundedPipe toServer = new BoundedPipe();
  private final BoundedPipe toClient = new BoundedPipe();
  private final FrameWriter writer = new FrameWriter(output(toServer));
  private final Map<Integer, ByteArrayOutputStream> received = new ConcurrentHashMap<>();
  private final Set<Integer> ended = ConcurrentHashMap.newKeySet();
  private final Set<Integer> accepted = ConcurrentHashMap.newKeySet();

  SpdyClient() {
    Thread.ofVirtual().start(this::read);
  }

  /// What the server reads.
  InputStream serverInput() {
    return toServer.input();
  }

  /// What the server writes to.
  OutputStream serverOutput() {
    return output(toClient);
  }

  FrameWriter writer() {
    return writer;
  }

  private void read() {
    try (FrameReader reader = new FrameReader(toClient.input())) {
      for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
        switch (frame) {
          case Frame.SynReply reply -> accepted.add(reply.stream());
          case Frame.Data data -> {
            synchronized (received) {
              received
                  .computeIfAbsent(data.stream(), _ -> new ByteArrayOutputStream())
                  .write(data.bytes().array(), data.bytes().position(), data.bytes().remaining());
            }
            if (data.last()) {
              ended.add(data.stream());
            }
          }
          case Frame.Reset reset -> ended.add(reset.stream());
          default -> {}
        }
      }
    } catch (IOException _) {
      // The server is gone.
    }
  }

  boolean isAccepted(int stream) {
    return accepted.contains(stream);
  }

  boolean hasEnded(int stream) {
    return ended.contains(stream);
  }

  byte[] received(int stream) {
    synchronized (received) {
      ByteArrayOutputStream bytes = received.get(stream);
      return bytes == null ? new byte[0] : bytes.toByteArray();
    }
  }

  String text(int stream) {
    return new String(received(stream), StandardCharsets.UTF_8);
  }

  /// Says that nothing more comes.
  void leave() {
    toServer.finish();
  }

  @Override
  public void close() {
    leave();
  }

  private static OutputStream output(BoundedPipe pipe) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        pipe.write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        pipe.write(bytes, offset, length);
      }

      @Override
      public void close() {
        pipe.finish();
      }
    };
  }
}
