package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.DeleteOptions.Propagation;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.controller.Controllers;
import io.fairlead.http.tls.PemParser;
import io.fairlead.server.ApiServer;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.store.testing.MemoryStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// The client and the controllers against the real server, over TLS and HTTP/2: what the tests with
/// the fake show must hold here too.
class ControllersAgainstServerTest {
  private static final ResourceType MAPS = ResourceType.CONFIG_MAPS;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;

  private ApiServer server;
  private ClientConfig connection;
  private Client client;
  private Controllers controllers;

  @BeforeEach
  void start() throws Exception {
    Path pki = directory.resolve("pki");
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, "secret,admin,1,\"system:masters\"\n");
    server =
        ApiServer.start(
            ApiServerConfig.defaults(pki)
                .change()
                .securePort(0)
                .tokenAuthFile(Optional.of(tokens))
                .build(),
            new MemoryStore());
    byte[] authority = Files.readAllBytes(pki.resolve("ca.crt"));
    connection =
        ClientConfig.of(
            URI.create(server.url()),
            new Trust.Certificates(PemParser.certificates(authority)),
            new ClientIdentity.Token("secret"));
    client = new Client(new HttpTransport(connection, "e2e/1"));
    controllers = Controllers.start(client, Controllers.Options.single("PEM"));
    client.create(ResourceType.NAMESPACES, "", named("web"));
  }

  @AfterEach
  void stop() {
    controllers.close();
    client.close();
    server.close();
  }

  private static ObjectNode named(String name) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name);
    return object;
  }

  private ObjectNode owned(String name, ObjectNode owner) {
    ObjectNode object = named(name);
    Json.child(object, "metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", MAPS.apiVersion())
        .put("kind", MAPS.kind())
        .put("name", ObjectKey.of(owner).name())
        .put("uid", ObjectMeta.of(owner).uid())
        .put("blockOwnerDeletion", true);
    return client.create(MAPS, "web", object);
  }

  private boolean exists(ResourceType type, String namespace, String name) {
    return client.find(type, new ObjectKey(namespace, name)).isPresent();
  }

  private void deleteOwner(Propagation propagation) {
    ObjectNode owner = client.create(MAPS, "web", named("owner"));
    owned("dependent", owner);
    client.delete(MAPS, new ObjectKey("web", "owner"), DeleteOptions.of(propagation));
    await().atMost(PATIENCE).until(() -> !exists(MAPS, "web", "owner"));
  }

  @Test
  void aShortCommandGetsItsAnswerOverOneSocket() {
    try (Client one = new Client(new SocketTransport(connection, "e2e/1"))) {
      assertThat(Json.text(one.getPath("/version"), "major")).isEqualTo("1");
    }
  }

  @Test
  void anInformerSeesAWriteAtItsVersion() throws Exception {
    try (Informer<ApiObject> maps =
        new Informer<>(
            ListWatchFactory.objects(client, MAPS, "", ""),
            ApiObject::of,
            TimingSources.system())) {
      maps.start();
      maps.awaitSync();
      ObjectNode made = client.create(MAPS, "web", named("m"));
      maps.reached(ObjectMeta.of(made).resourceVersion()).get(30, TimeUnit.SECONDS);
      assertThat(maps.get(new ObjectKey("web", "m"))).isPresent();
    }
  }

  @Test
  void everyNamespaceHasItsAccountAndItsCertificate() {
    for (String namespace : List.of("default", "kube-system", "web")) {
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  exists(ResourceType.SERVICE_ACCOUNTS, namespace, "default")
                      && exists(MAPS, namespace, "kube-root-ca.crt"));
    }
  }

  @Test
  void gc1InTheBackgroundDependentsFollow() {
    deleteOwner(Propagation.BACKGROUND);
    await().atMost(PATIENCE).until(() -> !exists(MAPS, "web", "dependent"));
  }

  @Test
  void gc2InTheForegroundDependentsGoFirst() {
    deleteOwner(Propagation.FOREGROUND);
    assertThat(exists(MAPS, "web", "dependent")).isFalse();
  }

  @Test
  void orphansStay() {
    deleteOwner(Propagation.ORPHAN);
    assertThat(ObjectMeta.of(client.get(MAPS, new ObjectKey("web", "dependent"))).ownerReferences())
        .isEmpty();
  }

  @Test
  void aNamespaceWaitsForFinalizersAndThenGoes() {
    ObjectNode held = named("held");
    Json.child(held, "metadata").putArray("finalizers").add("example.com/hold");
    client.create(MAPS, "web", held);
    ObjectKey web = new ObjectKey("", "web");
    client.delete(ResourceType.NAMESPACES, web, DeleteOptions.DEFAULT);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .get(ResourceType.NAMESPACES, web)
                    .path("status")
                    .toString()
                    .contains("example.com/hold in 1 resource instances"));
    ObjectNode freed = Json.object();
    freed.putObject("metadata").putArray("finalizers");
    client.patch(MAPS, new ObjectKey("web", "held"), PatchType.MERGE, freed);
    await().atMost(PATIENCE).until(() -> !exists(ResourceType.NAMESPACES, "", "web"));
  }
}
