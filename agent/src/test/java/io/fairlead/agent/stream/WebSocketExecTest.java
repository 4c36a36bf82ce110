package io.fairlead.agent.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;
import io.fairlead.http.server.MessageConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Exec as messages of channels.
class WebSocketExecTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final StreamRequest ALL = new StreamRequest(true, true, true, false);

  private static final StreamRequest OUTPUTS = new StreamRequest(false, true, true, false);

  /// What a client would get, by channel.
  private static final class Client implements MessageConnection {
    final ByteArrayOutputStream[] channels = new ByteArrayOutputStream[5];
    final CompletableFuture<Boolean> closed = new CompletableFuture<>();

    Client() {
      for (int i = 0; i < channels.length; i++) {
        channels[i] = new ByteArrayOutputStream();
      }
    }

    @Override
    public synchronized void send(byte[] message) {
      channels[message[0]].write(message, 1, message.length - 1);
    }

    @Override
    public synchronized void sendText(String message) {
      channels[message.charAt(0) - '0'].writeBytes(
          Base64.getDecoder().decode(message.substring(1)));
    }

    @Override
    public void close() {
      closed.complete(true);
    }

    synchronized String channel(int number) {
      return channels[number].toString(UTF_8);
    }

    JsonNode status() throws Exception {
      closed.get(60, TimeUnit.SECONDS);
      return Json.mapper().readTree(channel(3));
    }
  }

  private static void say(MessageConnection.Receiver receiver, int channel, String text)
      throws IOException {
    byte[] bytes = (" " + text).getBytes(UTF_8);
    bytes[0] = (byte) channel;
    receiver.part(bytes, true);
  }

  private static void endInput(MessageConnection.Receiver receiver) throws IOException {
    receiver.part(new byte[] {(byte) 255, 0}, true);
  }

  @Test
  void v5CarriesEveryStreamAndTheExitCode() throws Exception {
    Client client = new Client();
    MessageConnection.Receiver receiver =
        StreamingServer.exec(client, "v5.channel.k8s.io", ALL, () -> program(3, "oh"));
    say(receiver, 0, "hello ");
    receiver.part(new byte[] {0, 'w', 'o'}, false);
    receiver.part("rld".getBytes(UTF_8), true);
    endInput(receiver);
    JsonNode status = client.status();
    assertThat(client.channel(1)).isEqualTo("hello world");
    assertThat(client.channel(2)).isEqualTo("oh");
    assertThat(status)
        .isEqualTo(
            Json.mapper()
                .readTree(
                    """
                    {"metadata":{},"status":"Failure","reason":"NonZeroExitCode",
                     "message":"command terminated with non-zero exit code: command terminated with exit code 3",
                     "details":{"causes":[{"reason":"ExitCode","message":"3"}]}}
                    """));
  }

  private static FakeProgram ended(int code, String complaint) {
    FakeProgram program = program(code, complaint);
    try {
      program.input().close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return program;
  }

  private static FakeProgram program(int code, String complaint) {
    try {
      return new FakeProgram(code, complaint);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void successSaysSo() throws Exception {
    Client client = new Client();
    endInput(StreamingServer.exec(client, "v5.channel.k8s.io", ALL, () -> program(0, "")));
    assertThat(client.status())
        .isEqualTo(Json.mapper().readTree("{\"metadata\":{},\"status\":\"Success\"}"));
  }

  /// Its 255 is a message to a channel that does not exist.
  @Test
  void v4CannotEndItsInput() throws Exception {
    Client client = new Client();
    FakeProgram program = program(0, "");
    MessageConnection.Receiver receiver =
        StreamingServer.exec(client, "v4.channel.k8s.io", ALL, () -> program);
    endInput(receiver);
    say(receiver, 0, "still there");
    await().atMost(PATIENCE).until(() -> client.channel(1).equals("still there"));
    receiver.gone(null);
    assertThat(program.end).succeedsWithin(PATIENCE);
  }

  @Test
  void aUserWhoLeavesEndsTheProgram() throws Exception {
    FakeProgram program = program(0, "");
    StreamingServer.exec(new Client(), "v5.channel.k8s.io", ALL, () -> program)
        .gone(new IOException("cable cut"));
    assertThat(program.end).succeedsWithin(PATIENCE);
  }

  @Test
  void aStormOfSizesEndsWithTheLast() throws Exception {
    FakeProgram program = program(0, "");
    StreamRequest terminal = new StreamRequest(true, true, true, true);
    MessageConnection.Receiver receiver =
        StreamingServer.exec(new Client(), "v5.channel.k8s.io", terminal, () -> program);
    say(receiver, 4, "{\"Width\":0,\"Height\":0}\n");
    for (int i = 1; i <= 1000; i++) {
      say(receiver, 4, "{\"Width\":" + i + ",\"Height\":24}\n");
    }
    await()
        .atMost(PATIENCE)
        .until(() -> !program.sizes.isEmpty() && program.sizes.getLast().equals("1000x24"));
    assertThat(program.sizes).doesNotContain("0x0");
    receiver.gone(null);
  }

  @Test
  void whatCannotStartIsTold() throws Exception {
    Client client = new Client();
    StreamingServer.exec(
        client,
        "v5.channel.k8s.io",
        ALL,
        () -> {
          throw new RuntimeFailure("RunContainerError", "no such program");
        });
    assertThat(client.status().path("reason").asString()).isEqualTo("InternalError");
    assertThat(client.status().path("message").asString()).isEqualTo("no such program");
  }

  /// Before v4 only what failed is told, as a sentence.
  @Test
  void theOldestProtocolTellsAFailureInWords() throws Exception {
    for (String protocol : List.of("channel.k8s.io", "base64.channel.k8s.io", "")) {
      Client client = new Client();
      StreamingServer.exec(client, protocol, OUTPUTS, () -> ended(3, "oh"));
      client.closed.get(60, TimeUnit.SECONDS);
      assertThat(client.channel(2)).isEqualTo("oh");
      assertThat(client.channel(3))
          .isEqualTo(
              "command terminated with non-zero exit code: command terminated with exit code 3");
      Client happy = new Client();
      StreamingServer.exec(happy, protocol, OUTPUTS, () -> ended(0, ""));
      happy.closed.get(60, TimeUnit.SECONDS);
      assertThat(happy.channel(3)).isEmpty();
    }
  }

  @Test
  void base64IsTheSameAsText() throws Exception {
    Client client = new Client();
    MessageConnection.Receiver receiver =
        StreamingServer.exec(client, "v4.base64.channel.k8s.io", ALL, () -> program(0, ""));
    receiver.text("0aGVs", false);
    receiver.text("bG8=", true);
    await().atMost(PATIENCE).until(() -> client.channel(1).equals("hello"));
    receiver.gone(null);
  }

  @Test
  void theBestProtocolThatBothKnowIsChosen() {
    List<String> ours = StreamingServer.EXEC_WEB_SOCKET;
    assertThat(StreamingServer.choose(ours, List.of("channel.k8s.io", "v4.channel.k8s.io")))
        .isEqualTo(Optional.of("v4.channel.k8s.io"));
    assertThat(StreamingServer.choose(ours, List.of("channel.k8s.io")))
        .isEqualTo(Optional.of("channel.k8s.io"));
    assertThat(StreamingServer.choose(ours, List.of())).isEqualTo(Optional.of(""));
    assertThat(StreamingServer.choose(ours, List.of("chat"))).isEmpty();
    assertThat(StreamingServer.choose(StreamingServer.EXEC_SPDY, List.of())).isEmpty();
  }
}
