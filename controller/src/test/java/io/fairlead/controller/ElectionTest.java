package io.fairlead.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.LeaderElector.Timing;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.FaultyTransport;
import io.fairlead.client.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Several processes, one of which works.
class ElectionTest {
  private static final Timing QUICK =
      new Timing(Duration.ofSeconds(1), Duration.ofMillis(700), Duration.ofMillis(50));
  private static final Duration LONG = Duration.ofSeconds(60);

  private final FakeApi api = new FakeApi(ControllersTestCluster.KINDS);
  private final Client user = new Client(api);
  private final List<Controllers> candidates = new ArrayList<>();

  @AfterEach
  void close() {
    candidates.forEach(Controllers::close);
    api.close();
  }

  private Controllers candidate(Transport line, String identity) {
    Controllers started =
        Controllers.start(
            new Client(line),
            Controllers.Options.single("PEM")
                .elected(
                    new Controllers.Election(
                        Controllers.Election.STANDARD_LEASE, identity, QUICK)));
    candidates.add(started);
    return started;
  }

  private void namespace(String name) {
    var namespace = Json.object();
    namespace.putObject("metadata").put("name", name);
    user.create(ResourceType.NAMESPACES, "", namespace);
  }

  private void served(String namespace) {
    await()
        .atMost(LONG)
        .until(
            () ->
                user.find(ResourceType.SERVICE_ACCOUNTS, new ObjectKey(namespace, "default"))
                    .isPresent());
  }

  @Test
  void oneWorksAndTheOtherTakesOverWhenItStops() {
    Controllers first = candidate(api, "first");
    await().atMost(LONG).until(first::working);
    Controllers second = candidate(api, "second");
    namespace("one");
    served("one");
    assertThat(second.leading()).isFalse();
    first.close();
    await().atMost(LONG).until(second::working);
    namespace("two");
    served("two");
  }

  @Test
  void aTermThatCannotBeginIsTriedAgain() {
    AtomicBoolean failed = new AtomicBoolean();
    api.intercept(
        request -> {
          if (request.path().equals("/apis") && !failed.getAndSet(true)) {
            throw new IllegalStateException("unexpected");
          }
        });
    Controllers first = candidate(api, "first");
    await().atMost(LONG).until(first::working);
    assertThat(failed).isTrue();
  }

  @Test
  void oneThatLosesTheServerStopsAndIsReplacedAndComesBack() {
    FaultyTransport line = new FaultyTransport(api);
    Controllers first = candidate(line, "first");
    await().atMost(LONG).until(first::working);
    Controllers second = candidate(api, "second");
    line.cut(true);
    await().atMost(LONG).until(() -> second.working() && !first.leading());
    namespace("after");
    served("after");
    line.cut(false);
    second.close();
    await().atMost(LONG).until(first::working);
  }
}
