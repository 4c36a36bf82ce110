package io.fairlead.dns.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Readiness;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.testing.Rig;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatusPagesTest {
  private final HttpClient http = HttpClient.newHttpClient();

  private static final class Slow implements Plugin, Readiness {
    volatile boolean ready;

    @Override
    public String name() {
      return "slow";
    }

    @Override
    public boolean ready() {
      return ready;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private String get(int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    return response.statusCode() + " " + response.body();
  }

  @AfterEach
  void close() {
    http.close();
  }

  @Test
  void healthIsOkAndPagesCanShareAnAddress() throws Exception {
    int port = freePort();
    String config = "health 127.0.0.1:" + port + "\nready 127.0.0.1:" + port;
    try (Rig _ = new Rig(config, Rig.refusing()).start()) {
      assertThat(get(port, "/health")).isEqualTo("200 OK");
      assertThat(get(port, "/ready")).isEqualTo("200 OK");
      assertThat(get(port, "/nothing")).startsWith("404");
    }
    assertThatThrownBy(() -> get(port, "/health")).isInstanceOf(IOException.class);
  }

  @Test
  void lameduckWaits() throws Exception {
    int port = freePort();
    try (Rig rig = new Rig("health :" + port + " {\n lameduck 5s\n}", Rig.refusing()).start()) {
      Plugin health = rig.plugin("health").orElseThrow();
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
      Thread ending = Thread.ofVirtual().start(health::quiesce);
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 2);
      assertThat(get(port, "/health")).isEqualTo("200 OK");
      rig.time().advance(Duration.ofSeconds(5));
      ending.join();
    }
  }

  @Test
  void healthAsksItself() throws Exception {
    int port = freePort();
    try (Rig rig = new Rig("health :" + port + "\nprometheus :" + port, Rig.refusing()).start()) {
      await().atMost(Duration.ofMinutes(1)).until(() -> rig.time().sleepers() == 1);
      rig.time().advance(Duration.ofSeconds(1));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  get(port, "/metrics")
                      .contains("coredns_health_request_duration_seconds_count 1"));
      assertThat(get(port, "/metrics"))
          .contains("coredns_health_request_failures_total 0.0")
          .contains(
              "coredns_plugin_enabled{name=\"health\",server=\"dns://:53\",view=\"\",zone=\".\"}"
                  + " 1.0");
    }
  }

  @Test
  void readyNamesWhoIsNotAndAsksNobodyTwice() throws Exception {
    int port = freePort();
    Slow slow = new Slow();
    try (Rig rig =
        new Rig(".", "ready :" + port, Rig.refusing(), new SharedResources(), List.of(slow))
            .start()) {
      assertThat(get(port, "/ready")).isEqualTo("503 slow");
      slow.ready = true;
      assertThat(get(port, "/ready")).isEqualTo("200 OK");
      slow.ready = false;
      assertThat(get(port, "/ready")).isEqualTo("200 OK");
      rig.stopping = true;
      assertThat(get(port, "/ready")).isEqualTo("503 Shutting down");
    }
  }

  @Test
  void readyCanGoOnAsking() throws Exception {
    int port = freePort();
    Slow slow = new Slow();
    slow.ready = true;
    String config = "ready :" + port + " {\n monitor continuously\n}";
    try (Rig _ =
        new Rig(".", config, Rig.refusing(), new SharedResources(), List.of(slow)).start()) {
      assertThat(get(port, "/ready")).isEqualTo("200 OK");
      slow.ready = false;
      assertThat(get(port, "/ready")).isEqualTo("503 slow");
    }
  }

  @Test
  void aReloadKeepsTheListener() throws Exception {
    int port = freePort();
    SharedResources shared = new SharedResources();
    Rig before = new Rig(".", "health :" + port, Rig.refusing(), shared, List.of()).start();
    try (Rig _ = new Rig(".", "health :" + port, Rig.refusing(), shared, List.of()).start()) {
      before.close();
      assertThat(get(port, "/health")).isEqualTo("200 OK");
    }
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    try (ServerSocket socket = new ServerSocket(0);
        Rig rig = new Rig("health :" + socket.getLocalPort(), Rig.refusing())) {
      assertThatThrownBy(rig::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot listen on :" + socket.getLocalPort());
    }
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> new Rig("health {\n lameduk 5s\n}", Rig.refusing()))
        .isInstanceOf(SetupException.class)
        .hasMessageContaining("did you mean 'lameduck'?");
    assertThatThrownBy(() -> new Rig("health 8080", Rig.refusing()))
        .hasMessageContaining("no address to listen on");
    assertThatThrownBy(() -> new Rig("ready {\n monitor always\n}", Rig.refusing()))
        .hasMessageContaining("until-ready or continuously");
    assertThatThrownBy(() -> new Rig("prometheus a:b:c", Rig.refusing()))
        .hasMessageContaining("no address to listen on");
  }
}
