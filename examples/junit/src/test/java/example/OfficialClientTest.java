package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.junit.FairleadCluster;
import io.fairlead.junit.TestCluster;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The official client gets its parameters like the other one. All classes that say `SUITE` share a
/// cluster.
@FairleadCluster(scope = FairleadCluster.Scope.SUITE)
class OfficialClientTest {
  @Test
  void anApiOfTheOfficialLibraryIsAParameter(TestCluster cluster, CoreV1Api core)
      throws ApiException {
    V1ConfigMap made =
        core.createNamespacedConfigMap(
                cluster.namespace(),
                new V1ConfigMap()
                    .metadata(new V1ObjectMeta().name("made"))
                    .data(Map.of("by", "the official client")))
            .execute();
    assertEquals(cluster.namespace(), made.getMetadata().getNamespace());
    cluster.await("configmap/made", "exists");
  }
}
