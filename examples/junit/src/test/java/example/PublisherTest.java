package example;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fairlead.junit.FairleadCluster;
import io.fairlead.junit.TestCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The operator against a real API: conflicts, watches, server-side apply and the garbage collector
/// are those of a cluster.
@FairleadCluster(testManifests = "/web.yaml")
class PublisherTest {
  private Publisher publisher;

  @BeforeEach
  void start(KubernetesClient client) {
    publisher = new Publisher(client);
  }

  @AfterEach
  void stop() {
    publisher.close();
  }

  @Test
  void anAnnotatedDeploymentGetsAServiceWithAnAddress(
      TestCluster cluster, KubernetesClient client) {
    cluster.await("service/web", "exists");
    Service service = client.services().withName("web").get();
    assertEquals(8080, service.getSpec().getPorts().getFirst().getTargetPort().getIntVal());
    cluster.await("endpoints/web", "exists");
  }

  @Test
  void withoutTheAnnotationTheServiceGoes(TestCluster cluster, KubernetesClient client) {
    cluster.await("service/web", "exists");
    client
        .apps()
        .deployments()
        .withName("web")
        .edit(
            deployment -> {
              deployment.getMetadata().getAnnotations().remove(Publisher.ANNOTATION);
              return deployment;
            });
    cluster.await("service/web", "gone");
  }

  @Test
  void theServiceGoesWithItsDeployment(TestCluster cluster, KubernetesClient client) {
    cluster.await("service/web", "exists");
    publisher.close();
    client.apps().deployments().withName("web").delete();
    cluster.await("service/web", "gone");
    await().until(() -> client.pods().list().getItems().isEmpty());
  }
}
