package io.fairlead.client.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchStream;
import io.fairlead.client.testing.FakeApi;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class InformerTest {
  private static final ResourceType MAPS = ResourceType.CONFIG_MAPS;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private final FakeApi api = new FakeApi(List.of(MAPS));
  private final Client client = new Client(api);
  private final Informer<ApiObject> informer =
      new Informer<>(
          ListWatchFactory.objects(client, MAPS, "", ""), ApiObject::of, TimingSources.system());

  @BeforeEach
  void index() {
    informer.addIndex(
        "app", object -> Stream.ofNullable(object.metadata().labels().get("app")).toList());
  }

  @AfterEach
  void close() {
    informer.close();
    api.close();
  }

  private static ObjectNode map(String name, String app) {
    ObjectNode object = Json.object();
    object
        .putObject("metadata")
        .put("namespace", "default")
        .put("name", name)
        .putObject("labels")
        .put("app", app);
    return object;
  }

  private List<String> named(String app) {
    return informer.find("app", app).stream().map(object -> object.metadata().name()).toList();
  }

  private static ChangeHandler<ApiObject> recordTo(List<String> told) {
    return new ChangeHandler<>() {
      @Override
      public void added(ApiObject object, boolean initial) {
        told.add((initial ? "had " : "added ") + object.metadata().name());
      }

      @Override
      public void updated(ApiObject old, ApiObject now) {
        told.add("updated " + now.metadata().name());
      }

      @Override
      public void deleted(ApiObject last, boolean finalStateUnknown) {
        told.add((finalStateUnknown ? "lost " : "deleted ") + last.metadata().name());
      }
    };
  }

  @Test
  void indexesFollowTheObjects() throws InterruptedException {
    client.create(MAPS, "default", map("a", "web"));
    informer.start();
    informer.awaitSync();
    assertThat(named("web")).containsExactly("a");
    client.create(MAPS, "default", map("b", "web"));
    client.update(MAPS, map("a", "db"));
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(named("web")).containsExactly("b"));
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(named("db")).containsExactly("a"));
    client.delete(MAPS, new ObjectKey("default", "a"), DeleteOptions.DEFAULT);
    await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(named("db")).isEmpty());
  }

  @Test
  void aLateHandlerIsToldOfEverythingOnce() throws InterruptedException {
    List<String> early = new CopyOnWriteArrayList<>();
    informer.onChange(recordTo(early));
    client.create(MAPS, "default", map("a", "x"));
    informer.start();
    informer.awaitSync();
    client.create(MAPS, "default", map("b", "x"));
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(early).containsExactly("had a", "added b"));
    List<String> late = new CopyOnWriteArrayList<>();
    informer.onChange(recordTo(late));
    client.delete(MAPS, new ObjectKey("default", "a"), DeleteOptions.DEFAULT);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(late).containsExactly("had a", "had b", "deleted a"));
  }

  @Test
  void aViewIsFedByTheSameWatch() throws InterruptedException {
    List<String> named = new CopyOnWriteArrayList<>();
    List<String> told = new CopyOnWriteArrayList<>();
    List<ObjectNode> read = new CopyOnWriteArrayList<>();
    List<ObjectNode> readAgain = new CopyOnWriteArrayList<>();
    AtomicInteger watches = new AtomicInteger();
    try (Informer<ApiObject> first =
        new Informer<>(counting(watches), object -> kept(object, read), TimingSources.system())) {
      Informer<ApiObject> view = first.view(object -> kept(object, readAgain));
      first.onChange(recordTo(named));
      view.onChange(recordTo(told));
      view.addIndex(
          "app", object -> Stream.ofNullable(object.metadata().labels().get("app")).toList());
      assertThatThrownBy(view::start).hasMessageContaining("a view starts with");
      assertThatThrownBy(() -> view.view(ApiObject::of)).hasMessageContaining("too late");
      client.create(MAPS, "default", map("a", "web"));
      first.start();
      view.awaitSync();
      assertThatThrownBy(() -> first.view(ApiObject::of)).hasMessageContaining("too late");
      client.create(MAPS, "default", map("b", "web"));
      ObjectNode changed = client.update(MAPS, map("a", "db"));
      client.delete(MAPS, new ObjectKey("default", "b"), DeleteOptions.DEFAULT);
      List<String> all = List.of("had a", "added b", "updated a", "deleted b");
      await().atMost(LIMIT).untilAsserted(() -> assertThat(told).isEqualTo(all));
      assertThat(named).isEqualTo(all);
      assertThat(view.find("app", "db")).hasSize(1);
      assertThat(view.reached(changed.at("/metadata/resourceVersion").asString(""))).isDone();
      assertThat(watches).hasValue(1);
      assertThat(readAgain).hasSameSizeAs(read);
      for (int i = 0; i < read.size(); i++) {
        assertThat(readAgain.get(i)).as("parsed once").isSameAs(read.get(i));
      }
    }
  }

  private static ApiObject kept(ObjectNode object, List<ObjectNode> seen) {
    seen.add(object);
    return ApiObject.of(object);
  }

  private ListWatch counting(AtomicInteger watches) {
    ListWatch source = ListWatchFactory.objects(client, MAPS, "", "");
    return new ListWatch() {
      @Override
      public ObjectPage list(String version, int limit, String continueToken) {
        return source.list(version, limit, continueToken);
      }

      @Override
      public WatchStream watch(String version, boolean initialEvents, Duration timeout) {
        watches.incrementAndGet();
        return source.watch(version, initialEvents, timeout);
      }
    };
  }

  @Test
  void aFailingHandlerDoesNotStopTheOthers() throws InterruptedException {
    List<String> told = new CopyOnWriteArrayList<>();
    informer.onChange(
        new ChangeHandler<>() {
          @Override
          public void added(ApiObject object, boolean initial) {
            throw new IllegalStateException("broken");
          }

          @Override
          public void updated(ApiObject old, ApiObject now) {}

          @Override
          public void deleted(ApiObject last, boolean finalStateUnknown) {}
        });
    informer.onChange(recordTo(told));
    client.create(MAPS, "default", map("a", "x"));
    informer.start();
    informer.awaitSync();
    assertThat(told).containsExactly("had a");
  }

  @Test
  void aWriterCanWaitForItsOwnWrite() throws Exception {
    informer.start();
    ObjectNode made = client.create(MAPS, "default", map("a", "x"));
    informer.reached(ApiObject.of(made).metadata().resourceVersion()).get(60, TimeUnit.SECONDS);
    assertThat(informer.get(new ObjectKey("default", "a"))).isPresent();
  }

  @Test
  void aServerThatCannotStreamStatesIsListed() throws InterruptedException {
    api.streamingLists(false);
    client.create(MAPS, "default", map("a", "x"));
    informer.start();
    informer.awaitSync();
    assertThat(informer.list()).hasSize(1);
    client.create(MAPS, "default", map("b", "x"));
    await().atMost(Duration.ofSeconds(60)).until(() -> informer.list().size() == 2);
  }
}
