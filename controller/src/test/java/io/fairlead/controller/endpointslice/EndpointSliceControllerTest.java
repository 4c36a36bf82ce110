package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What causes a sync and what does not, and what happens when others touch the same slices: the
/// vectors that need the running controller.
class EndpointSliceControllerTest {
  private static final ObjectKey SERVICE = new ObjectKey("default", "svc");
  private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
  private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

  private final SliceCluster cluster = new SliceCluster(SliceCluster.AT_ONCE);

  @BeforeEach
  void nodes() {
    for (String zone : List.of("a", "b")) {
      ObjectNode node = Json.object();
      node.putObject("metadata")
          .put("name", "node-" + zone)
          .putObject("labels")
          .put("topology.kubernetes.io/zone", zone);
      cluster.client.create(ResourceType.NODES, "", node);
    }
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void service() {
    ObjectNode service = SliceModel.service();
    Json.child(service, "metadata").remove(List.of("uid", "creationTimestamp"));
    cluster.client.create(ResourceType.SERVICES, "default", service);
    cluster.settle();
  }

  private void pod(String name, String address) {
    ObjectNode pod = SliceModel.podTree(name, address);
    Json.child(pod, "metadata").remove("uid");
    cluster.client.create(ResourceType.PODS, "default", pod);
    cluster.settle();
  }

  private void patch(ResourceType type, String name, String json) {
    ObjectKey key = new ObjectKey(type.namespaced() ? "default" : "", name);
    cluster.client.patch(
        type,
        key,
        PatchType.MERGE,
        Json.parseObject(json.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  private Slice only() {
    List<ObjectNode> slices = cluster.slices();
    assertThat(slices).hasSize(1);
    return Slice.of(slices.getFirst());
  }

  private List<String> writesDuring(Runnable work) {
    int before = cluster.sliceWrites().size();
    work.run();
    cluster.settle();
    List<String> all = cluster.sliceWrites();
    return all.subList(before, all.size());
  }

  @Test
  void es1And2APlaceholderIsWrittenOnce() {
    assertThat(writesDuring(this::service)).containsExactly("C");
    assertThat(only().annotations()).containsEntry(TRIGGER, "2026-01-01T00:00:00Z");
    assertThat(
            writesDuring(
                () ->
                    patch(
                        ResourceType.SERVICES,
                        "svc",
                        "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}")))
        .isEmpty();
  }

  @Test
  void whatCameAndWentIsRecordedWithItsReason() {
    service();
    assertThat(cluster.changes()).as("a slice without endpoints").isEmpty();
    pod("p", "10.0.0.1");
    ObjectNode came = cluster.changes().getLast();
    assertThat(Json.textOr(came, "", "resourceVersion"))
        .isEqualTo(only().metadata().resourceVersion());
    assertThat(Json.textOr(came.path("pods").path(0), "", "pod")).isEqualTo("p");
    assertThat(Json.textOr(came.path("pods").path(0), "", "from")).isEqualTo("absent");
    assertThat(Json.textOr(came.path("pods").path(0), "", "to")).isEqualTo("ready");
    ObjectNode pod = cluster.client.get(ResourceType.PODS, new ObjectKey("default", "p"));
    SliceModel.ready(pod, false);
    cluster.client.update(ResourceType.PODS, "status", pod);
    cluster.settle();
    ObjectNode left = cluster.changes().getLast();
    assertThat(Json.textOr(left.path("pods").path(0), "", "to")).isEqualTo("notReady");
    assertThat(left.path("pods").path(0).path("reasons"))
        .anyMatch(reason -> Json.textOr(reason, "", "code").equals("NotReady"));
    assertThat(cluster.changes()).hasSize(2);
  }

  @Test
  void es3And4ThePlaceholderIsOverwrittenNotReplaced() {
    service();
    String uid = only().uid();
    assertThat(
            writesDuring(
                () ->
                    patch(
                        ResourceType.SERVICES, "svc", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")))
        .containsExactly("U");
    assertThat(writesDuring(() -> pod("p", "10.0.0.1"))).containsExactly("U");
    assertThat(only().uid()).isEqualTo(uid);
  }

  @Test
  void es25AZoneIsFollowedAtOnce() {
    service();
    pod("p", "10.0.0.1");
    assertThat(
            writesDuring(
                () ->
                    patch(
                        ResourceType.NODES,
                        "node-a",
                        "{\"metadata\":{\"labels\":{\"topology.kubernetes.io/zone\":\"z\"}}}")))
        .containsExactly("U");
    assertThat(only().endpoints().getFirst().zone()).isEqualTo("z");
  }

  @Test
  void es26APodWhoseNodeComesLaterIsPublishedThen() {
    service();
    ObjectNode pod = SliceModel.podTree("p", "10.0.0.1");
    Json.child(pod, "metadata").remove("uid");
    Json.child(pod, "spec").put("nodeName", "late");
    cluster.client.create(ResourceType.PODS, "default", pod);
    await()
        .atMost(SliceCluster.PATIENCE)
        .until(() -> cluster.eventReasons().contains("FailedToUpdateEndpointSlices"));
    assertThat(only().endpoints()).isEmpty();
    ObjectNode node = Json.object();
    node.putObject("metadata").put("name", "late");
    cluster.client.create(ResourceType.NODES, "", node);
    await().atMost(SliceCluster.PATIENCE).until(() -> only().endpoints().size() == 1);
  }

  @Test
  void es28And29ServicesWithoutASelectorAreNotOurs() {
    ObjectNode external = SliceModel.service();
    Json.child(external, "metadata").remove("uid");
    Json.child(external, "spec").put("type", "ExternalName");
    assertThat(
            writesDuring(() -> cluster.client.create(ResourceType.SERVICES, "default", external)))
        .isEmpty();
    ObjectNode bare = SliceModel.service();
    Json.child(bare, "metadata").put("name", "bare").remove("uid");
    Json.child(bare, "spec").putObject("selector");
    assertThat(writesDuring(() -> cluster.client.create(ResourceType.SERVICES, "default", bare)))
        .isEmpty();
  }

  @Test
  void es33AnAnnotationOfAPodMeansNothing() {
    service();
    pod("p", "10.0.0.1");
    assertThat(
            writesDuring(
                () ->
                    patch(
                        ResourceType.PODS, "p", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}")))
        .isEmpty();
  }

  @Test
  void es35And37TheTriggerTimeIsThatOfTheReadinessAndGoesWithAnEdit() {
    service();
    pod("p", "10.0.0.1");
    ObjectNode pod = cluster.client.get(ResourceType.PODS, new ObjectKey("default", "p"));
    SliceModel.ready(pod, false);
    ((ObjectNode) pod.path("status").path("conditions").path(0))
        .put("lastTransitionTime", "2026-01-01T05:00:00Z");
    assertThat(writesDuring(() -> cluster.client.update(ResourceType.PODS, "status", pod)))
        .containsExactly("U");
    assertThat(only().annotations()).containsEntry(TRIGGER, "2026-01-01T05:00:00Z");
    assertThat(
            writesDuring(
                () ->
                    patch(
                        ResourceType.SERVICES,
                        "svc",
                        "{\"spec\":{\"ports\":[{\"name\":\"http\",\"port\":80,\"targetPort\":1}]}}")))
        .containsExactly("U");
    assertThat(only().annotations()).doesNotContainKey(TRIGGER);
  }

  @Test
  void aServiceThatLostItsSelectorGivesItsSlicesUp() {
    service();
    pod("p", "10.0.0.1");
    patch(ResourceType.SERVICES, "svc", "{\"spec\":{\"selector\":null}}");
    await().atMost(SliceCluster.PATIENCE).until(() -> cluster.slices().isEmpty());
    patch(ResourceType.SERVICES, "svc", "{\"spec\":{\"selector\":{\"app\":\"web\"}}}");
    cluster.settle();
    assertThat(only().endpoints()).hasSize(1);
  }

  @Test
  void pk23ATerminatingNamespaceIsNoFailure() {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", "ends");
    cluster.client.create(ResourceType.NAMESPACES, "", namespace);
    cluster.stop();
    ObjectNode service = SliceModel.service();
    Json.child(service, "metadata").put("namespace", "ends").remove("uid");
    cluster.client.create(ResourceType.SERVICES, "ends", service);
    cluster.client.delete(
        ResourceType.NAMESPACES, new ObjectKey("", "ends"), DeleteOptions.DEFAULT);
    cluster.start(SliceCluster.AT_ONCE);
    service();
    await()
        .atMost(SliceCluster.PATIENCE)
        .until(
            () -> cluster.api.writes().stream().anyMatch(w -> w.contains("/ends/endpointslices")));
    cluster.settle();
    assertThat(cluster.eventReasons()).isEmpty();
  }

  @Test
  void pk26And27WhatSomebodyDeletesOrEditsIsPutRight() {
    service();
    pod("p", "10.0.0.1");
    Slice mine = only();
    cluster.client.delete(
        ResourceType.ENDPOINT_SLICES, mine.metadata().key(), DeleteOptions.DEFAULT);
    await()
        .atMost(SliceCluster.PATIENCE)
        .until(() -> cluster.slices().size() == 1 && only().endpoints().size() == 1);
    cluster.settle();
    patch(ResourceType.ENDPOINT_SLICES, only().metadata().name(), "{\"endpoints\":[]}");
    await().atMost(SliceCluster.PATIENCE).until(() -> only().endpoints().size() == 1);
  }

  @Test
  void pk28ASliceThatLostItsLabelIsLeftAloneAndReplaced() {
    service();
    pod("p", "10.0.0.1");
    Slice lost = only();
    patch(
        ResourceType.ENDPOINT_SLICES,
        lost.metadata().name(),
        "{\"metadata\":{\"labels\":{\"" + MANAGED_BY + "\":null}}}");
    cluster.settle();
    assertThat(cluster.slices()).hasSize(2);
    pod("q", "10.0.0.2");
    assertThat(cluster.slices())
        .map(Slice::of)
        .filteredOn(Slice::managedByUs)
        .singleElement()
        .satisfies(slice -> assertThat(slice.endpoints()).hasSize(2));
    ObjectNode left = cluster.client.get(ResourceType.ENDPOINT_SLICES, lost.metadata().key());
    assertThat(Slice.of(left).endpoints()).hasSize(1);
  }

  @Test
  void pk29ASliceHeldByAFinalizerIsReplacedAndDoesNotStallItsService() {
    service();
    pod("p", "10.0.0.1");
    Slice held = only();
    patch(
        ResourceType.ENDPOINT_SLICES,
        held.metadata().name(),
        "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
    cluster.client.delete(
        ResourceType.ENDPOINT_SLICES, held.metadata().key(), DeleteOptions.DEFAULT);
    await().atMost(SliceCluster.PATIENCE).until(() -> cluster.slices().size() == 2);
    cluster.settle();
    pod("q", "10.0.0.2");
    assertThat(cluster.slices())
        .map(Slice::of)
        .filteredOn(slice -> !slice.metadata().beingDeleted())
        .singleElement()
        .satisfies(slice -> assertThat(slice.endpoints()).hasSize(2));
  }

  @Test
  void pk30ARestartWritesNothing() {
    for (int i = 0; i < 30; i++) {
      ObjectNode service = SliceModel.service();
      Json.child(service, "metadata").put("name", "svc-" + i).remove("uid");
      cluster.client.create(ResourceType.SERVICES, "default", service);
    }
    service();
    pod("p", "10.0.0.1");
    cluster.stop();
    int before = cluster.sliceWrites().size();
    cluster.start(SliceCluster.AT_ONCE);
    cluster.settle();
    assertThat(cluster.sliceWrites()).hasSize(before);
  }

  @Test
  void gc1And2ADeletedServiceIsLeftToTheGarbageCollector() {
    service();
    pod("p", "10.0.0.1");
    int before = cluster.sliceWrites().size();
    cluster.client.delete(
        ResourceType.SERVICES, SERVICE, DeleteOptions.of(DeleteOptions.Propagation.FOREGROUND));
    await().atMost(SliceCluster.PATIENCE).until(() -> cluster.slices().isEmpty());
    await()
        .atMost(SliceCluster.PATIENCE)
        .until(() -> cluster.client.find(ResourceType.SERVICES, SERVICE).isEmpty());
    assertThat(cluster.sliceWrites().subList(before, cluster.sliceWrites().size()))
        .doesNotContain("C");
  }

  @Test
  void pk20ASuccessorOfTheSameNameGetsItsOwnSlices() {
    service();
    pod("p", "10.0.0.1");
    cluster.client.delete(ResourceType.SERVICES, SERVICE, DeleteOptions.DEFAULT);
    service();
    String uid = ObjectMeta.of(cluster.client.get(ResourceType.SERVICES, SERVICE)).uid();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> cluster.slices().size() == 1 && only().ownedBy(uid));
    assertThat(only().endpoints()).hasSize(1);
  }

  @Test
  void countsWhatItDoes() {
    service();
    pod("p-1", "10.0.0.1");
    pod("p-2", "10.0.0.2");
    assertThat(counted("endpoints_desired")).isEqualTo(2);
    assertThat(counted("num_endpoint_slices")).isEqualTo(1);
    assertThat(counted("desired_endpoint_slices")).isEqualTo(1);
    assertThat(counted("changes", "create")).isEqualTo(1);
    assertThat(counted("changes", "update")).isEqualTo(2);
    assertThat(counted("changes", "delete")).isZero();
    assertThat(counted("syncs", "success")).isGreaterThanOrEqualTo(3);
    cluster.client.delete(
        ResourceType.SERVICES, new ObjectKey("default", "svc"), DeleteOptions.DEFAULT);
    cluster.settle();
    assertThat(counted("endpoints_desired")).isZero();
  }

  /// The value of a metric that is one number, or of its row with that label value.
  private double counted(String name, String... label) {
    for (MetricSnapshot metric : cluster.metrics()) {
      if (metric.getMetadata().getName().equals("endpoint_slice_controller_" + name)) {
        for (DataPointSnapshot point : metric.getDataPoints()) {
          if (label.length == 0
              || point.getLabels().stream().anyMatch(found -> found.getValue().equals(label[0]))) {
            return ((GaugeDataPointSnapshot) point).getValue();
          }
        }
      }
    }
    return -1;
  }
}
