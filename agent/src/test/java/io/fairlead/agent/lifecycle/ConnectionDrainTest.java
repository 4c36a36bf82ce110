package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.agent.pod.Pod;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.testing.FakeApi;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// N31: who may still send connections to a pod on its way out. The clock moves only while the
/// drain waits.
class ConnectionDrainTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Pod POD =
      Pod.of(
          yaml(
              """
              metadata: {name: p, namespace: shop, uid: u1, labels: {app: cart, tier: web}}
              spec: {containers: []}
              """));

  private final FakeApi api =
      new FakeApi(
          List.of(ResourceType.SERVICES, ResourceType.ENDPOINT_SLICES, ResourceType.LEASES));
  private final Client client = new Client(api);
  private final Informer<ServiceView> services =
      new Informer<>(
          ListWatchFactory.objects(client, ResourceType.SERVICES, "", ""),
          ServiceView::of,
          TimingSources.system());
  private Instant now = START;
  private final List<Runnable> pauses = new ArrayList<>();
  private final ConnectionDrain drain =
      new ConnectionDrain(client, services, () -> now, this::pause);

  private void pause(Duration time) {
    now = now.plus(time);
    if (!pauses.isEmpty()) {
      pauses.removeFirst().run();
    }
  }

  private static ObjectNode yaml(String text) {
    return (ObjectNode) Yaml.parse(text);
  }

  @BeforeEach
  void begin() {
    client.create(ResourceType.NAMESPACES, "", yaml("metadata: {name: shop}"));
    client.create(ResourceType.NAMESPACES, "", yaml("metadata: {name: kube-public}"));
  }

  @AfterEach
  void end() {
    services.close();
  }

  private void service(String selector) throws InterruptedException {
    service("10.0.0.1", selector);
  }

  private void service(String address, String selector) throws InterruptedException {
    client.create(
        ResourceType.SERVICES,
        "shop",
        yaml(
            "metadata: {name: cart}\nspec: {clusterIP: %s, selector: %s}"
                .formatted(address, selector)));
    services.start();
    services.awaitSync();
  }

  /// Writes the slice with the pod in it.
  ///
  /// @return its version
  private String slice(String type, boolean terminating) {
    String name = "cart-" + type.toLowerCase(java.util.Locale.ROOT);
    ObjectNode slice =
        yaml(
            """
            metadata: {name: %s, namespace: shop, labels: {kubernetes.io/service-name: cart}}
            addressType: %s
            endpoints:
            - {addresses: [10.1.1.1], conditions: {ready: true}, targetRef: {uid: other}}
            - {addresses: [10.1.1.2], conditions: {ready: %s, serving: true, terminating: %s},
               targetRef: {uid: u1}}
            """
                .formatted(name, type, !terminating, terminating));
    Optional<ObjectNode> there =
        client.find(ResourceType.ENDPOINT_SLICES, new ObjectKey("shop", name));
    ObjectNode written =
        there.isPresent()
            ? client.update(ResourceType.ENDPOINT_SLICES, slice)
            : client.create(ResourceType.ENDPOINT_SLICES, "shop", slice);
    return written.path("metadata").path("resourceVersion").asString();
  }

  private void report(String node, Map<String, String> versions, Instant when) {
    ObjectNode lease = ProxyReport.now(node, versions, when).toLease();
    if (client.find(ResourceType.LEASES, ProxyReport.key(node)).isPresent()) {
      client.update(ResourceType.LEASES, lease);
    } else {
      client.create(ResourceType.LEASES, ProxyReport.NAMESPACE, lease);
    }
  }

  /// What is there when the drain begins, and who holds the pod in the end.
  interface Scene {
    void set(ConnectionDrainTest test) throws InterruptedException;
  }

  record Row(String name, Scene scene, String holders) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("no Service selects it", test -> test.service("{app: other}"), ""),
        new Row("a Service without selector does not", test -> test.service("{}"), ""),
        new Row(
            "in no slice yet",
            test -> test.service("{app: cart}"),
            "Service cart, whose slices do not show it"),
        new Row(
            "a Service without an address leads nobody to it",
            test -> test.service("None", "{app: cart}"),
            ""),
        new Row(
            "a slice does not say yet that it goes",
            test -> {
              test.service("{app: cart}");
              test.report("a", Map.of("IPv4", test.slice("IPv4", false)), START);
            },
            "EndpointSlice cart-ipv4"),
        new Row(
            "every proxy shows it",
            test -> {
              test.service("{app: cart, tier: web}");
              String version = test.slice("IPv4", true);
              test.report("a", Map.of("IPv4", version), START);
              test.report("b", Map.of("IPv4", version + "0"), START);
            },
            ""),
        new Row(
            "one proxy is behind",
            test -> {
              test.service("{app: cart}");
              String version = test.slice("IPv4", true);
              test.report("a", Map.of("IPv4", version), START);
              test.report("b", Map.of("IPv4", "1"), START);
            },
            "the proxy of node b"),
        new Row(
            "a proxy before its first rules is behind",
            test -> {
              test.service("{app: cart}");
              test.slice("IPv4", true);
              test.report("a", Map.of("IPv4", "0"), START);
            },
            "the proxy of node a"),
        new Row(
            "a dead proxy is not waited for",
            test -> {
              test.service("{app: cart}");
              test.report("a", Map.of("IPv4", test.slice("IPv4", true)), START);
              test.report("b", Map.of("IPv4", "1"), START.minusSeconds(60));
            },
            ""),
        new Row(
            "families count each for itself",
            test -> {
              test.service("{app: cart}");
              String first = test.slice("IPv4", true);
              test.slice("IPv6", true);
              test.report("a", Map.of("IPv4", first, "IPv6", first), START);
            },
            "the proxy of node a"),
        new Row(
            "a proxy without a family has no rules of it",
            test -> {
              test.service("{app: cart}");
              test.slice("IPv6", true);
              test.report("a", Map.of("IPv4", "1"), START);
            },
            ""),
        new Row(
            "where no proxy reports nobody knows",
            test -> {
              test.service("{app: cart}");
              test.slice("IPv4", true);
            },
            "proxies that do not report"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void holders(Row row) throws InterruptedException {
    row.scene().set(this);
    assertThat(drain.await(POD, LIMIT).orElse("")).isEqualTo(row.holders());
    if (!row.holders().isEmpty()) {
      assertThat(now).isEqualTo(START.plus(LIMIT));
    }
  }

  @Test
  void itFollowsSlicesAndReports() throws InterruptedException {
    service("{app: cart}");
    report("a", Map.of("IPv4", slice("IPv4", false)), START);
    String[] version = {""};
    pauses.add(() -> version[0] = slice("IPv4", true));
    pauses.add(() -> {});
    pauses.add(() -> report("a", Map.of("IPv4", version[0]), now));
    assertThat(drain.await(POD, LIMIT)).isEmpty();
    assertThat(now).as("three glances and the time of arrival").isEqualTo(START.plusMillis(650));
  }

  @Test
  void aPodThatWasReadyAMomentAgoIsAwaitedInItsSlice() throws InterruptedException {
    service("{app: cart}");
    pauses.add(() -> slice("IPv4", false));
    pauses.add(() -> report("a", Map.of("IPv4", slice("IPv4", true)), now));
    assertThat(drain.await(POD, LIMIT)).isEmpty();
    assertThat(now).as("two glances and the time of arrival").isEqualTo(START.plusMillis(600));
  }

  @Test
  void aSilentApiIsNoReasonToGoOn() throws InterruptedException {
    service("{app: cart}");
    slice("IPv4", true);
    services.close();
    Client nobody = new Client(new FakeApi(List.of(ResourceType.SERVICES)));
    ConnectionDrain blind = new ConnectionDrain(nobody, services, () -> now, this::pause);
    assertThat(blind.await(POD, LIMIT).orElse("")).startsWith("unknown: ");
  }
}
