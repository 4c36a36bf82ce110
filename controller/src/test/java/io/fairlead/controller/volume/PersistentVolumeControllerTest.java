package io.fairlead.controller.volume;

import static io.fairlead.client.ResourceType.PERSISTENT_VOLUMES;
import static io.fairlead.client.ResourceType.PERSISTENT_VOLUME_CLAIMS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.DeleteOptions;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PersistentVolumeControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new PersistentVolumeController(wiring, 0)))
          .sees(StorageVolume.KIND, PERSISTENT_VOLUMES)
          .sees(StorageClaim.KIND, PERSISTENT_VOLUME_CLAIMS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void volume(String name, String size, String more) {
    world.create(
        PERSISTENT_VOLUMES,
        "metadata: {name: "
            + name
            + ", labels: {name: "
            + name
            + "}}\nspec: {accessModes: [ReadWriteOnce, ReadOnlyMany], capacity: {storage: "
            + size
            + "}, hostPath: {path: /x}, "
            + more
            + "}");
    world.settle();
  }

  private void claim(String more) {
    world.create(
        PERSISTENT_VOLUME_CLAIMS,
        "metadata: {name: c}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage:"
            + " 1Gi}}, "
            + more
            + "}");
    world.settle();
  }

  private String claimState() {
    var claim = world.get(PERSISTENT_VOLUME_CLAIMS, "c");
    return claim.at("/status/phase").asString("") + " " + claim.at("/spec/volumeName").asString("");
  }

  private String phase(String volume) {
    return world.get(PERSISTENT_VOLUMES, volume).at("/status/phase").asString("");
  }

  @Test
  void aClaimGetsTheSmallestVolumeThatIsLargeEnough() {
    volume("small", "500Mi", "");
    volume("large", "5Gi", "");
    volume("right", "2Gi", "");
    assertThat(phase("right")).isEqualTo("Available");
    claim("");
    assertThat(claimState()).isEqualTo("Bound right");
    assertThat(phase("right")).isEqualTo("Bound");
    assertThat(phase("large")).isEqualTo("Available");
    assertThat(world.get(PERSISTENT_VOLUME_CLAIMS, "c").at("/status/capacity/storage").asString(""))
        .isEqualTo("2Gi");
  }

  record Row(String name, String volume, String claim, String state) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("another class", "storageClassName: a", "storageClassName: b", "Pending "),
        new Row("the same class", "storageClassName: a", "storageClassName: a", "Bound v"),
        new Row("another mode", "volumeMode: Block", "volumeMode: Filesystem", "Pending "),
        new Row("labels that fit", "", "selector: {matchLabels: {name: v}}", "Bound v"),
        new Row("labels that do not", "", "selector: {matchLabels: {name: w}}", "Pending "),
        new Row("by name", "", "volumeName: v", "Bound v"),
        new Row("a name that is not there", "", "volumeName: w", "Pending w"),
        new Row("kept for another", "claimRef: {namespace: default, name: d}", "", "Pending "),
        new Row("kept for it", "claimRef: {namespace: default, name: c}", "", "Bound v"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rows(Row row) {
    volume("v", "1Gi", row.volume());
    claim(row.claim());
    assertThat(claimState()).isEqualTo(row.state());
  }

  @Test
  void aVolumeThatComesLaterIsFound() {
    claim("");
    assertThat(claimState()).isEqualTo("Pending ");
    volume("v", "1Gi", "");
    assertThat(claimState()).isEqualTo("Bound v");
  }

  @Test
  void whatIsLeftOfAClaimIsKept() {
    volume("v", "1Gi", "persistentVolumeReclaimPolicy: Retain");
    claim("");
    world.delete(PERSISTENT_VOLUME_CLAIMS, "c", DeleteOptions.DEFAULT);
    world.settle();
    assertThat(phase("v")).isEqualTo("Released");
    claim("");
    assertThat(claimState()).as("not even for one of the same name").isEqualTo("Pending ");
  }

  @Test
  void aClaimWhoseVolumeIsGoneIsLost() {
    volume("v", "1Gi", "");
    claim("");
    world.delete(PERSISTENT_VOLUMES, "v", DeleteOptions.DEFAULT);
    world.settle();
    assertThat(claimState()).isEqualTo("Lost v");
  }
}
