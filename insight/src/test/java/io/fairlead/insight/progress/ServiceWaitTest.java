package io.fairlead.insight.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.explain.BaseCluster;
import io.fairlead.insight.gather.ServiceWait;
import io.fairlead.insight.testing.FakeSources;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Waiting, against a cluster of prepared answers and a clock that waiting itself moves.
class ServiceWaitTest {
  private static final ObjectKey SERVICE = new ObjectKey("default", "hostnames");
  private static final String REACHED =
      "{mode: nftables, written: {services: '48200', slices: {IPv4: '48213', IPv6: '48213'}}}";
  private static final String BEHIND =
      "{mode: nftables, written: {services: '48200', slices: {IPv4: '48209'}}}";

  private final FakeSources cluster = BaseCluster.make();
  private final AtomicLong nanos = new AtomicLong();
  private Consumer<Duration> meanwhile = _ -> {};

  @BeforeEach
  void versions() {
    metadata("Service", "hostnames").put("resourceVersion", "48200");
    metadata("EndpointSlice", "hostnames-8x4zk").put("resourceVersion", "48213");
    List.of("a", "b", "c").forEach(node -> cluster.document(node, "about", REACHED));
  }

  private ObjectNode metadata(String kind, String name) {
    return (ObjectNode) cluster.object(kind, name).path("metadata");
  }

  private WaitResult await(String condition, String... nodes) {
    ServiceWait.Settings settings =
        new ServiceWait.Settings(
            Duration.ofSeconds(30),
            List.of(nodes),
            "cluster.local",
            () -> Optional.of("10.0.0.10"));
    return new ServiceWait(
            cluster,
            InstantSource.fixed(BaseCluster.NOW),
            nanos::get,
            time -> {
              nanos.addAndGet(time.toNanos());
              meanwhile.accept(Duration.ofNanos(nanos.get()));
            },
            settings)
        .await(SERVICE, WaitCondition.parse(condition).orElseThrow());
  }

  @Test
  void v122AllThreeNodesHaveWrittenIt() {
    WaitResult result = await("programmed");
    assertThat(result.state()).isEqualTo(WaitResult.State.DONE);
    assertThat(result.doneNodes()).isEqualTo(3);
    assertThat(result.goal().orElseThrow().slices()).containsEntry("IPv4", "48213");
  }

  @Test
  void v122ANodeIsWaitedFor() {
    cluster.document("c", "about", BEHIND);
    meanwhile =
        passed -> {
          if (passed.toMillis() >= 200) {
            cluster.document("c", "about", REACHED);
          }
        };
    WaitResult result = await("programmed");
    assertThat(result.state()).isEqualTo(WaitResult.State.DONE);
    assertThat(result.millis()).isEqualTo(200);
    assertThat(result.nodes())
        .filteredOn(node -> node.node().equals("c"))
        .singleElement()
        .satisfies(node -> assertThat(node.millis()).contains(200L));
  }

  @Test
  void v122SlicesThatDoNotShowThePodsYetAreWaitedFor() {
    cluster.with(BaseCluster.pod("hostnames-4", "a", "10.244.1.9"));
    WaitResult result = await("programmed");
    assertThat(result.state()).isEqualTo(WaitResult.State.LATE);
    assertThat(result.detail()).isEqualTo("hostnames-4");
    assertThat(result.goal()).isEmpty();
  }

