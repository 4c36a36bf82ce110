package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a server looks after while it runs.
class BackgroundTasksTest {
  private static final ApiServerConfig.Limits LIMITS = ApiServerConfig.Limits.DEFAULT;

  @Test
  void theServiceOfTheServerIsMadeAnewWithItsAddress() throws Exception {
    try (TestServer server = start(new MemoryStore())) {
      String path = "/api/v1/namespaces/default/services/kubernetes";
      String uid = server.get(path).at("metadata", "uid");
      assertThat(server.send("DELETE", path).now().code()).isEqualTo(200);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                TestServer.Answer again = server.get(path);
                assertThat(again.code()).isEqualTo(200);
                assertThat(again.at("metadata", "uid")).isNotEqualTo(uid);
                assertThat(again.at("spec", "clusterIP")).isEqualTo("10.96.0.1");
              });
    }
  }

  @Test
  void aSystemNamespaceIsMadeAnew() throws Exception {
    try (MemoryStore store = new MemoryStore();
        TestServer server = start(new SharedStore(store))) {
      String key = "/registry/namespaces/kube-node-lease";
      assertThat(store.get(key)).isNotNull();
      store.commit(List.of(new Write.Delete(key, Write.ANY)));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(server.get("/api/v1/namespaces/kube-node-lease").code())
                      .isEqualTo(200));
    }
  }

  @Test
  void allServersThatAreAliveAreEndpointsOfTheirService() throws Exception {
    try (MemoryStore store = new MemoryStore();
        TestServer one = TestServer.startAt(new SharedStore(store), "127.0.0.1", 0, "192.0.2.11")) {
      assertThat(servers(one)).containsExactly("192.0.2.11");
      SharedStore dying = new SharedStore(store);
      try (TestServer two =
          TestServer.startAt(dying, "127.0.0.2", one.server.port(), "192.0.2.10")) {
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(
                () -> assertThat(servers(one)).containsExactly("192.0.2.10", "192.0.2.11"));
        assertThat(servers(two)).containsExactly("192.0.2.10", "192.0.2.11");
        // A server that stops in order takes itself out.
      }
      assertThat(servers(one)).containsExactly("192.0.2.11");
      // A server that dies is left out when its lease is over.
      TestServer three = TestServer.startAt(dying, "127.0.0.2", one.server.port(), "192.0.2.12");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> assertThat(servers(one)).containsExactly("192.0.2.11", "192.0.2.12"));
      dying.cut();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(servers(one)).containsExactly("192.0.2.11"));
      three.server.close();
    }
  }

  /// The addresses in the Endpoints of `kubernetes`, which must be those in its slice.
  private static List<String> servers(TestServer server) {
    List<String> addresses = new ArrayList<>();
    server
        .get("/api/v1/namespaces/default/endpoints/kubernetes")
        .json()
        .at("/subsets/0/addresses")
        .forEach(each -> addresses.add(each.path("ip").asString()));
    List<String> sliced = new ArrayList<>();
    server
        .get("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes")
        .json()
        .path("endpoints")
        .forEach(each -> sliced.add(each.path("addresses").path(0).asString()));
    assertThat(sliced).isEqualTo(addresses);
    return addresses;
  }

  @Test
  void aDefaultRoleOfAnOlderVersionGetsWhatItLacks() throws Exception {
    String path = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";
    try (MemoryStore store = new MemoryStore()) {
      try (TestServer server = start(new SharedStore(store))) {
        for (String name : List.of("system:kube-dns", "system:basic-user")) {
          server
              .send("PATCH", path + name)
              .header("Content-Type", "application/merge-patch+json")
              .body("{'rules':[{'apiGroups':['mine'],'resources':['x'],'verbs':['get']}]}")
              .now();
        }
        server
            .send("PATCH", path + "system:basic-user")
            .header("Content-Type", "application/merge-patch+json")
            .body(
                "{'metadata':{'annotations':{'rbac.authorization.kubernetes.io/autoupdate':'false'}}}")
            .now();
      }
      try (TestServer server = start(new SharedStore(store))) {
        assertThat(server.get(path + "system:kube-dns").text())
            .contains("\"mine\"", "\"endpointslices\"");
        assertThat(server.get(path + "system:basic-user").json().path("rules").size()).isEqualTo(1);
      }
    }
  }

  @Test
  void nothingIsWrittenWhenNothingIsMissing() throws Exception {
    try (TestServer server = start(new MemoryStore())) {
      long before = server.store.revision();
      await()
          .atMost(Duration.ofMinutes(1))
          .pollDelay(Duration.ofMillis(300))
          .untilAsserted(() -> assertThat(server.store.revision()).isEqualTo(before));
    }
  }

  @Test
  void readyzIsRedWhileTheStoreCannotBeFollowed() throws Exception {
    try (MemoryStore memory = new MemoryStore()) {
      SharedStore store = new SharedStore(memory);
      try (TestServer server = start(store)) {
        assertThat(server.get("/readyz/store-watch").code()).isEqualTo(200);
        store.cut();
        TestServer.Answer red = server.get("/readyz?verbose");
        assertThat(red.code()).isEqualTo(500);
        assertThat(red.text())
            .contains("[-]store-watch failed: reason withheld\n")
            .endsWith("readyz check failed\n");
        assertThat(server.get("/livez").code()).isEqualTo(200);
        store.mend();
        await()
            .atMost(Duration.ofSeconds(20))
            .untilAsserted(() -> assertThat(server.get("/readyz").code()).isEqualTo(200));
      }
    }
  }

  private static TestServer start(io.fairlead.store.Store store) throws Exception {
    return TestServer.start(store, LIMITS, new SecureRandom(), Duration.ofMillis(50));
  }
}
