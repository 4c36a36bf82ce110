package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.TestServer.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Requests over HTTP at a priority level that serves one at a time and lets one wait: the user
/// `flood` fills it, others do not notice.
class PriorityAndFairnessTest {
  private static final String FLOW_CONTROL = "/apis/flowcontrol.apiserver.k8s.io/v1/";
  private static final String LEVELS = FLOW_CONTROL + "prioritylevelconfigurations";
  private static final String SCHEMAS = FLOW_CONTROL + "flowschemas";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start();
    Answer level =
        server.post(
            LEVELS,
            "{'metadata':{'name':'narrow'},'spec':{'type':'Limited','limited':{"
                + "'nominalConcurrencyShares':0,'borrowingLimitPercent':0,'limitResponse':{"
                + "'type':'Queue','queuing':{'queues':1,'handSize':1,'queueLengthLimit':1}}}}}");
    assertThat(level.code()).as(level.text()).isEqualTo(201);
    Answer schema =
        server.post(
            SCHEMAS,
            "{'metadata':{'name':'narrow'},'spec':{'priorityLevelConfiguration':{'name':'narrow'},"
                + "'matchingPrecedence':3,'rules':[{'subjects':[{'kind':'User','user':{"
                + "'name':'flood'}}],'resourceRules':[{'verbs':['*'],'apiGroups':['*'],"
                + "'resources':['*'],'namespaces':['*'],'clusterScope':true}]}]}}");
    assertThat(schema.code()).as(schema.text()).isEqualTo(201);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aFloodedLevelQueuesAndRefusesWhileOthersAreServed() throws Exception {
    try (HeldSeat held = new HeldSeat()) {
      CompletableFuture<Answer> waiting = waitingRequest("");
      Answer refused = list("flood");
      assertThat(refused.code()).isEqualTo(429);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.at("reason")).isEqualTo("TooManyRequests");
      assertThat(refused.message()).isEqualTo("Too many requests, please try again later.");
      assertSortedBy(refused, "narrow", "narrow");
      for (int i = 0; i < 20; i++) {
        Answer other = list("other");
        assertThat(other.code()).isEqualTo(200);
        assertSortedBy(other, "global-default", "global-default");
        Answer admin = list("admin");
        assertThat(admin.code()).isEqualTo(200);
        assertSortedBy(admin, "exempt", "exempt");
        assertThat(server.get("/livez").code()).isEqualTo(200);
      }
      assertThat(waiting).isNotDone();
      assertThat(server.get("/debug/api_priority_and_fairness/dump_priority_levels").text())
          .containsPattern("narrow, +1, +false, +false, +1, +1, +1, +1, +0, +0\n");
      held.finish();
      assertThat(waiting.get(1, TimeUnit.MINUTES).code()).isEqualTo(200);
    }
    assertThat(metric("rejected_requests_total", "reason=\"queue-full\"")).isEqualTo("1");
    awaitMetric("current_executing_requests", "0");
    assertThat(metric("dispatched_requests_total", "")).isEqualTo("2");
    assertThat(metric("request_wait_duration_seconds_count", "execute=\"true\"")).isEqualTo("1");
  }

  @Test
  void aWaitingRequestIsRefusedAfterItsShareOfTheTime() throws Exception {
    try (HeldSeat _ = new HeldSeat()) {
      assertThat(list("flood", "?timeout=1s").code()).isEqualTo(429);
    }
    assertThat(metric("rejected_requests_total", "reason=\"time-out\"")).isEqualTo("1");
  }

  @Test
  void aWatchHoldsItsSeatOnlyUntilItsStreamBegins() {
    try (Stream<String> watch =
        server
            .send("GET", MAPS + "?watch=1&resourceVersion=0")
            .header("Authorization", "Bearer flood")
            .stream()) {
      assertThat(server.post(MAPS, "{'metadata':{'name':'seen'}}").code()).isEqualTo(201);
      Iterator<String> lines = watch.iterator();
      assertThat(lines.next()).contains("ADDED");
      assertThat(list("flood").code()).isEqualTo(200);
      assertThat(list("flood").code()).isEqualTo(200);
    }
  }

  @Test
  void aChangeOfTheLevelLetsWaitingRequestsIn() throws Exception {
    try (HeldSeat _ = new HeldSeat()) {
      CompletableFuture<Answer> waiting = waitingRequest("");
      Answer changed =
          server
              .send("PATCH", LEVELS + "/narrow")
              .header("Content-Type", "application/merge-patch+json")
              .body("{'spec':{'limited':{'nominalConcurrencyShares':100}}}")
              .now();
      assertThat(changed.code()).isEqualTo(200);
      assertThat(waiting.get(1, TimeUnit.MINUTES).code()).isEqualTo(200);
      assertThat(list("flood").code()).isEqualTo(200);
    }
  }

  @Test
  void aSchemaWithoutItsLevelTakesNothingAndSaysSo() {
    assertThat(server.send("DELETE", LEVELS + "/narrow").now().code()).isEqualTo(200);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertSortedBy(list("flood"), "global-default", "global-default");
              assertThat(server.get(SCHEMAS + "/narrow").text())
                  .contains("\"reason\":\"NotFound\"")
                  .contains("\\\"narrow\\\" but there is no such object");
            });
  }

  private Answer list(String user) {
    return list(user, "");
  }

  private Answer list(String user, String query) {
    return server.send("GET", MAPS + query).header("Authorization", "Bearer " + user).now();
  }

  private CompletableFuture<Answer> waitingRequest(String query) {
    CompletableFuture<Answer> waiting =
        CompletableFuture.supplyAsync(() -> list("flood", query), Thread.ofVirtual()::start);
    awaitMetric("current_inqueue_requests", "1");
    return waiting;
  }

  private void assertSortedBy(Answer answer, String schema, String level) {
    assertThat(answer.header("X-Kubernetes-PF-FlowSchema-UID"))
        .isNotEmpty()
        .isEqualTo(uid(SCHEMAS + "/" + schema));
    assertThat(answer.header("X-Kubernetes-PF-PriorityLevel-UID"))
        .isNotEmpty()
        .isEqualTo(uid(LEVELS + "/" + level));
  }

  private String uid(String path) {
    return server.get(path).json().at("/metadata/uid").asString("");
  }

  private void awaitMetric(String name, String value) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(metric(name, "")).isEqualTo(value));
  }

  /// The value of a metric of the narrow level with that label, or nothing.
  private String metric(String name, String label) {
    return server
        .get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith("apiserver_flowcontrol_" + name + "{"))
        .filter(line -> line.contains("flow_schema=\"narrow\"") && line.contains(label))
        .map(line -> line.substring(line.indexOf('}') + 2).replaceFirst("\\.0$", ""))
        .findFirst()
        .orElse("");
  }

  /// A request of `flood` that is being served, for its body has not come yet.
  private final class HeldSeat implements AutoCloseable {
    private static final String BODY = "{\"metadata\":{\"generateName\":\"held-\"}}";

    private final Socket socket;

    HeldSeat() throws IOException {
      socket = new Socket("127.0.0.1", server.server.port());
      send(
          "POST "
              + MAPS
              + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer flood\r\n"
              + "Content-Type: application/json\r\nContent-Length: "
              + BODY.length()
              + "\r\n\r\n");
      awaitMetric("current_executing_requests", "1");
    }

    void finish() throws IOException {
      send(BODY);
    }

    private void send(String text) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(text.getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
