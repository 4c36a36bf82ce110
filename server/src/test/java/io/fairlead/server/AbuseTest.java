package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What hurts its sender only: bombs, floods, sleepers and nonsense.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AbuseTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String JSON_PATCH = "application/json-patch+json";

  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
    server.post(MAPS, "{'metadata':{'name':'there'}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /// One bad request and what it is told.
  private record Bad(
      String name,
      String method,
      String path,
      String type,
      String body,
      int code,
      String reason,
      String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Bad post(String name, String type, String body, String message) {
    return new Bad(name, "POST", MAPS, type, body, 400, "BadRequest", message);
  }

  private static Bad get(String name, String path, int code, String reason, String message) {
    return new Bad(name, "GET", path, JSON, "", code, reason, message);
  }

  static Stream<Bad> bad() {
    String deep = "{\"a\":".repeat(100_000);
    String aliases =
        "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
            + "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
            + "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
            + "g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n";
    String operation = "{\"op\":\"test\",\"path\":\"/kind\",\"value\":\"ConfigMap\"}";
    String unread = "the object provided is unrecognized (must be of type ConfigMap): ";
    String noVersion = unread + "couldn't get version/kind; json parse error: ";
    String noStruct =
        " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
            + " Kind string \"json:\\\"kind,omitempty\\\"\" } ";
    return Stream.of(
        post(
            "malformed JSON",
            JSON,
            "{\"metadata\":",
            noVersion + "unexpected end of JSON input ({\"metadata\":)"),
        post(
            "JSON that is no object",
            JSON,
            "[1]",
            noVersion + "json: cannot unmarshal array" + noStruct + "(5b315d)"),
        post("nothing at all", JSON, " ", noVersion + "unexpected end of JSON input (20)"),
        post(
            "malformed YAML",
            YAML,
            "metadata: [a\nname: b",
            unread
                + "yaml: invalid YAML: expected ',' or ']', but got : (line 2, column 5)"
                + " (6d657461646174613a205b610a6e616d653a2062)"),
        post(
            "JSON 100,000 deep",
            JSON,
            deep,
            noVersion + "exceeded max depth (" + deep.substring(0, 30) + " ...)"),
        post(
            "lists 100,000 deep",
            JSON,
            "{\"a\":" + "[".repeat(100_000),
            noVersion + "exceeded max depth ({\"a\":" + "[".repeat(25) + " ...)"),
        post(
            "YAML 100,000 deep",
            YAML,
            "a: " + "[".repeat(100_000),
            unread
                + "yaml: invalid YAML: nested deeper than 200 (613a20"
                + "5b".repeat(27)
                + " ...)"),
        post(
            "YAML aliases that multiply",
            YAML,
            aliases,
            unread
                + "yaml: invalid YAML: the aliases expand to too much data"
                + " (613a202661205b782c782c782c782c782c782c782c782c785d0a623a2026 ...)"),
        post(
            "a number of a million digits",
            JSON,
            "{\"a\":" + "9".repeat(1_000_000) + "}",
            unread
                + "invalid JSON: Number value length (1000000) exceeds the maximum allowed (100)"
                + " ({\"a\":9999999999999999999999999 ...)"),
        post(
            "protobuf that is none",
            PROTOBUF,
            "garbage",
            unread
                + "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"
                + " (67617262616765)"),
        post(
            "protobuf cut off",
            PROTOBUF,
            "k8s\0\n\u007f",
            unread
                + "invalid protobuf envelope: While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length."
                + " (6b3873000a7f)"),
        post(
            "wrong kind",
            JSON,
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}",
            "Pod in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion"),
        post(
            "unknown kind",
            JSON,
            "{\"kind\":\"Nope\",\"apiVersion\":\"v1\"}",
            "Nope in version \"v1\" cannot be handled as a ConfigMap: no kind \"Nope\" is registered for version \"v1\" in scheme \"fairlead\""),
        post(
            "wrong type",
            JSON,
            "{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":1}}",
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string"),
        new Bad(
            "unknown field, strictly",
            "POST",
            MAPS + "?fieldValidation=Strict",
            JSON,
            "{\"metadata\":{\"name\":\"a\"},\"nope\":1}",
            400,
            "BadRequest",
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field \"nope\""),
        new Bad(
            "10,001 operations in a patch",
            "PATCH",
            MAPS + "/there",
            JSON_PATCH,
            "[" + (operation + ",").repeat(10_000) + operation + "]",
            413,
            "RequestEntityTooLarge",
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001"),
        new Bad(
            "a patch that is no list",
            "PATCH",
            MAPS + "/there",
            JSON_PATCH,
            "{}",
            400,
            "BadRequest",
            "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"),
        get(
            "bad label selector",
            MAPS + "?labelSelector=a%20in%20(",
            400,
            "BadRequest",
            "unable to parse requirement: found '', expected: ',', ')' or identifier"),
        get(
            "bad field selector",
            MAPS + "?fieldSelector=a",
            400,
            "BadRequest",
            "invalid selector: 'a'; can't understand 'a'"),
        get(
            "bad resource version",
            MAPS + "?resourceVersion=x",
            400,
            "BadRequest",
            "invalid resource version: resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax"),
        get(
            "bad limit",
            MAPS + "?limit=x",
            400,
            "BadRequest",
            "strconv.ParseInt: parsing \"x\": invalid syntax"),
        get(
            "bad continue",
            MAPS + "?continue=%21",
            400,
            "BadRequest",
            "invalid continue token: continue key is not valid: illegal base64 data at input byte 0"),
        get(
            "unknown group",
            "/apis/nope.example.com/v1/things",
            404,
            "NotFound",
            "the server could not find the requested resource"),
        get(
            "unknown resource",
            "/api/v1/things",
            404,
            "NotFound",
            "the server could not find the requested resource"),
        get(
            "a cluster's object in a namespace",
            "/api/v1/namespaces/default/nodes/a",
            404,
            "NotFound",
            "the server could not find the requested resource"),
        get(
            "a namespace's object outside",
            "/api/v1/configmaps/there",
            404,
            "NotFound",
            "the server could not find the requested resource"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bad")
  void isRefusedWithAReason(Bad row) {
    Answer answer =
        server
            .send(row.method(), row.path())
            .header("Content-Type", row.type())
            .body(row.body().getBytes(StandardCharsets.UTF_8))
            .now();
    assertThat(answer.code()).as(head(answer)).isEqualTo(row.code());
    assertThat(answer.at("kind")).isEqualTo("Status");
    assertThat(answer.at("status")).isEqualTo("Failure");
    assertThat(answer.at("reason")).isEqualTo(row.reason());
    assertThat(answer.message()).isEqualTo(row.message());
    assertThat(server.get(MAPS + "/there").code()).isEqualTo(200);
  }

  @Test
  void badTokenIsUnauthorized() {
    Answer answer = server.send("GET", MAPS).header("Authorization", "Bearer no").now();
    assertThat(answer.code()).isEqualTo(401);
    assertThat(answer.message()).isEqualTo("Unauthorized");
  }

  @Test
  void aBodyTooLargeIsRefusedAlsoWhenItsLengthIsNotAnnounced() throws Exception {
    byte[] large = new byte[(3 << 20) + 1];
    Arrays.fill(large, (byte) ' ');
    isTooLarge(server.send("POST", MAPS).body(large).now());
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest chunked =
          HttpRequest.newBuilder(URI.create(server.server.url() + MAPS))
              .header("Authorization", "Bearer admin")
              .header("Content-Type", JSON)
              .POST(
                  HttpRequest.BodyPublishers.ofInputStream(
                      () -> new java.io.ByteArrayInputStream(large)))
              .build();
      isTooLarge(new Answer(client.send(chunked, BodyHandlers.ofByteArray())));
    }
  }

  private static void isTooLarge(Answer answer) {
    assertThat(answer.code()).isEqualTo(413);
    assertThat(answer.at("reason")).isEqualTo("RequestEntityTooLarge");
    assertThat(answer.message()).isEqualTo("Request entity too large: limit is 3145728");
  }

  @Test
  void aBodyThatDoesNotComeEndsWithTheTimeAllowed() throws Exception {
    try (Socket socket = halfSent(server, "?timeout=1s")) {
      socket.setSoTimeout(20_000);
      InputStream in = socket.getInputStream();
      String line = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
      assertThat(line).isIn("HTTP/1.1 504", "");
    }
    assertThat(server.get(MAPS + "/there").code()).isEqualTo(200);
  }

  @Test
  void onlyLargeAnswersAreCompressed() {
    server.post(MAPS, "{'metadata':{'name':'large'},'data':{'k':'" + "x".repeat(140_000) + "'}}");
    Answer large = server.send("GET", MAPS + "/large").header("Accept-Encoding", "gzip").now();
    assertThat(large.header("Content-Encoding")).isEqualTo("gzip");
    assertThat(large.header("Vary")).contains("Accept-Encoding");
    assertThat(large.response().body()).hasSizeLessThan(10_000);
    Answer plain = server.get(MAPS + "/large");
    assertThat(plain.header("Content-Encoding")).isEmpty();
    Answer small = server.send("GET", MAPS + "/there").header("Accept-Encoding", "gzip").now();
    assertThat(small.header("Content-Encoding")).isEmpty();
  }

  @Test
  void othersAreServedWhileBombsGoOff() throws Exception {
    List<Bad> bombs = bad().filter(each -> each.body().length() > 50_000).toList();
    CompletableFuture<Void> storm =
        CompletableFuture.runAsync(
            () -> {
              for (int round = 0; round < 5; round++) {
                bombs.forEach(this::isRefusedWithAReason);
              }
            },
            Thread.ofVirtual()::start);
    do {
      long began = System.nanoTime();
      assertThat(server.get(MAPS + "/there").code()).isEqualTo(200);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    } while (!storm.isDone());
    storm.get(60, TimeUnit.SECONDS);
  }

  /// A create whose body stops in the middle.
  private static Socket halfSent(TestServer to, String query) throws IOException {
    Socket socket = new Socket("127.0.0.1", to.server.port());
    OutputStream out = socket.getOutputStream();
    String head =
        "POST "
            + MAPS
            + query
            + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n"
            + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    out.write(head.getBytes(StandardCharsets.US_ASCII));
    out.flush();
    return socket;
  }

  private static String head(Answer answer) {
    String text = answer.text();
    return text.substring(0, Math.min(500, text.length()));
  }
}
