package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The vectors of spec/api.md section 8.4, each in a namespace of its own.
class WatchVectorsTest extends VectorTable {
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

  WatchVectorsTest() {
    super("W", 20);
  }

  @Override
  Vectors table() {
    Vectors table = new Vectors();
    lists(table);
    watches(table);
    writes(table);
    HistoryRows.addTo(table);
    return table;
  }

  private void lists(Vectors table) {
    table.row(
        "W1",
        "pages share one revision",
        () -> {
          String maps = maps("w1", "a", "b", "c", "d", "e");
          Answer first = server.get(maps + "?limit=2");
          assertThat(first.json().path("metadata").path("remainingItemCount").asInt()).isEqualTo(3);
          server.send("DELETE", maps + "/d").now();
          Answer second =
              server.get(maps + "?limit=2&continue=" + first.at("metadata", "continue"));
          assertThat(names(second)).containsExactly("c", "d");
          assertThat(second.at("metadata", "resourceVersion"))
              .isEqualTo(first.at("metadata", "resourceVersion"));
        });
    table.row(
        "W11",
        "a revision of the future",
        () -> {
          Answer answer =
              server.get(
                  "/api/v1/namespaces?resourceVersion=999999&resourceVersionMatch=NotOlderThan");
          assertThat(answer.code()).isEqualTo(504);
          assertThat(answer.text()).contains("ResourceVersionTooLarge");
        });
  }

  private void watches(Vectors table) {
    table.row(
        "W3",
        "ADDED, MODIFIED, DELETED in order",
        () -> {
          String maps = maps("w3");
          String from = server.get(maps).at("metadata", "resourceVersion");
          server.post(maps, "{'metadata':{'name':'a'}}");
          merge(maps + "/a", "{'data':{'k':'v'}}");
          server.send("DELETE", maps + "/a").now();
          List<JsonNode> events = watch(maps, "resourceVersion=" + from, null);
          assertThat(types(events)).containsExactly("ADDED", "MODIFIED", "DELETED");
          assertThat(versions(events)).isSorted().doesNotHaveDuplicates();
        });
    table.row(
        "W5",
        "initial events end with the bookmark",
        () -> {
          String maps = maps("w5", "a", "b");
          List<JsonNode> events =
              watch(
                  maps,
                  "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                      + "&allowWatchBookmarks=true",
                  null);
          assertThat(types(events)).startsWith("ADDED", "ADDED", "BOOKMARK");
          assertThat(events.get(2).toString()).contains("\"k8s.io/initial-events-end\":\"true\"");
        });
    table.row(
        "W6",
        "sendInitialEvents without match",
        () -> {
          Answer answer = server.get(maps("w6") + "?watch=1&sendInitialEvents=true");
          assertThat(answer.code()).isEqualTo(422);
          assertThat(answer.message())
              .contains(
                  "resourceVersionMatch: Forbidden: sendInitialEvents requires setting"
                      + " resourceVersionMatch to NotOlderThan");
        });
    table.row(
        "W7",
        "leaving the selection is DELETED",
        () -> {
          String maps = maps("w7");
          String from = server.get(maps).at("metadata", "resourceVersion");
          server.post(maps, "{'metadata':{'name':'a','labels':{'run':'x'}}}");
          merge(maps + "/a", "{'metadata':{'labels':null}}");
          assertThat(types(watch(maps, "labelSelector=run%3Dx&resourceVersion=" + from, null)))
              .containsExactly("ADDED", "DELETED");
        });
    table.row(
        "W8",
        "timeoutSeconds ends it, with a bookmark before",
        () -> {
          String maps = maps("w8");
          long began = System.nanoTime();
          List<JsonNode> events =
              server
                  .send("GET", maps + "?watch=1&timeoutSeconds=2&allowWatchBookmarks=true")
                  .lines();
          assertThat(System.nanoTime() - began).isGreaterThan(1_500_000_000L);
          assertThat(types(events)).containsExactly("BOOKMARK");
        });
    table.row("W9", "WebSocket: one message per event", this::webSocketWatch);
    table.row(
        "W16",
        "Table watch: columns once",
        () -> {
          String maps = maps("w16", "a", "b");
          List<JsonNode> events = watch(maps, "resourceVersion=0", TABLE);
          assertThat(events.get(0).path("object").path("columnDefinitions").size())
              .isGreaterThan(1);
          assertThat(events.get(1).path("object").path("columnDefinitions").isNull()).isTrue();
          assertThat(events.get(1).path("object").path("rows").size()).isEqualTo(1);
        });
    table.row(
        "W17",
        "watch of one name",
        () -> {
          String maps = maps("w17", "x", "y");
          List<JsonNode> events = watch(maps, "fieldSelector=metadata.name%3Dx", null);
          assertThat(events).hasSize(1);
          assertThat(events.get(0).toString()).contains("\"name\":\"x\"");
        });
  }

