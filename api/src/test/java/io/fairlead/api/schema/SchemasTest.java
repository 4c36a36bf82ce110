package io.fairlead.api.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.schema.MergeStrategy.ApplyAs;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SchemasTest {
  private final Schemas schemas = Schemas.kubernetes();

  @Test
  void serviceHasItsFieldsWithNumbersAndTexts() {
    Field ports = field("io.k8s.api.core.v1.ServiceSpec", "ports");
    assertThat(ports.number()).isEqualTo(1);
    assertThat(ports.description()).startsWith("The list of ports");
    assertThat(ports.type())
        .isEqualTo(new Type.ListOf(schemas.struct("io.k8s.api.core.v1.ServicePort")));
    assertThat(field("io.k8s.api.core.v1.ServicePort", "port").required()).isTrue();
    assertThat(scalar("io.k8s.api.core.v1.ServicePort", "targetPort"))
        .isEqualTo(ScalarKind.INT_OR_STRING);
  }

  @Test
  void servicePortsMergeByPortInPatchesAndByPortAndProtocolInApply() {
    assertThat(field("io.k8s.api.core.v1.ServiceSpec", "ports").merge())
        .isEqualTo(
            new MergeStrategy(true, "port", false, ApplyAs.MAP, List.of("port", "protocol")));
  }

  @Test
  void volumeSourcesAreFlattenedInJsonAndNestedInProtobuf() {
    StructType volume = schemas.struct("io.k8s.api.core.v1.Volume");
    assertThat(field(volume.name(), "emptyDir").number()).isZero();
    assertThat(volume.field("volumeSource")).isNull();
    assertThat(volume.inlined()).singleElement().extracting(Field::number).isEqualTo(2);
  }

  @Test
  void factsOfFlattenedMessagesHoldForTheirParents() {
    assertThat(field("io.k8s.api.core.v1.EphemeralContainer", "ports").merge().patchMergeKey())
        .isEqualTo("containerPort");
    assertThat(field("io.k8s.api.core.v1.EphemeralContainer", "restartPolicy").pointer()).isTrue();
  }

  @Test
  void structsOwnedWholeMakeTheirFieldsAtomic() {
    assertThat(schemas.struct("io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference").atomic())
        .isTrue();
    assertThat(field("io.k8s.api.apps.v1.DeploymentSpec", "selector").merge().applyAs())
        .isEqualTo(ApplyAs.ATOMIC);
    assertThat(field("io.k8s.api.core.v1.PersistentVolumeSpec", "claimRef").merge().applyAs())
        .isEqualTo(ApplyAs.DEFAULT);
  }

  @Test
  void leavesOfEveryKindAreRecognised() {
    assertThat(scalar("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "creationTimestamp"))
        .isEqualTo(ScalarKind.TIME);
    assertThat(scalar("io.k8s.api.coordination.v1.LeaseSpec", "renewTime"))
        .isEqualTo(ScalarKind.MICRO_TIME);
    assertThat(field("io.k8s.api.core.v1.Secret", "data").type())
        .isEqualTo(new Type.MapOf(new Type.Scalar(ScalarKind.BYTES)));
    assertThat(field("io.k8s.api.core.v1.ResourceRequirements", "limits").type())
        .isEqualTo(new Type.MapOf(new Type.Scalar(ScalarKind.QUANTITY)));
    assertThat(field("io.k8s.api.authentication.v1.UserInfo", "extra").type())
        .isEqualTo(new Type.MapOf(new Type.ListOf(new Type.Scalar(ScalarKind.STRING))));
    assertThat(scalar("io.k8s.api.apps.v1.ControllerRevision", "data")).isEqualTo(ScalarKind.ANY);
  }

  @Test
  void everyFactIsAboutSomethingThatExists() {
    List<String> lines =
        SchemaResourceReader.lines(Schemas.class.getResourceAsStream("facts.txt"), "facts.txt");
    TreeSet<String> unknown = new TreeSet<>();
    for (String subject : new SchemaSupplement(lines).subjects()) {
      String[] parts = subject.split("#", -1);
      StructType struct = schemas.find(parts[0]);
      if (struct == null || (parts.length == 2 && struct.field(parts[1]) == null)) {
        unknown.add(subject);
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void listsThatMergeHaveKeysTheirItemsKnow() {
    for (StructType struct : schemas.all()) {
      for (Field field : struct.fields()) {
        for (String key : field.merge().applyKeys()) {
          StructType item = (StructType) ((Type.ListOf) field.type()).element();
          assertThat(item.field(key)).as("%s.%s by %s", struct, field.name(), key).isNotNull();
        }
      }
    }
  }

  @Test
  void unknownNamesAreRefusedByStructAndNullByFind() {
    assertThat(schemas.find("io.k8s.api.core.v1.Nothing")).isNull();
    assertThatThrownBy(() -> schemas.struct("io.k8s.api.core.v1.Nothing"))
        .hasMessageContaining("io.k8s.api.core.v1.Nothing");
  }

  private Field field(String struct, String name) {
    return Objects.requireNonNull(schemas.struct(struct).field(name));
  }

  private ScalarKind scalar(String struct, String name) {
    return ((Type.Scalar) field(struct, name).type()).kind();
  }
}
