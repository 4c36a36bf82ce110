package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.Release;
import io.fairlead.junit.FairleadCluster;
import io.fairlead.junit.TestCluster;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// A Helm chart that brings its definitions, and its objects read by the official client.
@FairleadCluster
class ChartTest {
  private static final Path CHART = Path.of("src/test/resources/chart");

  @Test
  void aChartBringsItsDefinitions(TestCluster cluster, ApiClient client) throws Exception {
    Release release =
        new Helm(CHART)
            .install()
            .withName("hello")
            .withNamespace(cluster.namespace())
            .withKubeConfig(cluster.kubeconfig())
            .set("name", "charts")
            .waitReady()
            .call();
    assertEquals("deployed", release.getStatus());

    DynamicKubernetesApi greetings =
        new DynamicKubernetesApi("example.com", "v1", "greetings", client);
    DynamicKubernetesObject made =
        greetings.get(cluster.namespace(), "hello").throwsApiException().getObject();
    assertEquals("charts", made.getRaw().getAsJsonObject("spec").get("name").getAsString());
    assertEquals(1, made.getRaw().getAsJsonObject("spec").get("times").getAsInt());

    Helm.uninstall("hello")
        .withNamespace(cluster.namespace())
        .withKubeConfig(cluster.kubeconfig())
        .call();
    cluster.await("greeting/hello", "gone");
    assertTrue(
        greetings.list(cluster.namespace()).throwsApiException().getObject().getItems().isEmpty());
  }
}
