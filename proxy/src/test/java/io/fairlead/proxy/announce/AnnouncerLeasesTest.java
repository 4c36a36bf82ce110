package io.fairlead.proxy.announce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Who counts as alive, with a clock of the test's own.
class AnnouncerLeasesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
  private final Client client = new Client(new FakeApi(List.of(ResourceType.LEASES)));
  private final AnnouncerLeases leases =
      new AnnouncerLeases(client, "a", TimingSources.system(), now::get, () -> {});
  private int renewals;

  @BeforeEach
  void start() {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", AnnouncerLease.NAMESPACE);
    client.create(ResourceType.NAMESPACES, "", namespace);
    List.of("a", "b").forEach(this::create);
    leases.start();
    await().atMost(LIMIT).until(() -> leases.fresh().equals(Set.of("a", "b")));
  }

  @AfterEach
  void close() {
    leases.close();
    client.close();
  }

  private void create(String node) {
    AnnouncerLease lease =
        new AnnouncerLease(
            node,
            Duration.ofMillis(1500),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeMap<>(),
            new TreeSet<>(),
            List.of());
    client.create(ResourceType.LEASES, AnnouncerLease.NAMESPACE, lease.toLease(Instant.EPOCH));
  }

  private void renew(String node) {
    client.patch(
        ResourceType.LEASES,
        AnnouncerLease.key(node),
        PatchType.MERGE,
        AnnouncerLease.renewal(Instant.EPOCH.plusSeconds(++renewals)));
  }

  private void pass(int millis) {
    now.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void aNodeThatIsNotHeardOfForItsLimitIsDead() {
    pass(1000);
    renew("a");
    await().atMost(LIMIT).until(() -> leases.fresh().contains("a"));
    pass(600);
    await().atMost(LIMIT).until(() -> leases.fresh().equals(Set.of("a")));
  }

  @Test
  void lf3ANodeThatWasCutOffGivesOthersTimeToBeHeard() {
    pass(600_000);
    assertThat(leases.fresh()).isEmpty();
    renew("a");
    await().atMost(LIMIT).until(() -> leases.fresh().equals(Set.of("a", "b")));
    pass(1400);
    assertThat(leases.fresh()).contains("b");
    pass(200);
    assertThat(leases.fresh()).isEmpty();
  }
}
