package io.fairlead.controller.volume;

import static io.fairlead.client.ResourceType.PERSISTENT_VOLUMES;
import static io.fairlead.client.ResourceType.PERSISTENT_VOLUME_CLAIMS;
import static io.fairlead.client.ResourceType.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is in use stays though it was deleted.
class StorageProtectionTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(
              List.of(
                  wiring -> new ClaimProtectionController(wiring, 0),
                  wiring -> new VolumeProtectionController(wiring, 0)))
          .sees(StorageVolume.KIND, PERSISTENT_VOLUMES)
          .sees(StorageClaim.KIND, PERSISTENT_VOLUME_CLAIMS)
          .sees(WorkloadPod.KIND, PODS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void claim() {
    world.create(
        PERSISTENT_VOLUME_CLAIMS,
        "metadata: {name: c}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage:"
            + " 1Gi}}}");
    world.settle();
  }

  private void pod(String spec) {
    world.create(
        PODS, "metadata: {name: p}\nspec: {containers: [{name: c, image: i}], " + spec + "}");
    world.settle();
  }

  private void delete(ResourceType type, String name) {
    world.delete(type, name, DeleteOptions.DEFAULT);
    world.settle();
  }

  private boolean exists(ResourceType type) {
    return !world.list(type).isEmpty();
  }

  @Test
  void whatWasMadeWithoutAFinalizerGetsOne() {
    claim();
    world.create(
        PERSISTENT_VOLUMES,
        "metadata: {name: v}\nspec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi},"
            + " hostPath: {path: /x}}");
    world.settle();
    assertThat(world.get(PERSISTENT_VOLUME_CLAIMS, "c").at("/metadata/finalizers/0").asString(""))
        .isEqualTo("kubernetes.io/pvc-protection");
    assertThat(world.get(PERSISTENT_VOLUMES, "v").at("/metadata/finalizers/0").asString(""))
        .isEqualTo("kubernetes.io/pv-protection");
  }

  /// @param uses whether the claim stays until the pod is gone
  record Row(String name, String pod, boolean uses) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row(
            "a pod on a node",
            "nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]",
            true),
        new Row(
            "a pod without a node",
            "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]",
            false),
        new Row(
            "a pod with another claim",
            "nodeName: n1, volumes: [{name: v, persistentVolumeClaim: {claimName: d}}]",
            false),
        new Row("a pod without volumes", "nodeName: n1", false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rows(Row row) {
    claim();
    pod(row.pod());
    delete(PERSISTENT_VOLUME_CLAIMS, "c");
    assertThat(exists(PERSISTENT_VOLUME_CLAIMS)).isEqualTo(row.uses());
    if (row.uses()) {
      world.delete(PODS, "p", DeleteOptions.DEFAULT.within(0));
      world.settle();
      assertThat(exists(PERSISTENT_VOLUME_CLAIMS)).isFalse();
    }
  }

  @Test
  void aBoundVolumeStaysUntilItIsFree() {
    world.create(
        PERSISTENT_VOLUMES,
        "metadata: {name: v}\nspec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi},"
            + " hostPath: {path: /x}}");
    world.patchStatus(PERSISTENT_VOLUMES, "v", Json.object().put("phase", "Bound"));
    world.settle();
    delete(PERSISTENT_VOLUMES, "v");
    assertThat(exists(PERSISTENT_VOLUMES)).isTrue();
    world.patchStatus(PERSISTENT_VOLUMES, "v", Json.object().put("phase", "Released"));
    world.settle();
    assertThat(exists(PERSISTENT_VOLUMES)).isFalse();
  }

  @Test
  void aFreeVolumeGoesAtOnce() {
    world.create(
        PERSISTENT_VOLUMES,
        "metadata: {name: v}\nspec: {accessModes: [ReadWriteOnce], capacity: {storage: 1Gi},"
            + " hostPath: {path: /x}}");
    world.settle();
    delete(PERSISTENT_VOLUMES, "v");
    assertThat(exists(PERSISTENT_VOLUMES)).isFalse();
  }
}
