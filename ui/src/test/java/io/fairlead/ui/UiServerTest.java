package io.fairlead.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who gets in and what they get, over real sockets. The numbers are those of the vectors of
/// spec/ui.md.
class UiServerTest extends UiServerFixture {
  @Test
  void vector17ThePageIsPublicAndItsDataIsNot() throws IOException {
    PageClient.Answer index = page.get("/ui/");
    assertThat(index.code()).isEqualTo(200);
    assertThat(index.text()).contains("app.js").doesNotContain("web-1");
    assertThat(page.get("/ui/svc/default/web").bytes()).isEqualTo(index.bytes());
    assertThat(page.get("/ui/api/v1/session").code()).isEqualTo(401);
    assertThat(page.get("/ui/api/v1/services").code()).isEqualTo(401);
    assertThat(page.get("/").header("Location")).isEqualTo("/ui/");
    assertThat(page.get("/ui/other.js").code()).isEqualTo(404);
  }

  static Stream<List<String>> hosts() {
    return Stream.of(
        List.of("vector 20: another name", "evil.example", "421"),
        List.of("vector 20: another name with our port", "evil.example:PORT", "421"),
        List.of("another port", "127.0.0.1:1", "421"),
        List.of("vector 20: loopback", "127.0.0.1:PORT", "200"),
        List.of("localhost", "LocalHost:PORT", "200"),
        List.of("IPv6", "[::1]:PORT", "200"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hosts")
  void requestsMustNameThisHost(List<String> row) throws IOException {
    String name = row.get(1).replace("PORT", "" + server.port());
    PageClient.Answer answer = page.get("/ui/", "Host", name);
    assertThat(answer.code()).isEqualTo(Integer.parseInt(row.get(2)));
    assertThat(answer.header("Content-Security-Policy")).isNotEmpty();
  }

  /// @param headers behind the cookie
  private record Forgery(String name, List<String> headers) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Forgery> forgeries() {
    return Stream.of(
        new Forgery("vector 21: no token", List.of()),
        new Forgery("a wrong token", List.of("X-Fairlead-Token", "guess")),
        new Forgery(
            "vector 21: another origin",
            List.of("X-Fairlead-Token", "TOKEN", "Origin", "http://evil.example")),
        new Forgery(
            "vector 21: a form",
            List.of("X-Fairlead-Token", "TOKEN", "Content-Type", "text/plain")),
        new Forgery(
            "another site", List.of("X-Fairlead-Token", "TOKEN", "Sec-Fetch-Site", "cross-site")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forgeries")
  void whatAnotherSitesPageMaySendIsRefused(Forgery forgery) throws IOException {
    Visitor visitor = visitor();
    String[] headers =
        Stream.concat(Stream.of("Cookie", visitor.cookie()), forgery.headers().stream())
            .map(text -> text.replace("TOKEN", visitor.token()))
            .toArray(String[]::new);
    PageClient.Answer answer = page.post("/ui/api/v1/traces", "{}", headers);
    assertThat(answer.code()).isEqualTo(403);
    assertThat(Json.textOr(answer.json(), "", "reason")).isEqualTo("CrossSite");
    assertThat(host.ran).isEmpty();
  }

  @Test
  void aTraceFromOurOwnPageRuns() throws IOException {
    Visitor visitor = visitor();
    PageClient.Answer answer =
        page.post(
            "/ui/api/v1/traces",
            """
            {"from":"pod/default/client-0","to":"svc/default/web","port":"80","how":"send"}
            """,
            "Cookie",
            visitor.cookie(),
            "X-Fairlead-Token",
            visitor.token(),
            "Origin",
            "http://127.0.0.1:" + server.port());
    assertThat(answer.code()).isEqualTo(200);
    assertThat(Json.textOr(answer.json(), "", "command"))
        .isEqualTo("fairlead trace pod/client-0 to svc/web.default:80 -n default");
    assertThat(host.ran.getFirst()).endsWith("-o", "json");
  }

  @Test
  void whatLooksLikeAFlagIsNoName() throws IOException {
    Visitor visitor = visitor();
    assertThat(page.get("/ui/api/v1/dns?name=--kubeconfig=/x", "Cookie", visitor.cookie()).code())
        .isEqualTo(400);
    assertThat(page.get("/ui/api/v1/help/-h", "Cookie", visitor.cookie()).code()).isEqualTo(400);
    assertThat(host.ran).isEmpty();
  }

  @Test
  void vector22EveryAnswerHasTheHeadersAndNoneLetsOthersRead() throws IOException {
    Visitor visitor = visitor();
    for (PageClient.Answer answer :
        List.of(
            page.get("/ui/"),
            page.get("/ui/app.js"),
            page.get("/nothing"),
            page.get("/ui/api/v1/session"),
            page.get("/ui/api/v1/session", "Cookie", visitor.cookie(), "Origin", "http://x"),
            page.get("/ui/", "Host", "evil.example"))) {
      assertThat(answer.header("Content-Security-Policy"))
          .contains("default-src 'none'", "require-trusted-types-for 'script'");
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control-"));
    }
  }

  @Test
  void vector25AListHasWhatTheUserMaySee() throws IOException {
    host.allowed = asked -> Json.textOr(asked, "", "namespace").equals("shop");
    Visitor visitor = visitor();
    ObjectNode list = page.get("/ui/api/v1/services", "Cookie", visitor.cookie()).json();
    assertThat(list.path("order").toString()).isEqualTo("[\"shop/typo\"]");
    assertThat(list.path("forbidden").asBoolean()).isTrue();
    JsonNode other = page.get("/ui/api/v1/services/default/web", "Cookie", visitor.cookie()).json();
    assertThat(Json.textOr(other, "", "forbidden", "verb")).isEqualTo("get");
    assertThat(other.has("row")).isFalse();
  }

  @Test
  void theWorstStandsFirstAndFiltersMatch() throws IOException {
    Visitor visitor = visitor();
    ObjectNode all = page.get("/ui/api/v1/services", "Cookie", visitor.cookie()).json();
    assertThat(all.path("order").toString()).isEqualTo("[\"shop/typo\",\"default/web\"]");
    assertThat(all.path("counts").path("dead").asInt()).isEqualTo(1);
    assertThat(Json.textOr(all, "", "items", "shop/typo", "why", "code")).startsWith("FL1");
    for (String query : List.of("web", "ns:default", "192.0.2.80", "state:serve", "name:web")) {
      ObjectNode some =
          page.get(
                  "/ui/api/v1/services?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8),
                  "Cookie",
                  visitor.cookie())
              .json();
      assertThat(some.path("order").toString()).as(query).isEqualTo("[\"default/web\"]");
    }
  }

  @Test
  void aServiceHasItsEndpointsAndReasons() throws IOException {
    Visitor visitor = visitor();
    ObjectNode web = page.get("/ui/api/v1/services/default/web", "Cookie", visitor.cookie()).json();
    JsonNode port = web.path("ports").path("http");
    assertThat(port.path("order").toString()).isEqualTo("[\"192.0.2.81:8080\"]");
    assertThat(port.path("endpoints").path("192.0.2.81:8080").path("expected").asDouble())
        .isEqualTo(1.0);
    assertThat(port.path("fronts").has("ClusterIP 192.0.2.80:80")).isTrue();
    assertThat(web.path("explanation").path("rows").size()).isGreaterThan(2);
  }

  @Test
  void vector46ChangesNeedTheFlagAndTheRight() throws IOException {
    Visitor visitor = visitor();
    String change =
        "{\"kind\":\"selector\",\"namespace\":\"default\",\"name\":\"web\",\"selector\":{\"a\":\"b\"}}";
    assertThat(
            page.post(
                    "/ui/api/v1/changes",
                    change,
                    "Cookie",
                    visitor.cookie(),
                    "X-Fairlead-Token",
                    visitor.token())
                .code())
        .isEqualTo(404);
    server.close();
    server = server(true);
    page = new PageClient(server.port());
    Visitor writer = visitor();
    host.allowed = asked -> !Json.textOr(asked, "", "verb").equals("patch");
    assertThat(
            page.post(
                    "/ui/api/v1/changes",
                    change,
                    "Cookie",
                    writer.cookie(),
                    "X-Fairlead-Token",
                    writer.token())
                .code())
        .isEqualTo(403);
  }

  @Test
  void whatThePageTeachesIsTheDocumentationsOwnText() throws IOException {
    for (String[] file :
        List.of(
            new String[] {"en/walkthrough.md", "../docs/walkthrough.md"},
            new String[] {"zh-CN/walkthrough.md", "../docs/zh-CN/walkthrough.md"},
            new String[] {"modules/proxy/README.md", "../proxy/README.md"},
            new String[] {"modules/agent/README.md", "../agent/README.md"},
            new String[] {"examples/hostnames.yaml", "../examples/hostnames.yaml"})) {
      PageClient.Answer answer = page.get("/ui/" + file[0]);
      assertThat(answer.code()).isEqualTo(200);
      assertThat(answer.header("Content-Type")).startsWith("text/plain");
      assertThat(answer.bytes()).isEqualTo(Files.readAllBytes(Path.of(file[1])));
    }
  }

  @Test
  void vector44FilesArePackedAndAskedForAgainOnlyWhenTheyChange() throws IOException {
    PageClient.Answer script = page.get("/ui/app.js", "Accept-Encoding", "gzip");
    assertThat(script.header("Content-Encoding")).isEqualTo("gzip");
    PageClient.Answer again =
        page.get("/ui/app.js", "Accept-Encoding", "gzip", "If-None-Match", script.header("ETag"));
    assertThat(again.code()).isEqualTo(304);
    assertThat(again.bytes()).isEmpty();
  }

  /// A stream of events that a test reads one by one.
  private record Events(Socket socket, InputStream in) implements AutoCloseable {
    /// The next one: its kind, its number, its data.
    record Event(String kind, String id, ObjectNode data) {}

    Event next() throws IOException {
      Event event = heard();
      while (event.kind().equals("ping")) {
        event = heard();
      }
      return event;
    }

    /// The same, or that the host is there.
    Event heard() throws IOException {
      String kind = "";
      String id = "";
      ObjectNode data = Json.object();
      while (true) {
        String line = PageClient.line(in);
        if (line.startsWith("event: ")) {
          kind = line.substring(7);
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          data = Json.parseObject(line.substring(6).getBytes(StandardCharsets.UTF_8));
        } else if (line.isEmpty() && !kind.isEmpty()) {
          return new Event(kind, id, data);
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private Events stream(Visitor visitor, String topic, String last) throws IOException {
    Socket socket =
        last.isEmpty()
            ? page.open("/ui/api/v1/stream?topic=" + topic, "Cookie", visitor.cookie())
            : page.open(
                "/ui/api/v1/stream?topic=" + topic,
                "Cookie",
                visitor.cookie(),
                "Last-Event-ID",
                last);
    InputStream in = new BufferedInputStream(socket.getInputStream());
    assertThat(PageClient.line(in)).contains("200");
    assertThat(PageClient.headers(in))
        .containsEntry("content-type", "text/event-stream; charset=utf-8");
    return new Events(socket, in);
  }

  private void ready(boolean yes) {
    host.change(
        "EndpointSlice",
        new ObjectKey("default", "web-1"),
        slice ->
            ((ObjectNode) slice.path("endpoints").get(0).path("conditions")).put("ready", yes));
  }

  @Test
  void aChangeComesAsADelta() throws IOException {
    try (Events events = stream(visitor(), "service:default/web", "")) {
      Events.Event first = events.next();
      assertThat(first.kind()).isEqualTo("snapshot");
      ready(false);
      Events.Event delta = events.next();
      assertThat(delta.kind()).isEqualTo("delta");
      assertThat(delta.data().path("remove").toString())
          .contains("ports/http/endpoints/192.0.2.81:8080");
    }
  }

  @Test
  void vector27AStreamThatWasCutGoesOnWithDeltas() throws IOException {
    Visitor visitor = visitor();
    String last;
    try (Events events = stream(visitor, "service:default/web", "")) {
      last = events.next().id();
    }
    for (int i = 0; i < 3; i++) {
      ready(false);
      ready(true);
    }
    ready(false);
    try (Events events = stream(visitor, "service:default/web", last)) {
      Events.Event next = events.next();
      assertThat(next.kind()).isEqualTo("delta");
      assertThat(next.data().path("set").has("row/ready")).isTrue();
    }
  }

  @Test
  void aStreamThatMissedNothingHearsSoAtOnce() throws IOException {
    Visitor visitor = visitor();
    String last;
    try (Events events = stream(visitor, "service:default/web", "")) {
      last = events.next().id();
    }
    try (Events events = stream(visitor, "service:default/web", last)) {
      assertThat(events.heard().kind()).isEqualTo("ping");
    }
  }

  @Test
  void vector28AStreamOfAnotherProcessBeginsAnew() throws IOException {
    try (Events events = stream(visitor(), "services", "00000000-7")) {
      assertThat(events.next().kind()).isEqualTo("snapshot");
    }
  }

  @Test
  void aStreamEndsWithItsSession() throws IOException {
    try (Events events = stream(visitor(), "services", "")) {
      Events.Event _ = events.next();
      server.endSessions();
      ready(false);
      Events.Event next = events.next();
      while (next.kind().equals("delta")) {
        next = events.next();
      }
      assertThat(next.kind()).isEqualTo("bye");
      assertThat(Json.textOr(next.data(), "", "why")).isEqualTo("session");
    }
  }

  @Test
  void vector30NothingIsHeldForATabThatLeft() throws IOException {
    try (Events events = stream(visitor(), "nodes", "")) {
      Events.Event _ = events.next();
      assertThat(server.isWatched()).isTrue();
    }
    // The host notices at its next write, ten seconds later at most.
    Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> !server.isWatched());
  }
}
