package io.fairlead.client.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventCorrelator.Outcome;
import io.fairlead.client.testing.FakeApi;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class EventRecorderTest {
  private static final ObjectRef POD =
      new ObjectRef(ResourceType.PODS, new ObjectKey("default", "p"), "uid-1");

  private final AtomicLong nanos = new AtomicLong();
  private final EventCorrelator correlator = new EventCorrelator(nanos::get);

  private Outcome observe(String message) {
    Outcome outcome = correlator.observe(ObjectEvent.warning(POD, "Failed", message));
    if (outcome instanceof Outcome.Create(ObjectEvent event)) {
      correlator.created(event, nanos.get());
    }
    return outcome;
  }

  @Test
  void equalEventsAreCounted() {
    assertThat(observe("a")).isInstanceOf(Outcome.Create.class);
    assertThat(observe("a"))
        .isInstanceOfSatisfying(Outcome.Count.class, c -> assertThat(c.count()).isEqualTo(2));
    assertThat(observe("a"))
        .isInstanceOfSatisfying(Outcome.Count.class, c -> assertThat(c.count()).isEqualTo(3));
  }

  @Test
  void moreThanTenThatDifferOnlyInTheMessageBecomeOne() {
    for (int i = 0; i < 10; i++) {
      assertThat(observe("m" + i)).isInstanceOf(Outcome.Create.class);
    }
    assertThat(observe("m10"))
        .isInstanceOfSatisfying(
            Outcome.Create.class,
            c -> assertThat(c.event().message()).startsWith(EventCorrelator.COMBINED));
    assertThat(observe("m11"))
        .isInstanceOfSatisfying(Outcome.Count.class, c -> assertThat(c.count()).isEqualTo(2));
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    assertThat(observe("m12"))
        .isInstanceOfSatisfying(
            Outcome.Create.class, c -> assertThat(c.event().message()).isEqualTo("m12"));
  }

  @Test
  void anObjectThatNeverStopsIsCutOffAndLetInAgain() {
    for (int i = 0; i < 25; i++) {
      assertThat(observe("a")).isNotInstanceOf(Outcome.Drop.class);
    }
    assertThat(observe("a")).isInstanceOf(Outcome.Drop.class);
    nanos.addAndGet(Duration.ofMinutes(5).toNanos());
    assertThat(observe("a")).isInstanceOf(Outcome.Count.class);
    assertThat(observe("a")).isInstanceOf(Outcome.Drop.class);
  }

  @Test
  void whatIsNotRepeatedForTenMinutesIsNewAgain() {
    assertThat(observe("a")).isInstanceOf(Outcome.Create.class);
    nanos.addAndGet(Duration.ofMinutes(9).toNanos());
    assertThat(observe("a"))
        .isInstanceOfSatisfying(Outcome.Count.class, c -> assertThat(c.count()).isEqualTo(2));
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    assertThat(observe("a")).isInstanceOf(Outcome.Create.class);
  }

  @Test
  void objectsThatComeAndGoAreForgotten() {
    for (int i = 0; i < 100; i++) {
      ObjectEvent event = event("uid-" + i);
      assertThat(correlator.observe(event)).isInstanceOf(Outcome.Create.class);
      correlator.created(event, i);
    }
    assertThat(correlator.size()).isEqualTo(300);
    nanos.addAndGet(Duration.ofMinutes(11).toNanos());
    correlator.observe(event("new"));
    assertThat(correlator.size()).as("the kind of the new one, and its bucket").isEqualTo(2);
  }

  @Test
  void noMoreThan4096OfEachAreRemembered() {
    for (int i = 0; i < 5000; i++) {
      ObjectEvent event = event("uid-" + i);
      correlator.observe(event);
      correlator.created(event, i);
    }
    assertThat(correlator.size()).isEqualTo(3 * 4096);
    assertThat(correlator.observe(event("uid-4999"))).isInstanceOf(Outcome.Count.class);
    assertThat(correlator.observe(event("uid-0"))).isInstanceOf(Outcome.Create.class);
  }

  private static ObjectEvent event(String uid) {
    ObjectRef pod = new ObjectRef(ResourceType.PODS, new ObjectKey("default", "p"), uid);
    return ObjectEvent.normal(pod, "Started", "it runs");
  }

  @Test
  void eventsReachTheServerWithTheirCount() {
    FakeApi api = new FakeApi(List.of(ResourceType.EVENTS));
    Client client = new Client(api);
    InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    try (EventRecorder recorder =
        new EventRecorder(client, "test", clock, nanos::incrementAndGet)) {
      recorder.record(ObjectEvent.normal(POD, "Started", "it runs"));
      recorder.record(ObjectEvent.normal(POD, "Started", "it runs"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                List<ObjectNode> events =
                    client.list(ResourceType.EVENTS, "default", ListOptions.ALL).items();
                assertThat(events).hasSize(1);
                ObjectNode event = events.getFirst();
                assertThat(event.path("count").asInt()).isEqualTo(2);
                assertThat(Json.text(event, "involvedObject", "uid")).isEqualTo("uid-1");
                assertThat(Json.text(event, "type")).isEqualTo("Normal");
                assertThat(Json.text(event, "source", "component")).isEqualTo("test");
              });
    }
  }
}
