package io.fairlead.controller.endpoints;

import static io.fairlead.controller.endpoints.EndpointsTestCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.FaultyTransport;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.Transport;
import io.fairlead.controller.golden.FakeClusterFixture;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Histories in which writes meet conflicts, answers get lost, watches end and history is
/// forgotten: when that is over, the Endpoints are what the pods say. A failure names its seed.
class EndpointsFaultTest {
  private static final int STEPS = 150;
  private static final int SERVICES = 4;

  /// Loses requests and answers by the dice while it is told to.
  private static final class Faults {
    private final RandomGenerator dice;
    private volatile boolean on = true;

    Faults(long seed) {
      this.dice = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    Transport between(FakeApi api) {
      return new FaultyTransport(api).onRequest(this::request).onAnswer(this::answer);
    }

    private void request(ApiRequest request) {
      int fate = roll();
      if (fate < 10) {
        throw new ConnectionException("lost on its way: " + request.path());
      }
      if (fate < 35 && request.method().equals("PUT")) {
        throw ApiException.modified("", "endpoints", "x");
      }
    }

    private void answer(ApiRequest request) {
      if (roll() < 10) {
        throw new ConnectionException("answer lost: " + request.path());
      }
    }

    private synchronized int roll() {
      return on ? dice.nextInt(100) : 100;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void endsInTheRightState(long seed) {
    RandomGenerator dice = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    FakeApi api = FakeClusterFixture.api();
    Faults faults = new Faults(seed);
    try (EndpointsTestCluster world =
        new EndpointsTestCluster(new FakeClusterFixture(api, faults.between(api)))) {
      Map<String, TreeSet<String>> ready = new TreeMap<>();
      Map<String, String> appOf = new TreeMap<>();
      for (int step = 0; step < STEPS; step++) {
        String app = "svc-" + dice.nextInt(SERVICES);
        switch (dice.nextInt(8)) {
          case 0 -> {
            if (ready.containsKey(app)) {
              world.delete(ResourceType.SERVICES, app);
              ready.remove(app);
            } else {
              world.service(app);
              ready.put(app, new TreeSet<>());
            }
          }
          case 1 -> api.endWatches();
          case 2 -> api.compact();
          case 3, 4 -> {
            if (!appOf.isEmpty()) {
              String gone = appOf.keySet().iterator().next();
              world.delete(ResourceType.PODS, gone);
              appOf.remove(gone);
            }
          }
          default -> {
            String name = "p-" + step;
            world.pod(name, app, "10.0." + step / 250 + "." + step % 250);
            appOf.put(name, app);
          }
        }
      }
      faults.on = false;
      appOf.forEach(
          (pod, app) -> {
            if (ready.containsKey(app)) {
              ready.getOrDefault(app, new TreeSet<>()).add(pod);
            }
          });
      // A key that failed too often waits for its next event.
      ready
          .keySet()
          .forEach(
              app -> world.patch(ResourceType.SERVICES, app, "{metadata: {labels: {end: x}}}"));
      eventually(
          () -> {
            for (int i = 0; i < SERVICES; i++) {
              String app = "svc-" + i;
              Set<String> wanted = ready.get(app);
              assertThat(world.hasEndpoints(app)).as(app).isEqualTo(wanted != null);
              if (wanted != null) {
                assertThat(listed(world, app)).as(app).isEqualTo(wanted);
              }
            }
          });
    }
  }

  private static Set<String> listed(EndpointsTestCluster world, String app) {
    Set<String> pods = new TreeSet<>();
    for (JsonNode subset : world.endpoints(app).path("subsets")) {
      for (JsonNode address : subset.path("addresses")) {
        pods.add(Json.textOr(address, "", "targetRef", "name"));
      }
    }
    return pods;
  }
}