  @Test
  void v123AStoppedProxyIsNamedAndItsLeaseTold() {
    cluster.silence("c", "about");
    cluster.with(BaseCluster.report("c").replace("48213", "48209"));
    WaitResult result = await("programmed");
    assertThat(result.state()).isEqualTo(WaitResult.State.LATE);
    assertThat(result.nodes())
        .filteredOn(node -> !node.isDone())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.node()).isEqualTo("c");
              assertThat(node.source()).isEqualTo(Source.API);
              assertThat(node.slices()).containsEntry("IPv4", "48209");
              assertThat(node.lastHeard()).isPresent();
            });
  }

  @Test
  void v123AfterItsLeaseEndedTheNodeIsLeftOut() {
    cluster.document("c", "about", BEHIND);
    meanwhile = _ -> cluster.with(BaseCluster.report("c").replace("10:44:50", "10:40:00"));
    WaitResult result = await("programmed");
    assertThat(result.state()).isEqualTo(WaitResult.State.DONE);
    assertThat(result.doneNodes()).isEqualTo(2);
    assertThat(result.left()).containsExactly("c");
  }

  @Test
  void v124AForeignProxyIsNotWaitedForUnlessLeftOut() {
    cluster.silence("c", "about");
    cluster.without("Lease", new ObjectKey("kube-public", "fairlead-proxy-c"));
    WaitResult result = await("programmed");
    assertThat(result.state()).isEqualTo(WaitResult.State.FOREIGN);
    assertThat(result.detail()).isEqualTo("c");
    assertThat(await("programmed", "a", "b").state()).isEqualTo(WaitResult.State.DONE);
    assertThat(await("programmed", "c").state()).isEqualTo(WaitResult.State.FOREIGN);
  }

  @Test
  void versionsWithoutAnOrderCannotBeWaitedFor() {
    metadata("Service", "hostnames").put("resourceVersion", "opaque");
    assertThat(await("programmed").state()).isEqualTo(WaitResult.State.FOREIGN);
  }

  @Test
  void endpointsAreCounted() {
    assertThat(await("ready").state()).isEqualTo(WaitResult.State.DONE);
    assertThat(await("serving=3").state()).isEqualTo(WaitResult.State.DONE);
    WaitResult four = await("serving=4");
    assertThat(four.state()).isEqualTo(WaitResult.State.LATE);
    assertThat(four.detail()).isEqualTo("3/4");
  }

  @Test
  void theNameMustGiveWhatTheApiSays() {
    assertThat(await("name").state()).isEqualTo(WaitResult.State.DONE);
    cluster.names("hostnames.default.svc.cluster.local.", "NOERROR", List.of("10.0.0.9"));
    WaitResult other = await("name");
    assertThat(other.state()).isEqualTo(WaitResult.State.LATE);
    assertThat(other.detail()).isEqualTo("NOERROR 10.0.0.9");
  }

  @Test
  void aServiceThatIsNotThereIsNotWaitedFor() {
    cluster.without("Service", SERVICE);
    assertThat(await("ready").state()).isEqualTo(WaitResult.State.ABSENT);
  }

  @Test
  void conditionsAreReadAsUsersWriteThem() {
    assertThat(WaitCondition.parse("serving=3")).hasToString("Optional[serving=3]");
    assertThat(WaitCondition.parse("programmed")).hasToString("Optional[programmed]");
    assertThat(WaitCondition.parse("serving=x")).isEmpty();
    assertThat(WaitCondition.parse("ready=2")).isEmpty();
    assertThat(WaitCondition.parse("done")).isEmpty();
  }

  @Test
  void theDocumentHasItsFields() {
    JsonNode document = WaitDocument.of(await("programmed"));
    assertThat(document.properties().stream().map(java.util.Map.Entry::getKey))
        .containsExactly(
            "apiVersion",
            "kind",
            "subject",
            "condition",
            "done",
            "millis",
            "wanted",
            "nodes",
            "left",
            "detail",
            "findings");
    assertThat(document.path("nodes").path(0).toString())
        .isEqualTo(
            "{\"node\":\"a\",\"done\":true,\"millis\":0,\"written\":{\"services\":\"48200\","
                + "\"slices\":{\"IPv4\":\"48213\",\"IPv6\":\"48213\"}},\"source\":\"kernel\","
                + "\"lastHeard\":\"2026-11-16T10:44:50Z\"}");
  }
}