  private void writes(Vectors table) {
    table.row(
        "W12",
        "two PUTs with one version",
        () -> {
          String maps = maps("w12", "a");
          String version = server.get(maps + "/a").at("metadata", "resourceVersion");
          String body =
              "{'metadata':{'name':'a','resourceVersion':'" + version + "'},'data':{'k':'%s'}}";
          assertThat(server.send("PUT", maps + "/a").body(body.formatted("1")).now().code())
              .isEqualTo(200);
          Answer lost = server.send("PUT", maps + "/a").body(body.formatted("2")).now();
          assertThat(lost.code()).isEqualTo(409);
          assertThat(lost.message())
              .isEqualTo(
                  "Operation cannot be fulfilled on configmaps \"a\": the object has been modified;"
                      + " please apply your changes to the latest version and try again");
        });
    table.row(
        "W13",
        "an equal PUT writes nothing",
        () -> {
          String maps = maps("w13", "a");
          Answer before = server.get(maps + "/a");
          Answer same = server.send("PUT", maps + "/a").body(before.response().body()).now();
          assertThat(same.code()).isEqualTo(200);
          assertThat(same.at("metadata", "resourceVersion"))
              .isEqualTo(before.at("metadata", "resourceVersion"));
        });
    table.row(
        "W14",
        "50 concurrent merge patches",
        () -> {
          String maps = maps("w14", "a");
          try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> sent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
              String patch = "{'data':{'k" + i + "':'v'}}";
              sent.add(workers.submit(() -> merge(maps + "/a", patch)));
            }
            for (Future<Answer> one : sent) {
              assertThat(one.get().code()).isEqualTo(200);
            }
          }
          assertThat(server.get(maps + "/a").json().path("data").size()).isEqualTo(50);
        });
    table.row(
        "W15",
        "a Lease needs its version",
        () -> {
          maps("w15");
          String leases = "/apis/coordination.k8s.io/v1/namespaces/w15/leases";
          server.post(leases, "{'metadata':{'name':'a'},'spec':{}}");
          Answer answer =
              server
                  .send("PUT", leases + "/a")
                  .body("{'metadata':{'name':'a'},'spec':{'holderIdentity':'me'}}")
                  .now();
          assertThat(answer.code()).isEqualTo(422);
          assertThat(answer.message()).contains("must be specified for an update");
        });
    table.row(
        "W19",
        "generated names",
        () -> {
          String maps = maps("w19");
          Answer one = server.post(maps, "{'metadata':{'generateName':'g-'}}");
          assertThat(one.at("metadata", "name")).matches("g-[bcdfghjklmnpqrstvwxz2456789]{5}");
        });
  }

  private void webSocketWatch() throws Exception {
    String maps = maps("w9", "a");
    BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      WebSocket socket =
          client
              .newWebSocketBuilder()
              .header("Authorization", "Bearer admin")
              .buildAsync(
                  URI.create(server.server.url().replace("http", "ws") + maps + "?watch=true"),
                  new Collecting(messages))
              .get(60, TimeUnit.SECONDS);
      assertThat(messages.poll(60, TimeUnit.SECONDS)).contains("ADDED").contains("\"a\"");
      server.post(maps, "{'metadata':{'name':'b'}}");
      assertThat(messages.poll(60, TimeUnit.SECONDS)).contains("ADDED").contains("\"b\"");
      socket.abort();
    }
  }

  private static final class Collecting implements WebSocket.Listener {
    private final BlockingQueue<String> messages;
    private final StringBuilder partial = new StringBuilder();

    Collecting(BlockingQueue<String> messages) {
      this.messages = messages;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      partial.append(data);
      if (last) {
        messages.add(partial.toString());
        partial.setLength(0);
      }
      socket.request(1);
      return null;
    }
  }

  /// A fresh namespace with these config maps; the path of its config maps.
  private String maps(String namespace, String... names) {
    server.post("/api/v1/namespaces", "{'metadata':{'name':'" + namespace + "'}}");
    String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
    for (String name : names) {
      assertThat(server.post(maps, "{'metadata':{'name':'" + name + "'}}").code()).isEqualTo(201);
    }
    return maps;
  }

  private Answer merge(String path, String patch) {
    return server
        .send("PATCH", path)
        .header("Content-Type", "application/merge-patch+json")
        .body(patch)
        .now();
  }

  private List<JsonNode> watch(String path, String query, @Nullable String accept) {
    return server
        .send("GET", path + "?watch=true&timeoutSeconds=1&" + query)
        .header("Accept", accept)
        .lines();
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asString()).toList();
  }

  private static List<Long> versions(List<JsonNode> events) {
    return events.stream()
        .map(
            event ->
                Long.parseLong(
                    event.path("object").path("metadata").path("resourceVersion").asString()))
        .toList();
  }

  private static List<String> names(Answer list) {
    List<String> names = new ArrayList<>();
    list.json()
        .path("items")
        .forEach(one -> names.add(one.path("metadata").path("name").asString()));
    return names;
  }
}
