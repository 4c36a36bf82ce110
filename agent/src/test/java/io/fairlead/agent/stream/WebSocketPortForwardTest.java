package io.fairlead.agent.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.http.server.MessageConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Port-forward as channels, which fabric8 and the client libraries of other languages use.
class WebSocketPortForwardTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private ServerSocket pod;

  @BeforeEach
  void listen() throws IOException {
    pod = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    pod.close();
  }

  private static final class Client implements MessageConnection {
    final Map<Integer, ByteArrayOutputStream> channels = new ConcurrentHashMap<>();
    final CompletableFuture<Boolean> closed = new CompletableFuture<>();

    @Override
    public synchronized void send(byte[] message) {
      channels
          .computeIfAbsent((int) message[0], _ -> new ByteArrayOutputStream())
          .write(message, 1, message.length - 1);
    }

    @Override
    public synchronized void sendText(String message) {
      byte[] content = Base64.getDecoder().decode(message.substring(1));
      channels
          .computeIfAbsent(message.charAt(0) - '0', _ -> new ByteArrayOutputStream())
          .writeBytes(content);
    }

    @Override
    public void close() {
      closed.complete(true);
    }

    synchronized byte[] bytes(int channel) {
      ByteArrayOutputStream bytes = channels.get(channel);
      return bytes == null ? new byte[0] : bytes.toByteArray();
    }

    synchronized String text(int channel) {
      ByteArrayOutputStream bytes = channels.get(channel);
      return bytes == null || bytes.size() < 2 ? "" : bytes.toString(UTF_8).substring(2);
    }
  }

  private Socket dial(int port) throws IOException {
    if (port != 80 && port != 0x1f90) {
      throw new IOException("connection refused");
    }
    return new Socket(pod.getInetAddress(), pod.getLocalPort());
  }

  @Test
  void eachPortHasTwoChannelsThatBeginWithItsNumber() throws Exception {
    Client client = new Client();
    MessageConnection.Receiver receiver =
        StreamingServer.portForward(
            client, "v4.channel.k8s.io", this::dial, "web", List.of(0x1f90, 7));
    try (Socket connection = pod.accept()) {
      receiver.part("\0hello".getBytes(UTF_8), true);
      assertThat(connection.getInputStream().readNBytes(5)).isEqualTo("hello".getBytes(UTF_8));
      connection.getOutputStream().write("world".getBytes(UTF_8));
      await().atMost(PATIENCE).until(() -> client.text(0).equals("world"));
      assertThat(client.bytes(0)).startsWith(0x90, 0x1f);
      assertThat(client.bytes(1)).startsWith(0x90, 0x1f);
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  client.text(3).equals("error forwarding port 7 to pod web: connection refused"));
      assertThat(client.closed).isNotDone();
    }
    assertThat(client.closed).succeedsWithin(PATIENCE);
  }

  @Test
  void textsCarryTheSameInBase64() throws Exception {
    Client client = new Client();
    MessageConnection.Receiver receiver =
        StreamingServer.portForward(
            client, "v4.base64.channel.k8s.io", this::dial, "web", List.of(80));
    assertThat(receiver.takesText()).isTrue();
    try (Socket connection = pod.accept()) {
      receiver.text("0aGV", false);
      receiver.text("sbG8=", true);
      assertThat(connection.getInputStream().readNBytes(5)).isEqualTo("hello".getBytes(UTF_8));
      connection.getOutputStream().write("world".getBytes(UTF_8));
      await().atMost(PATIENCE).until(() -> client.text(0).equals("world"));
    }
  }

  @Test
  void aUserWhoLeavesEndsTheConnections() throws Exception {
    Client client = new Client();
    MessageConnection.Receiver receiver =
        StreamingServer.portForward(client, "v4.channel.k8s.io", this::dial, "web", List.of(80));
    try (Socket connection = pod.accept()) {
      receiver.gone(null);
      assertThat(connection.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(client.closed).succeedsWithin(PATIENCE);
  }
}
