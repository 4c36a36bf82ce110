package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fairlead.app.EmbeddedCluster;
import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Java code of the README is code that runs.
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

  @Test
  void theReadmeShowsThisFile() throws IOException {
    List<String> source =
        Files.readAllLines(
                Repository.root()
                    .resolve("e2e/src/test/java/io/fairlead/e2e/documents/EmbeddingTest.java"))
            .stream()
            .map(String::strip)
            .toList();
    List<FencedBlock> shown =
        MarkdownDocument.read(Repository.root(), "README.md").blocks().stream()
            .filter(block -> block.info().equals("java"))
            .toList();
    assertThat(shown).isNotEmpty();
    for (FencedBlock block : shown) {
      assertThat(source).containsSequence(block.text().stream().map(String::strip).toList());
    }
  }
}
