package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.fairlead.work.LoopFaults;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/// What a part hears that follows Services without writing rules.
class PlanChangeFeedTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static void create(Client client, String name) {
    client.create(
        ProxyInformers.SERVICES,
        "default",
        ProxyTestObjects.yaml(
                """
                metadata: {namespace: default, name: %s}
                spec: {clusterIP: 10.96.0.10, ports: [{name: h, port: 80, protocol: TCP}]}
                """
                    .formatted(name))
            .getFirst());
  }

  @Test
  void servicesComeAndGoAlsoAfterAFailureNothingExpects() throws InterruptedException {
    Set<String> names = ConcurrentHashMap.newKeySet();
    try (Client client =
            new Client(new FakeApi(List.of(ProxyInformers.SERVICES, ProxyInformers.SLICES)));
        PlanChangeFeed feed =
            new PlanChangeFeed(
                client,
                "a",
                InstantSource.system(),
                TimingSources.system(),
                change -> {
                  change.added().forEach(plan -> names.add(plan.name().service().name()));
                  change.removed().forEach(plan -> names.remove(plan.name().service().name()));
                })) {
      create(client, "first");
      feed.start();
      await().atMost(LIMIT).until(() -> names.equals(Set.of("first")));
      assertThat(LoopFaults.failOnce(PlanChangeFeed.LOOP)).isEqualTo(1);
      create(client, "second");
      await().atMost(LIMIT).until(() -> names.equals(Set.of("first", "second")));
      client.delete(
          ProxyInformers.SERVICES, new ObjectKey("default", "first"), DeleteOptions.DEFAULT);
      await().atMost(LIMIT).until(() -> names.equals(Set.of("second")));
    }
  }
}
