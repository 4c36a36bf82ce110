package io.fairlead.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.work.testing.ByteMutator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Damaged WebSocket frames: each conversation ends, none is left behind, and the next is served.
///
/// Conversations need a connection each, so there are fewer than inputs of the other targets: one
/// for each fifty of the property `fairlead.fuzz`.
class WebSocketFuzzTest {
  private static final int COUNT = Integer.getInteger("fairlead.fuzz", 10_000) / 50;
  private static final long SEED = Long.getLong("fairlead.seed", 20261116L);
  private static final String HANDSHAKE =
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
          + "Sec-WebSocket-Protocol: p\r\n\r\n";

  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger gone = new AtomicInteger();

  /// Sends back what it gets.
  private final class Echo implements MessageConnection.Receiver {
    private final MessageConnection to;

    Echo(MessageConnection to) {
      this.to = to;
      opened.incrementAndGet();
    }

    @Override
    public void part(byte[] bytes, boolean last) throws IOException {
      to.send(bytes);
    }

    @Override
    public void gone(@Nullable Throwable why) {
      gone.incrementAndGet();
    }
  }

  /// A frame of a client, with a mask of zeros (RFC 6455 5.2).
  private static byte[] frame(int first, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(first);
    frame.write(0x80 | payload.length);
    frame.writeBytes(new byte[4]);
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  private static byte[] joined(byte[]... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    return all.toByteArray();
  }

  private static List<byte[]> corpus() {
    byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
    return List.of(
        joined(frame(0x82, hello), frame(0x88, new byte[] {3, (byte) 0xe8})),
        joined(frame(0x02, hello), frame(0x89, hello), frame(0x80, hello)),
        joined(frame(0x81, hello), frame(0x8a, new byte[0])),
        joined(frame(0x82, new byte[0]), frame(0x82, new byte[100])));
  }

  /// Sends the frames and reads until the server has closed the connection.
  private static byte[] converse(int port, byte[] frames) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) in.read());
      }
      assertThat(head).startsWith("HTTP/1.1 101 ");
      socket.getOutputStream().write(frames);
      socket.shutdownOutput();
      return in.readAllBytes();
    } catch (java.net.SocketException _) {
      return new byte[0]; // reset: an end as good as any
    }
  }

  @Test
  void damagedFramesEndTheirConversationOnly() throws Exception {
    HttpServer server = HttpServer.of(HttpServerOptions.forApi("127.0.0.1", 0, Optional.empty()));
    try (server) {
      server.start(exchange -> assertThat(exchange.upgrade("p", Echo::new)).isTrue());
      ByteMutator mutator = new ByteMutator(new SplittableRandom(SEED), corpus());
      for (int i = 0; i < COUNT; i++) {
        converse(server.port(), mutator.next());
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> opened.get() == COUNT && gone.get() >= COUNT);
      byte[] proper = frame(0x82, "still here".getBytes(StandardCharsets.UTF_8));
      byte[] farewell = frame(0x88, new byte[] {3, (byte) 0xe8});
      assertThat(
              new String(
                  converse(server.port(), joined(proper, farewell)), StandardCharsets.ISO_8859_1))
          .contains("still here");
    }
  }
}
