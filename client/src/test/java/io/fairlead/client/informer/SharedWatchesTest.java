package io.fairlead.client.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.work.LoopFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class SharedWatchesTest {
  private static final ResourceType PODS = ResourceType.PODS;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final FakeApi api = new FakeApi(List.of(PODS, ResourceType.CONFIG_MAPS));
  private final Client direct = new Client(api);
  private final SharedWatches shared = new SharedWatches(direct, Set.of(PODS));
  private final List<Informer<?>> informers = new ArrayList<>();
  // Watches that follow changes, by path; those that fetch the state first are not counted.
  private final Map<String, AtomicInteger> watches = new ConcurrentHashMap<>();

  @BeforeEach
  void count() {
    api.intercept(
        request -> {
          boolean follows =
              "true".equals(request.query().get("watch"))
                  && !"true".equals(request.query().get("sendInitialEvents"));
          if (follows) {
            watches.computeIfAbsent(request.path(), _ -> new AtomicInteger()).incrementAndGet();
          }
        });
  }

  @AfterEach
  void close() {
    informers.forEach(Informer::close);
    shared.close();
    api.close();
  }

  /// The informer of a component with a client of its own.
  private Informer<ApiObject> informer(ResourceType type, String labels, String fields) {
    Informer<ApiObject> informer =
        new Informer<>(
            ListWatchFactory.selected(new Client(api).sharing(shared), type, "", labels, fields),
            ApiObject::of,
            TimingSources.system());
    informers.add(informer);
    informer.start();
    return informer;
  }

  private void create(String name, String app, String node) {
    ObjectNode pod = Json.object();
    pod.putObject("metadata")
        .put("namespace", "default")
        .put("name", name)
        .putObject("labels")
        .put("app", app);
    pod.putObject("spec").put("nodeName", node);
    direct.create(PODS, "default", pod);
  }

  private static void shows(Informer<?> informer, String... names) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(
                        new TreeSet<>(
                            informer.list().stream().map(one -> one.metadata().name()).toList()))
                    .containsExactly(names));
  }

  private int follows(String path) {
    AtomicInteger count = watches.get(path);
    return count == null ? 0 : count.get();
  }

  @Test
  void componentsWithSelectorsOfTheirOwnShareOneWatch() {
    create("a", "web", "n1");
    Informer<ApiObject> all = informer(PODS, "", "");
    Informer<ApiObject> web = informer(PODS, "app=web", "");
    Informer<ApiObject> ofNode = informer(PODS, "", "spec.nodeName=n1");
    shows(all, "a");
    shows(web, "a");
    shows(ofNode, "a");
    create("b", "db", "n1");
    create("c", "web", "n2");
    shows(all, "a", "b", "c");
    shows(web, "a", "c");
    shows(ofNode, "a", "b");
    Informer<ApiObject> late = informer(PODS, "app!=web", "");
    shows(late, "b");
    ObjectNode patch = Json.object();
    patch.putObject("metadata").putObject("labels").put("app", "db");
    direct.patch(PODS, new ObjectKey("default", "c"), PatchType.MERGE, patch);
    shows(web, "a");
    shows(late, "b", "c");
    direct.delete(PODS, new ObjectKey("default", "b"), DeleteOptions.DEFAULT.within(0));
    shows(ofNode, "a");
    shows(late, "c");
    shows(all, "a", "c");
    assertThat(follows("/api/v1/pods")).isEqualTo(1);
  }

  @Test
  void whoeverLeavesTheOthersGoOn() {
    Informer<ApiObject> first = informer(PODS, "", "");
    Informer<ApiObject> second = informer(PODS, "", "");
    create("a", "web", "n1");
    shows(first, "a");
    shows(second, "a");
    first.close();
    create("b", "web", "n1");
    shows(second, "a", "b");
    second.close();
    Informer<ApiObject> third = informer(PODS, "", "");
    create("c", "web", "n1");
    shows(third, "a", "b", "c");
  }

  @Test
  void aWatchThatEndsOrExpiresLosesNothing() {
    Informer<ApiObject> first = informer(PODS, "", "");
    Informer<ApiObject> second = informer(PODS, "", "");
    create("a", "web", "n1");
    shows(first, "a");
    shows(second, "a");
    api.endWatches();
    create("b", "web", "n1");
    shows(first, "a", "b");
    shows(second, "a", "b");
    create("c", "web", "n1");
    api.compact();
    api.endWatches();
    create("d", "web", "n1");
    shows(first, "a", "b", "c", "d");
    shows(second, "a", "b", "c", "d");
  }

  @Test
  void anUnexpectedFailureLosesNothing() {
    Informer<ApiObject> first = informer(PODS, "", "");
    Informer<ApiObject> second = informer(PODS, "", "");
    create("a", "web", "n1");
    shows(first, "a");
    shows(second, "a");
    assertThat(LoopFaults.failOnce("shared-watch")).isEqualTo(1);
    create("b", "web", "n1");
    shows(first, "a", "b");
    shows(second, "a", "b");
  }

  @Test
  void aServerThatCannotStreamStatesIsListed() {
    api.streamingLists(false);
    create("a", "web", "n1");
    Informer<ApiObject> first = informer(PODS, "", "");
    Informer<ApiObject> second = informer(PODS, "app=web", "");
    shows(first, "a");
    shows(second, "a");
    create("b", "web", "n1");
    shows(first, "a", "b");
    shows(second, "a", "b");
    assertThat(follows("/api/v1/pods")).isEqualTo(1);
  }

  @Test
  void metadataComesFromTheSharedWatchToo() {
    Informer<ObjectMeta> metadata =
        new Informer<>(
            ListWatchFactory.metadata(new Client(api).sharing(shared), PODS),
            ObjectMeta::of,
            TimingSources.system());
    informers.add(metadata);
    metadata.start();
    Informer<ApiObject> whole = informer(PODS, "", "");
    create("a", "web", "n1");
    shows(metadata, "a");
    shows(whole, "a");
    create("b", "web", "n1");
    shows(metadata, "a", "b");
    assertThat(follows("/api/v1/pods")).isEqualTo(1);
  }

  @Test
  void otherResourcesAreWatchedByEachComponent() {
    Informer<ApiObject> first = informer(ResourceType.CONFIG_MAPS, "", "");
    Informer<ApiObject> second = informer(ResourceType.CONFIG_MAPS, "", "");
    ObjectNode map = Json.object();
    map.putObject("metadata").put("namespace", "default").put("name", "m");
    direct.create(ResourceType.CONFIG_MAPS, "default", map);
    shows(first, "m");
    shows(second, "m");
    assertThat(follows("/api/v1/configmaps")).isZero();
  }
}
