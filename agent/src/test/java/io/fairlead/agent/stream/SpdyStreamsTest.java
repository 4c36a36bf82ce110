package io.fairlead.agent.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Exec and port-forward as streams of one SPDY connection.
class SpdyStreamsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static CompletableFuture<Void> exec(
      SpdyClient client, String protocol, FakeProgram program) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    StreamRequest asked = new StreamRequest(true, true, true, false);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                StreamingServer.exec(
                    client.serverInput(), client.serverOutput(), protocol, asked, () -> program);
                over.complete(null);
              } catch (IOException | InterruptedException e) {
                over.completeExceptionally(e);
              }
            });
    return over;
  }

  private static void openAll(SpdyClient client) throws IOException {
    int id = 1;
    for (String type : List.of("error", "stdin", "stdout", "stderr")) {
      client.writer().synStream(id, type.equals("error"), Map.of("streamtype", type));
      id += 2;
    }
  }

  private static void send(SpdyClient client, int stream, String text, boolean last)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    client.writer().data(stream, last, bytes, 0, bytes.length);
  }

  @Test
  void v4CarriesEveryStreamAndTheExitCode() throws Exception {
    try (SpdyClient client = new SpdyClient()) {
      CompletableFuture<Void> over = exec(client, "v4.channel.k8s.io", new FakeProgram(3, "oh"));
      openAll(client);
      send(client, 3, "hello", true);
      await().atMost(PATIENCE).until(() -> client.hasEnded(1));
      assertThat(client.text(5)).isEqualTo("hello");
      assertThat(client.text(7)).isEqualTo("oh");
      assertThat(client.hasEnded(5)).isTrue();
      assertThat(Json.mapper().readTree(client.text(1)).path("reason").asString())
          .isEqualTo("NonZeroExitCode");
      client.leave();
      over.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void olderProtocolsGetTheTextOnly() throws Exception {
    try (SpdyClient client = new SpdyClient()) {
      exec(client, "v3.channel.k8s.io", new FakeProgram(3, ""));
      openAll(client);
      send(client, 3, "", true);
      await().atMost(PATIENCE).until(() -> client.hasEnded(1));
      assertThat(client.text(1)).startsWith("command terminated").contains("3");
    }
  }

  @Test
  void aClientThatLeavesEndsTheProgram() throws Exception {
    FakeProgram program = new FakeProgram(0, "");
    try (SpdyClient client = new SpdyClient()) {
      exec(client, "v4.channel.k8s.io", program);
      openAll(client);
      await().atMost(PATIENCE).until(() -> client.isAccepted(7));
    }
    assertThat(program.end).succeedsWithin(PATIENCE);
  }

  /// Sends back what it gets.
  private static ServerSocket echo() throws IOException {
    ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              while (!server.isClosed()) {
                try {
                  Socket socket = server.accept();
                  Thread.ofVirtual().start(() -> echo(socket));
                } catch (IOException _) {
                  return;
                }
              }
            });
    return server;
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
      socket.shutdownOutput();
    } catch (IOException _) {
      // The other side is gone.
    }
  }

  private static void forward(SpdyClient client, StreamingServer.Dialer dialer) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                StreamingServer.portForward(
                    client.serverInput(), client.serverOutput(), dialer, "p");
              } catch (IOException _) {
                // The client is gone.
              }
            });
  }

  private static void openPair(SpdyClient client, int request, String port) throws IOException {
    Map<String, String> error =
        Map.of("streamtype", "error", "port", port, "requestid", "" + request);
    Map<String, String> data =
        Map.of("streamtype", "data", "port", port, "requestid", "" + request);
    client.writer().synStream(4 * request + 1, true, error);
    client.writer().synStream(4 * request + 3, false, data);
  }

  @Test
  void manyConnectionsAtOnceEachWithItsOwnBytes() throws Exception {
    Random random = new Random(5);
    try (ServerSocket server = echo();
        SpdyClient client = new SpdyClient()) {
      forward(client, port -> new Socket(InetAddress.getLoopbackAddress(), port));
      byte[][] sent = new byte[40][];
      for (int i = 0; i < sent.length; i++) {
        openPair(client, i, "" + server.getLocalPort());
        sent[i] = new byte[random.nextInt(50_000)];
        random.nextBytes(sent[i]);
      }
      for (int i = 0; i < sent.length; i++) {
        client.writer().data(4 * i + 3, true, sent[i], 0, sent[i].length);
      }
      for (int i = 0; i < sent.length; i++) {
        int request = i;
        await().atMost(PATIENCE).until(() -> client.hasEnded(4 * request + 1));
        assertThat(client.received(4 * i + 3)).isEqualTo(sent[i]);
        assertThat(client.text(4 * i + 1)).isEmpty();
      }
    }
  }

  @Test
  void aRefusedPortIsToldAndTheOthersGoOn() throws Exception {
    try (ServerSocket server = echo();
        SpdyClient client = new SpdyClient()) {
      forward(
          client,
          port -> {
            if (port == 1) {
              throw new ConnectException("Connection refused");
            }
            return new Socket(InetAddress.getLoopbackAddress(), port);
          });
      openPair(client, 0, "1");
      openPair(client, 1, "nonsense");
      openPair(client, 2, "" + server.getLocalPort());
      send(client, 11, "hi", true);
      for (int stream : new int[] {1, 3, 5, 7, 9, 11}) {
        await().atMost(PATIENCE).until(() -> client.hasEnded(stream));
      }
      assertThat(client.text(1)).contains("port 1", "Connection refused");
      assertThat(client.text(5)).contains("nonsense");
      assertThat(client.text(11)).isEqualTo("hi");
    }
  }
}
