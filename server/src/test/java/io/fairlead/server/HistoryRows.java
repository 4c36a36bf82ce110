package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Write;
import io.fairlead.store.embedded.EmbeddedStore;
import io.fairlead.store.testing.MemoryStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The rows of the watch vectors that need a server of their own: history that is gone, a reader
/// that sleeps, a restart, chance that is none.
final class HistoryRows {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private HistoryRows() {}

  static void addTo(Vectors table) {
    table.row("W2", "a continue token outlives its history", HistoryRows::continueAfterCompaction);
    table.row("W4", "a watch from compacted history", HistoryRows::watchAfterCompaction);
    table.row("W10", "a slow reader is closed and resumes", HistoryRows::slowReader);
    table.row("W18", "a watch goes on after a restart", HistoryRows::restart);
    table.row("W19", "a taken name gets another suffix", HistoryRows::secondSuffix);
    table.row("W19", "eight taken names", HistoryRows::noSuffixLeft);
  }

  private static void continueAfterCompaction() throws Exception {
    try (TestServer server = TestServer.start()) {
      for (String name : List.of("a", "b", "c", "d", "e")) {
        map(server, name);
      }
      Answer first = server.get(MAPS + "?limit=2");
      server.send("DELETE", MAPS + "/d").now();
      map(server, "f");
      server.store.compact(server.store.revision());
      String token = first.at("metadata", "continue");
      Answer gone = server.get(MAPS + "?limit=2&continue=" + token);
      assertThat(gone.code()).isEqualTo(410);
      assertThat(gone.at("reason")).isEqualTo("Expired");
      String goOn = gone.at("metadata", "continue");
      assertThat(goOn).isNotEmpty().isNotEqualTo(token);
      Answer rest = server.get(MAPS + "?limit=10&continue=" + goOn);
      assertThat(names(rest)).containsExactly("c", "e", "f");
    }
  }

  private static void watchAfterCompaction() throws Exception {
    try (MemoryStore store = new MemoryStore()) {
      try (TestServer server = TestServer.start(new SharedStore(store), limits(1000))) {
        map(server, "a");
        map(server, "b");
      }
      store.compact(store.revision());
      // The cache of a new server reaches back no further than its start.
      try (TestServer server = TestServer.start(new SharedStore(store), limits(1000))) {
        Answer answer =
            server.get(
                MAPS + "?watch=true&timeoutSeconds=5&allowWatchBookmarks=true&resourceVersion=1");
        assertThat(answer.code()).isEqualTo(200);
        List<String> lines = answer.text().lines().toList();
        assertThat(lines).hasSize(1);
        JsonNode event = Json.parse(lines.getFirst().getBytes(StandardCharsets.UTF_8));
        assertThat(event.path("type").asString()).isEqualTo("ERROR");
        JsonNode status = event.path("object");
        assertThat(status.path("kind").asString()).isEqualTo("Status");
        assertThat(status.path("code").asInt()).isEqualTo(410);
        assertThat(status.path("reason").asString()).isEqualTo("Expired");
        assertThat(status.path("message").asString())
            .matches("too old resource version: 1 \\(\\d+\\)");
      }
    }
  }

  private static void slowReader() throws Exception {
    int changes = 100_000;
    MemoryStore store = new MemoryStore();
    try (TestServer server = TestServer.start(store, limits(1000));
        Socket sleeper = new Socket()) {
      map(server, "a");
      long from = Long.parseLong(server.get(MAPS).at("metadata", "resourceVersion"));
      sleeper.setReceiveBufferSize(4096);
      sleeper.connect(new InetSocketAddress("127.0.0.1", server.server.port()));
      sleeper
          .getOutputStream()
          .write(watchRequest(Long.toString(from)).getBytes(StandardCharsets.US_ASCII));
      CompletableFuture<Long> awake =
          CompletableFuture.supplyAsync(
              () -> follow(server, from, changes), Thread.ofVirtual()::start);
      List<Long> made = new ArrayList<>();
      for (int i = 0; i < changes; i++) {
        made.add(change(store, i));
      }
      // Long after it fell asleep the stream was closed; what had been sent before is there.
      List<Long> seen = readToEnd(sleeper);
      assertThat(seen).hasSizeLessThan(changes);
      assertThat(made.subList(0, seen.size())).isEqualTo(seen);
      // Others saw everything, and so does the sleeper when it goes on from where it stopped.
      assertThat(awake.get(120, TimeUnit.SECONDS)).isEqualTo(made.getLast());
      long last = seen.isEmpty() ? from : seen.getLast();
      assertThat(follow(server, last, changes - seen.size())).isEqualTo(made.getLast());
    }
  }

  /// One more version of the map, put into the store directly.
  private static long change(MemoryStore store, int i) {
    String map =
        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\","
            + "\"namespace\":\"default\"},\"data\":{\"i\":\""
            + i
            + "\"}}";
    byte[] bytes = map.getBytes(StandardCharsets.UTF_8);
    CommitResult outcome =
        store.commit(List.of(new Write.Put("/registry/configmaps/default/a", bytes, Write.ANY)));
    return ((CommitResult.Committed) outcome).revision();
  }

