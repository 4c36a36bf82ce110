package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.DeleteOptions.Propagation;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.FastStartTransport;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.client.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// The same requests through every transport.
class ClientTest {
  private static final ResourceType MAPS = ResourceType.CONFIG_MAPS;

  enum Way {
    MEMORY,
    HTTP_CLIENT,
    ONE_SOCKET,
    PROMPT
  }

  interface Steps {
    void run(Client client, FakeApi api) throws Exception;
  }

  private static void with(Way way, Steps steps) throws Exception {
    try (FakeApi api = new FakeApi(List.of(MAPS, ResourceType.LEASES));
        FakeApiServer server = new FakeApiServer(api)) {
      Transport transport =
          switch (way) {
            case MEMORY -> api;
            case HTTP_CLIENT, ONE_SOCKET, PROMPT -> over(way, server.connection());
          };
      try (Client client = new Client(transport)) {
        steps.run(client, api);
      }
    }
  }

  private static Transport over(Way way, ClientConfig connection) {
    return switch (way) {
      case MEMORY -> throw new IllegalArgumentException("no network");
      case HTTP_CLIENT -> new HttpTransport(connection, "test/1");
      case ONE_SOCKET -> new SocketTransport(connection, "test/1");
      case PROMPT -> new FastStartTransport(connection, "test/1");
    };
  }

