package io.fairlead.agent.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Exec as messages of channels.
class WebSocketExecTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final StreamRequest ALL = new StreamRequest(true, true, true, false);

  /// What a client would get, by channel.
  private static final class Client implements Messages {
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

  private static void say(Messages.Receiver receiver, int channel, String text) throws IOException {
    byte[] bytes = (" " + text).getBytes(UTF_8);
    bytes[0] = (byte) channel;
    receiver.part(bytes, true);
  }

  private static void endInput(Messages.Receiver receiver) throws IOException {
    receiver.part(new byte[] {(byte) 255, 0}, true);
  }

  @Test
  void v5CarriesEveryStreamAndTheExitCode() throws Exception {
    Client client = new Client();
    Messages.Receiver receiver =
        Streams.exec(client, "v5.channel.k8s.io", ALL, () -> program(3, "oh"));
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
    endInput(Streams.exec(client, "v5.channel.k8s.io", ALL, () -> program(0, "")));
    assertThat(client.status())
        .isEqualTo(Json.mapper().readTree("{\"metadata\":{},\"status\":\"Success\"}"));
  }

  /// Its 255 is a message to a channel that nobody has.
  @Test
  void v4CannotEndItsInput() throws Exception {
    Client client = new Client();
    FakeProgram program = program(0, "");
    Messages.Receiver receiver = Streams.exec(client, "v4.channel.k8s.io", ALL, () -> program);
    endInput(receiver);
    say(receiver, 0, "still there");
    await().atMost(PATIENCE).until(() -> client.channel(1).equals("still there"));
    receiver.gone(null);
    assertThat(program.end).succeedsWithin(PATIENCE);
  }

  @Test
  void aUserWhoLeavesEndsTheProgram() throws Exception {
    FakeProgram program = program(0, "");
    Streams.exec(new Client(), "v5.channel.k8s.io", ALL, () -> program)
        .gone(new IOException("cable cut"));
    assertThat(program.end).succeedsWithin(PATIENCE);
  }

  @Test
  void aStormOfSizesEndsWithTheLast() throws Exception {
    FakeProgram program = program(0, "");
    StreamRequest terminal = new StreamRequest(true, true, true, true);
    Messages.Receiver receiver =
        Streams.exec(new Client(), "v5.channel.k8s.io", terminal, () -> program);
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
    Streams.exec(
        client,
        "v5.channel.k8s.io",
        ALL,
        () -> {
          throw new RuntimeFailure("RunContainerError", "no such program");
        });
    assertThat(client.status().path("reason").asString()).isEqualTo("InternalError");
    assertThat(client.status().path("message").asString()).isEqualTo("no such program");
  }
}
