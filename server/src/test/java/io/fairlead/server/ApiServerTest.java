package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.store.testing.MemoryStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ApiServerTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @Test
  void objectsAreMadeReadListedWatchedAndDeleted() throws Exception {
    try (TestServer server = TestServer.start()) {
      assertThat(server.server.isReady()).isTrue();
      TestServer.Answer made =
          server.post(MAPS, "{'metadata':{'name':'a','labels':{'x':'y'}},'data':{'k':'v'}}");
      assertThat(made.text()).contains("\"uid\"");
      assertThat(made.code()).isEqualTo(201);
      TestServer.Answer read = server.get(MAPS + "/a");
      assertThat(read.at("data", "k")).isEqualTo("v");
      assertThat(read.at("metadata", "resourceVersion"))
          .isEqualTo(made.at("metadata", "resourceVersion"));
      TestServer.Answer list = server.get(MAPS);
      assertThat(list.at("kind")).isEqualTo("ConfigMapList");
      assertThat(list.json().path("items").size()).isEqualTo(1);
      assertThat(list.json().path("items").get(0).has("kind")).isFalse();
      assertThat(server.send("DELETE", MAPS + "/a").now().at("status")).isEqualTo("Success");
      assertThat(server.get(MAPS + "/a").code()).isEqualTo(404);
      var events =
          server
              .send(
                  "GET",
                  MAPS
                      + "?watch=1&timeoutSeconds=1&resourceVersion="
                      + list.at("metadata", "resourceVersion"))
              .lines();
      assertThat(events)
          .extracting(each -> each.path("type").asString(""))
          .containsExactly("DELETED");
    }
  }

  @Test
  void oneMoreSocketServesTheSameAndGoesWithTheServer() throws Exception {
    ServerSocketChannel socket =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (HttpClient client = HttpClient.newHttpClient()) {
      try (TestServer server = TestServer.start()) {
        server.server.listen(socket);
        URI version = URI.create("http://127.0.0.1:" + socket.socket().getLocalPort() + "/version");
        assertThat(
                client
                    .send(HttpRequest.newBuilder(version).build(), BodyHandlers.ofString())
                    .body())
            .contains("gitVersion");
      }
      assertThat(socket.isOpen()).isFalse();
    }
  }

  @Test
  void tlsIsServedOverHttp2AndHttp1(@TempDir Path pki) throws Exception {
    try (MemoryStore store = new MemoryStore();
        ApiServer server = TestServer.startTls(pki, store)) {
      for (HttpClient.Version version : HttpClient.Version.values()) {
        if (version.name().equals("HTTP_3")) {
          continue;
        }
        try (HttpClient client =
            HttpClient.newBuilder().version(version).sslContext(RawHttp2.trustingAll()).build()) {
          var answer =
              client.send(
                  HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/namespaces"))
                      .header("Authorization", "Bearer admin")
                      .build(),
                  BodyHandlers.ofByteArray());
          assertThat(answer.statusCode()).isEqualTo(200);
          assertThat(answer.version()).isEqualTo(version);
          JsonNode list = io.fairlead.api.json.Json.parse(answer.body());
          assertThat(list.path("items").size()).isEqualTo(4);
        }
      }
    }
  }
}
