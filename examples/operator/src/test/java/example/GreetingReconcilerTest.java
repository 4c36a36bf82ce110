package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fairlead.junit.FairleadCluster;
import io.fairlead.junit.TestCluster;
import io.javaoperatorsdk.operator.Operator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An operator made with the Java Operator SDK: a resource of its own, its status, a finalizer.
@FairleadCluster(manifests = "/chart/crds/greetings.yaml")
class GreetingReconcilerTest {
  private static final String HELLO =
      "{apiVersion: example.com/v1, kind: Greeting, metadata: {name: hello}, spec: {name: %s}}";

  private Operator operator;

  @BeforeEach
  void start(TestCluster cluster, KubernetesClient client) {
    operator =
        new Operator(o -> o.withKubernetesClient(client).withCloseClientOnStop(false));
    operator.register(
        new GreetingReconciler(), settings -> settings.settingNamespace(cluster.namespace()));
    operator.start();
  }

  @AfterEach
  void stop() {
    operator.stop();
  }

  @Test
  void aGreetingIsAnswered(TestCluster cluster, KubernetesClient client) {
    cluster.apply(HELLO.formatted("everyone"));
    cluster.await("greeting/hello", "Answered");
    Greeting answered = client.resources(Greeting.class).withName("hello").get();
    assertEquals("Hello everyone!", answered.getStatus().text());
    assertEquals(1, answered.getSpec().times());
    assertEquals(
        "Hello everyone!", client.configMaps().withName("hello").get().getData().get("text"));
  }

  @Test
  void aGreetingLeavesInOrder(TestCluster cluster, KubernetesClient client) {
    cluster.apply(HELLO.formatted("you"));
    cluster.await("greeting/hello", "Answered");
    assertTrue(
        client.resources(Greeting.class).withName("hello").get().getMetadata().getFinalizers()
            .contains("greetings.example.com/finalizer"));
    client.resources(Greeting.class).withName("hello").delete();
    cluster.await("greeting/hello", "gone");
    cluster.await("configmap/hello", "gone");
    assertEquals("you", client.configMaps().withName("farewells").get().getData().get("hello"));
  }

  @Test
  void aRuleOfTheDefinitionHolds(TestCluster cluster, KubernetesClient client) {
    Greeting greeting = new Greeting();
    greeting.getMetadata().setName("hello");
    greeting.setSpec(new Greeting.Spec("world", 2));
    KubernetesClientException refused =
        assertThrows(
            KubernetesClientException.class, () -> client.resource(greeting).create());
    assertEquals(422, refused.getCode());
    assertTrue(refused.getMessage().contains("the world is greeted once"), refused.getMessage());
  }
}
