package io.fairlead.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.work.LoopFaults;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrainingApiTest {
  private static String get(TrainingApi api, String target) throws IOException {
    try (HttpClientConnection connection =
        new HttpClientConnection(new Socket(InetAddress.getLoopbackAddress(), api.port()))) {
      connection.send("GET", target, List.of(Map.entry("Host", "x")));
      int code = connection.head().code();
      byte[] first = connection.body().readNBytes(24);
      return code + " " + new String(first, UTF_8);
    }
  }

  @Test
  void aWatchGetsOneObjectAndEverythingElseIsNotFound() throws Exception {
    try (TrainingApi api = TrainingApi.start()) {
      assertThat(get(api, "/api/v1/services?watch=1"))
          .isEqualTo("200 {\"type\":\"ADDED\",\"object\"");
      assertThat(get(api, "/api/v1/services")).startsWith("404 {\"kind\":\"Status\"");
    }
  }

  @Test
  void theAcceptLoopGoesOnAfterAFailure() throws Exception {
    try (TrainingApi api = TrainingApi.start()) {
      assertThat(LoopFaults.failOnce("training-api")).isEqualTo(1);
      for (int i = 0; i < 3; i++) {
        assertThat(get(api, "/version")).startsWith("404 ");
      }
    }
  }
}
