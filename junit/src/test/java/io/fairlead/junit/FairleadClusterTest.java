package io.fairlead.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a test sees that is annotated.
@Tag("system")
@FairleadCluster(manifests = "all.yaml", testManifests = "each.yaml")
class FairleadClusterTest {
  private static final Set<String> NAMESPACES = new HashSet<>();
  private static TestCluster shared;

  private String namespaceBefore = "";

  @BeforeAll
  static void once(TestCluster cluster) {
    shared = cluster;
    assertThat(cluster.namespace()).isEqualTo("default");
    cluster.await("configmap/of-all", "exists");
  }

  @BeforeEach
  void before(TestCluster cluster) {
    namespaceBefore = cluster.namespace();
    assertThat(NAMESPACES.add(cluster.namespace())).as("a namespace of its own").isTrue();
  }

  @Test
  void theClientWorksInTheNamespaceOfTheTest(TestCluster cluster, KubernetesClient client) {
    assertThat(cluster.namespace()).isEqualTo(namespaceBefore).startsWith("test-the-client-works");
    assertThat(client.getNamespace()).isEqualTo(cluster.namespace());
    ConfigMap ofEach = client.configMaps().withName("of-each").get();
    assertThat(ofEach.getMetadata().getNamespace()).isEqualTo(cluster.namespace());
    assertThat(client.configMaps().inNamespace("default").withName("of-all").get().getData())
        .containsEntry("for", "all");
  }

  @Test
  void controllersWork(TestCluster cluster, KubernetesClient client) {
    assertThat(
            cluster.apply(
                """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: web, image: web}]}
                ---
                apiVersion: v1
                kind: Service
                metadata: {name: web}
                spec: {selector: {app: web}, ports: [{port: 80}]}
                """))
        .containsExactly("Deployment/web", "Service/web");
    cluster.await("deployment/web", "Available=False");
    cluster.await("endpoints/web", "exists");
    assertThat(client.pods().withLabel("app", "web").list().getItems()).hasSize(1);
    assertThat(cluster.report())
        .contains("namespace " + cluster.namespace(), "Service/web", "ScalingReplicaSet");
  }

  @Test
  void whatDoesNotComeIsShownWithWhatThereIs(TestCluster cluster) {
    assertThatThrownBy(() -> cluster.await("configmap/of-each", "gone", Duration.ofMillis(50)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("configmap/of-each: not gone within PT0.05S")
        .hasMessageContaining("ConfigMap/of-each");
    assertThatThrownBy(() -> cluster.await("of-each", "exists"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("KIND/NAME");
    assertThatThrownBy(() -> cluster.await("widget/a", "exists"))
        .hasMessageContaining("the cluster serves no widget");
    assertThatThrownBy(
            () -> cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: A}}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ConfigMap/A: ")
        .hasMessageContaining("metadata.name: Invalid value: \"A\"");
    assertThatThrownBy(() -> cluster.applyResource("none.yaml"))
        .hasMessageContaining("no resource `none.yaml` beside " + getClass().getName());
    assertThat(Files.exists(cluster.kubeconfig())).isTrue();
  }

  @Nested
  class InAClassWithin {
    @Test
    void theClusterIsTheSame(TestCluster cluster) {
      assertThat(cluster.url()).isEqualTo(shared.url());
      assertThat(cluster.namespace()).startsWith("test-the-cluster-is-the-same");
    }
  }
}