  /// Reads so many events as they come and resumes where a stream ends: each event once, in order.
  /// Returns the version of the last.
  private static long follow(TestServer server, long from, int events) {
    long last = from;
    int left = events;
    while (left > 0) {
      try (Stream<String> lines =
          server
              .send("GET", MAPS + "?watch=true&timeoutSeconds=60&resourceVersion=" + last)
              .stream()) {
        for (String line : (Iterable<String>) lines::iterator) {
          long next = versionOf(line);
          // The store had no other writes meanwhile, so revisions follow each other.
          assertThat(next).isEqualTo(last + 1);
          last = next;
          if (--left == 0) {
            break;
          }
        }
      }
    }
    return last;
  }

  /// The resourceVersion in a line, without reading the rest.
  private static long versionOf(String line) {
    String member = "\"resourceVersion\":\"";
    int start = line.indexOf(member) + member.length();
    return Long.parseLong(line.substring(start, line.indexOf('"', start)));
  }

  private static void restart() throws Exception {
    Path directory = Files.createTempDirectory("fairlead-restart");
    try {
      String from;
      try (TestServer server = TestServer.start(EmbeddedStore.open(directory), limits(1000))) {
        map(server, "a");
        from = server.get(MAPS).at("metadata", "resourceVersion");
        map(server, "b");
        server.send("DELETE", MAPS + "/a").now();
      }
      try (TestServer server = TestServer.start(EmbeddedStore.open(directory), limits(1000))) {
        map(server, "c");
        List<JsonNode> events =
            server
                .send("GET", MAPS + "?watch=true&timeoutSeconds=2&resourceVersion=" + from)
                .lines();
        assertThat(events.stream().map(HistoryRows::typeAndName))
            .containsExactly("ADDED b", "DELETED a", "ADDED c");
      }
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static void secondSuffix() throws Exception {
    Scripted chance = new Scripted();
    try (TestServer server =
        TestServer.start(new MemoryStore(), limits(1000), chance, Duration.ofSeconds(10))) {
      map(server, "g-bbbbb");
      chance.suffixes(0, 1);
      Answer made = server.post(MAPS, "{'metadata':{'generateName':'g-'}}");
      assertThat(made.code()).isEqualTo(201);
      assertThat(made.at("metadata", "name")).isEqualTo("g-ccccc");
    }
  }

  private static void noSuffixLeft() throws Exception {
    Scripted chance = new Scripted();
    try (TestServer server =
        TestServer.start(new MemoryStore(), limits(1000), chance, Duration.ofSeconds(10))) {
      map(server, "g-bbbbb");
      chance.suffixes(0, 0, 0, 0, 0, 0, 0, 0, 1);
      Answer refused = server.post(MAPS, "{'metadata':{'generateName':'g-'}}");
      assertThat(refused.code()).isEqualTo(409);
      assertThat(refused.at("reason")).isEqualTo("AlreadyExists");
      assertThat(refused.message())
          .isEqualTo(
              "configmaps \"g-bbbbb\" already exists, the server was not able to generate a unique"
                  + " name for the object");
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(server.post(MAPS, "{'metadata':{'generateName':'g-'}}").at("metadata", "name"))
          .isEqualTo("g-ccccc");
    }
  }

  private static ApiServerConfig.Limits limits(int watcherQueue) {
    ApiServerConfig.Limits usual = ApiServerConfig.Limits.DEFAULT;
    return new ApiServerConfig.Limits(
        usual.bodyBytes(), usual.jsonPatchOperations(), usual.requestsInFlight(), watcherQueue);
  }

  private static void map(TestServer server, String name) {
    assertThat(server.post(MAPS, "{'metadata':{'name':'" + name + "'}}").code()).isEqualTo(201);
  }

  private static List<String> names(Answer list) {
    List<String> names = new ArrayList<>();
    list.json().path("items").forEach(one -> names.add(Json.textOr(one, "", "metadata", "name")));
    return names;
  }

  private static String typeAndName(JsonNode event) {
    return event.path("type").asString()
        + " "
        + Json.textOr(event.path("object"), "", "metadata", "name");
  }

  private static String watchRequest(String from) {
    return "GET "
        + MAPS
        + "?watch=true&resourceVersion="
        + from
        + " HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer admin\r\nAccept: application/json\r\n\r\n";
  }

  /// What the server sent before it closed the stream; a last event that was cut off is dropped, as
  /// a client would.
  private static List<Long> readToEnd(Socket socket) throws IOException {
    socket.setSoTimeout(30_000);
    List<Long> seen = new ArrayList<>();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("{") && line.endsWith("}")) {
        seen.add(version(Json.parse(line.getBytes(StandardCharsets.UTF_8))));
      }
    }
    return seen;
  }

  private static long version(JsonNode event) {
    assertThat(event.path("type").asString()).isEqualTo("MODIFIED");
    return Long.parseLong(event.path("object").path("metadata").path("resourceVersion").asString());
  }

  /// Chance that draws what it is told: each suffix is one letter of the alphabet five times.
  private static final class Scripted implements RandomGenerator {
    private final RandomGenerator usual = RandomGenerator.getDefault();
    private final List<Integer> letters = new ArrayList<>();

    synchronized void suffixes(int... letter) {
      for (int each : letter) {
        IntStream.range(0, 5).forEach(_ -> letters.add(each));
      }
    }

    @Override
    public synchronized int nextInt(int bound) {
      return letters.isEmpty() ? usual.nextInt(bound) : letters.removeFirst();
    }

    @Override
    public long nextLong() {
      return usual.nextLong();
    }
  }
}
