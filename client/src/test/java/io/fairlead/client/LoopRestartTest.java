package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.ReflectorRunner;
import io.fairlead.client.informer.StateSink;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.lease.LeaderElector;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The loops of this module go on after a failure that none of them expects.
class LoopRestartTest {
  private static final ResourceType MAPS = ResourceType.CONFIG_MAPS;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final ObjectKey LEASE = new ObjectKey("kube-system", "test");

  private final FakeApi api = new FakeApi(List.of(MAPS, ResourceType.EVENTS, ResourceType.LEASES));
  private final Client client = new Client(api);
  private final AtomicBoolean failNext = new AtomicBoolean();

  @AfterEach
  void close() {
    api.close();
  }

  private void failOnce() {
    if (failNext.getAndSet(false)) {
      throw new IllegalStateException("unexpected");
    }
  }

  private void create(String name) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("namespace", "default").put("name", name);
    client.create(MAPS, "default", object);
  }

  private ListWatch maps() {
    return ListWatchFactory.objects(client, MAPS, "", "");
  }

  /// What a component keeps of the objects, and fails at once.
  private record Follower(String name, Supplier<Set<String>> seen, AutoCloseable loop) {}

  private Follower informer() {
    Informer<ApiObject> informer =
        new Informer<>(
            maps(),
            object -> {
              failOnce();
              return ApiObject.of(object);
            },
            TimingSources.system());
    informer.start();
    return new Follower(
        "informer",
        () -> Set.copyOf(informer.list().stream().map(one -> one.metadata().name()).toList()),
        informer);
  }

  private Follower runner() {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    ReflectorRunner runner = new ReflectorRunner(maps(), sink(seen), TimingSources.system());
    runner.start();
    return new Follower("reflector runner", () -> Set.copyOf(seen), runner);
  }

  private StateSink sink(Set<String> seen) {
    return new StateSink() {
      @Override
      public void begin() {}

      @Override
      public void item(RawObject object) {
        seen.add(ObjectKey.of(object.tree()).name());
      }

      @Override
      public void without(ObjectNode object) {}

      @Override
      public void complete(String version) {}

      @Override
      public void change(RawObject object, String version) {
        failOnce();
        seen.add(ObjectKey.of(object.tree()).name());
      }

      @Override
      public void remove(RawObject object, String version) {}

      @Override
      public void advance(String version) {}
    };
  }

  static Stream<String> followers() {
    return Stream.of("informer", "reflector runner");
  }

  @ParameterizedTest
  @MethodSource("followers")
  void aChangeAtWhichItFailsIsNotLost(String name) throws Exception {
    create("a");
    Follower follower = name.equals("informer") ? informer() : runner();
    try (AutoCloseable _ = follower.loop()) {
      await().atMost(LIMIT).until(() -> follower.seen().get().equals(Set.of("a")));
      failNext.set(true);
      create("b");
      await().atMost(LIMIT).until(() -> follower.seen().get().equals(Set.of("a", "b")));
      assertThat(failNext).as("it failed").isFalse();
      assertThat(LoopFaults.failOnce("reflector")).isPositive();
      create("c");
      await().atMost(LIMIT).until(() -> follower.seen().get().equals(Set.of("a", "b", "c")));
    }
  }

  @Test
  void theEventAfterAFailureIsWritten() {
    // Only the recorder writes; the test itself lists.
    api.intercept(
        request -> {
          if (request.method().equals("POST")) {
            failOnce();
          }
        });
    failNext.set(true);
    ObjectRef about = new ObjectRef(MAPS, new ObjectKey("default", "a"), "uid");
    try (EventRecorder recorder =
        new EventRecorder(client, "test", InstantSource.system(), Ticker.system())) {
      recorder.record(ObjectEvent.normal(about, "First", "is lost"));
      recorder.record(ObjectEvent.normal(about, "Second", "is written"));
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  client.list(ResourceType.EVENTS, "default", ListOptions.ALL).items().stream()
                      .anyMatch(event -> "Second".equals(Json.text(event, "reason"))));
    }
  }

  @Test
  void anElectorThatFailedLeadsAtItsNextAttempt() {
    AtomicBoolean leads = new AtomicBoolean();
    LeaderElector.Work work =
        new LeaderElector.Work() {
          @Override
          public void started() {
            leads.set(true);
          }

          @Override
          public void stopped() {
            leads.set(false);
          }
        };
    api.intercept(_ -> failOnce());
    failNext.set(true);
    try (LeaderElector elector =
        new LeaderElector(
            client,
            LEASE,
            "me",
            LeaderElector.Timing.DEFAULT,
            work,
            TimingSources.system(),
            InstantSource.system())) {
      elector.start();
      await().atMost(LIMIT).untilTrue(leads);
      assertThat(failNext).as("it failed").isFalse();
    }
    assertThat(leads).isFalse();
  }
}
