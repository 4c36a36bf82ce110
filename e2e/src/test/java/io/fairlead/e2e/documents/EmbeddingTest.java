package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fairlead.app.EmbeddedCluster;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster in the JVM of a test, without the extension for JUnit.
@Tag("system")
class EmbeddingTest {
  @Test
  void aServiceGetsAnAddressAndASlice(@TempDir Path directory) {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory)) {
      Config config = Config.fromKubeconfig(cluster.kubeconfig().toFile());
      try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
        Service web =
            new ServiceBuilder()
                .withNewMetadata()
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", "web")
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
        Service made = client.services().inNamespace("default").resource(web).create();
        assertThat(made.getSpec().getClusterIP()).isNotEmpty();
        await().atMost(Duration.ofMinutes(1)).until(() -> slices(client) == 1);
      }
    }
  }

  private static int slices(KubernetesClient client) {
    return client
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("default")
        .withLabel("kubernetes.io/service-name", "web")
        .list()
        .getItems()
        .size();
  }
}