  private static ObjectNode map(String name, String value) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name).putObject("labels").put("app", value);
    object.putObject("data").put("a", value);
    return object;
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("default", name);
  }

  @ParameterizedTest
  @EnumSource
  void anObjectIsMadeReadChangedAndDeleted(Way way) throws Exception {
    with(
        way,
        (client, _) -> {
          ObjectNode made = client.create(MAPS, "default", map("m", "ä€"));
          assertThat(ObjectMeta.of(made).uid()).isNotEmpty();
          assertThat(client.get(MAPS, key("m"))).isEqualTo(made);
          ((ObjectNode) made.get("data")).put("b", "2");
          ObjectNode changed = client.update(MAPS, made);
          assertThat(changed.path("data").path("b").stringValue()).isEqualTo("2");
          ObjectNode patch = Json.object();
          patch.putObject("data").putNull("a");
          ObjectNode patched = client.patch(MAPS, key("m"), PatchType.MERGE, patch);
          assertThat(patched.path("data").has("a")).isFalse();
          client.delete(MAPS, key("m"), DeleteOptions.of(Propagation.BACKGROUND));
          assertThat(client.find(MAPS, key("m"))).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void errorsCarryTheStatus(Way way) throws Exception {
    with(
        way,
        (client, _) -> {
          ApiException missing =
              catchThrowableOfType(ApiException.class, () -> client.get(MAPS, key("x")));
          assertThat(missing.status().message()).isEqualTo("configmaps \"x\" not found");
          assertThat(missing.status().code()).isEqualTo(404);
          assertThat(missing.status().details()).isNotNull();
          assertThat(ApiErrors.isNotFound(missing)).isTrue();

          client.create(MAPS, "default", map("m", "1"));
          ApiException twice =
              catchThrowableOfType(
                  ApiException.class, () -> client.create(MAPS, "default", map("m", "1")));
          assertThat(ApiErrors.isAlreadyExists(twice)).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource
  void preconditionsAndConflictsAreAsked(Way way) throws Exception {
    with(
        way,
        (client, _) -> {
          ObjectNode made = client.create(MAPS, "default", map("m", "1"));
          ObjectNode newer = made.deepCopy();
          ((ObjectNode) newer.get("data")).put("a", "2");
          client.update(MAPS, newer);
          ((ObjectNode) made.get("data")).put("a", "3");
          ApiException stale =
              catchThrowableOfType(ApiException.class, () -> client.update(MAPS, made));
          assertThat(ApiErrors.isConflict(stale)).isTrue();
          ApiException other =
              catchThrowableOfType(
                  ApiException.class,
                  () -> client.delete(MAPS, key("m"), DeleteOptions.DEFAULT.onlyUid("other")));
          assertThat(ApiErrors.isConflict(other)).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource
  void whatIsKeptOfObjectsIsReadFromTheirTokens(Way way) throws Exception {
    with(
        way,
        (client, _) -> {
          for (int i = 0; i < 5; i++) {
            client.create(MAPS, "default", map("m" + i, "x"));
          }
          Function<JsonParser, String> name = in -> V1Pod.read(in, FieldMask.ALL).metadata().name();
          List<String> told = new ArrayList<>();
          TypedPage<String> first =
              client.list(MAPS, "default", ListOptions.ALL.limited(3), name, told::add);
          TypedPage<String> rest =
              client.listMetadata(
                  MAPS,
                  "default",
                  ListOptions.ALL.limited(3).continuing(first.continueToken()),
                  name,
                  told::add);
          assertThat(first.items()).containsExactly("m0", "m1", "m2");
          assertThat(told).containsExactly(first.continueToken());
          assertThat(rest.items()).containsExactly("m3", "m4");
          assertThat(rest.continueToken()).isEmpty();
          assertThat(client.list(MAPS, "kube-system", ListOptions.ALL, name, told::add).items())
              .isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void longListsComeInPages(Way way) throws Exception {
    with(
        way,
        (client, _) -> {
          for (int i = 0; i < 7; i++) {
            client.create(MAPS, "default", map("m" + i, i % 2 == 0 ? "even" : "odd"));
          }
          ObjectPage first = client.list(MAPS, "default", ListOptions.ALL.limited(3));
          assertThat(first.items()).hasSize(3);
          assertThat(first.continueToken()).isNotEmpty();
          List<String> names = new ArrayList<>();
          String version =
              client.listAll(
                  MAPS,
                  "",
                  ListOptions.ALL.limited(2),
                  item -> names.add(ObjectKey.of(item).name()));
          assertThat(names).containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6");
          assertThat(version).isEqualTo(first.resourceVersion());
          assertThat(client.list(MAPS, "default", ListOptions.ALL.labelled("app=odd")).items())
              .hasSize(3);
          client.deleteCollection(
              MAPS, "default", ListOptions.ALL.labelled("app=odd"), DeleteOptions.DEFAULT);
          assertThat(client.list(MAPS, "", ListOptions.ALL).items()).hasSize(4);
        });
  }

  @ParameterizedTest
  @EnumSource
  void aWatchShowsChangesThenEndsInOrder(Way way) throws Exception {
    with(
        way,
        (client, api) -> {
          client.create(MAPS, "default", map("before", "1"));
          ObjectPage list = client.list(MAPS, "", ListOptions.ALL);
          try (WatchStream watch =
              client.watch(
                  MAPS, "", WatchOptions.from(list.resourceVersion(), Duration.ofMinutes(5)))) {
            client.create(MAPS, "default", map("m", "1"));
            client.delete(MAPS, key("m"), DeleteOptions.DEFAULT);
            assertThat(watch.next().orElseThrow())
                .isInstanceOfSatisfying(
                    WatchStreamEvent.Changed.class,
                    event -> assertThat(ObjectKey.of(event.object())).isEqualTo(key("m")));
            assertThat(watch.next().orElseThrow()).isInstanceOf(WatchStreamEvent.Removed.class);
            api.endWatches();
            assertThat(watch.next()).isEmpty();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void theStateCanBeStreamedBeforeTheChanges(Way way) throws Exception {
    with(
        way,
        (client, api) -> {
          client.create(MAPS, "default", map("m", "1"));
          WatchOptions options = new WatchOptions("", "", "", true, Duration.ofMinutes(5));
          try (WatchStream watch = client.watch(MAPS, "", options)) {
            assertThat(watch.next().orElseThrow()).isInstanceOf(WatchStreamEvent.Changed.class);
            assertThat(watch.next().orElseThrow())
                .isInstanceOfSatisfying(
                    WatchStreamEvent.Bookmark.class,
                    bookmark -> assertThat(bookmark.initialEventsEnd()).isTrue());
          }
          api.streamingLists(false);
          ApiException refused =
              catchThrowableOfType(ApiException.class, () -> client.watch(MAPS, "", options));
          assertThat(refused.status().code()).isEqualTo(422);
        });
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredVersionIsAnEvent(Way way) throws Exception {
    with(
        way,
        (client, api) -> {
          client.create(MAPS, "default", map("m", "1"));
          api.compact();
          try (WatchStream watch =
              client.watch(MAPS, "", WatchOptions.from("1", Duration.ofMinutes(5)))) {
            assertThat(watch.next().orElseThrow())
                .isInstanceOfSatisfying(
                    WatchStreamEvent.Failed.class,
                    event -> assertThat(ApiErrors.isExpired(event.status())).isTrue());
            assertThat(watch.next()).isEmpty();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void closingAWatchFreesItsReader(Way way) throws Exception {
    with(
        way,
        (client, _) -> {
          WatchStream watch = client.watch(MAPS, "", WatchOptions.from("", Duration.ofMinutes(5)));
          CompletableFuture<Object> reading = CompletableFuture.supplyAsync(watch::next);
          watch.close();
          assertThatThrownBy(() -> reading.get(60, TimeUnit.SECONDS))
              .isInstanceOf(ExecutionException.class)
              .hasCauseInstanceOf(ConnectionException.class);
        });
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MEMORY")
  void anUnreachableServerIsNamed(Way way) throws Exception {
    ClientConfig nowhere =
        ClientConfig.of(
            java.net.URI.create("https://127.0.0.1:1"),
            new io.fairlead.client.tls.Trust.Anyone(),
            new ClientIdentity.Anonymous());
    try (Transport transport = over(way, nowhere)) {
      assertThatThrownBy(() -> new Client(transport).getPath("/version"))
          .isInstanceOf(ConnectionException.class)
          .hasMessageContaining("https://127.0.0.1:1")
          .hasMessageContaining("connection refused");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MEMORY")
  void aServerOfAnotherAuthorityIsNotBelieved(Way way) throws Exception {
    try (FakeApi api = new FakeApi(List.of(MAPS));
        FakeApiServer server = new FakeApiServer(api)) {
      ClientConfig doubting =
          ClientConfig.of(
              server.uri(),
              new io.fairlead.client.tls.Trust.SystemRoots(),
              server.connection().identity());
      try (Transport transport = over(way, doubting)) {
        assertThatThrownBy(() -> new Client(transport).getPath("/apis"))
            .isInstanceOf(ConnectionException.class);
      }
      assertThat(server.authorizations).isEmpty();
    }
  }

  @Test
  void manyWritesGoTheirWay() throws Exception {
    with(
        Way.PROMPT,
        (client, api) -> {
          for (int i = 0; i < 8; i++) {
            client.create(MAPS, "default", map("m" + i, "v"));
          }
          assertThat(api.writes()).hasSize(8);
          client.close();
          assertThatThrownBy(() -> client.create(MAPS, "default", map("late", "v")))
              .isInstanceOf(ConnectionException.class);
        });
  }
}
