package io.fairlead.controller.servicecidr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.ControllersTestCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Vector IP-3 through an API: what is written when.
class ServiceCidrControllerTest {
  private static final ObjectKey KEY = new ObjectKey("", "extra");
  private static final ObjectKey ADDRESS = new ObjectKey("", "10.77.0.5");

  @Test
  void aRangeStaysUntilItsLastAddressIsFree() {
    try (ControllersTestCluster cluster = new ControllersTestCluster()) {
      ObjectNode range = Json.object();
      range.putObject("metadata").put("name", "extra");
      range.putObject("spec").putArray("cidrs").add("10.77.0.0/24");
      cluster.client.create(ResourceType.SERVICE_CIDRS, "", range);
      await().atMost(Duration.ofSeconds(60)).until(() -> ready(cluster).equals("True"));
      assertThat(cluster.meta(ResourceType.SERVICE_CIDRS, "", "extra").finalizers())
          .containsExactly(ServiceCidr.FINALIZER);

      ObjectNode address = Json.object();
      address
          .putObject("metadata")
          .put("name", ADDRESS.name())
          .putObject("labels")
          .put("ipaddress.kubernetes.io/managed-by", "ipallocator.k8s.io");
      cluster.client.create(ResourceType.IP_ADDRESSES, "", address);
      cluster.client.delete(ResourceType.SERVICE_CIDRS, KEY, DeleteOptions.DEFAULT);
      await().atMost(Duration.ofSeconds(60)).until(() -> ready(cluster).equals("False"));
      assertThat(cluster.exists(ResourceType.SERVICE_CIDRS, "", "extra")).isTrue();

      cluster.client.delete(ResourceType.IP_ADDRESSES, ADDRESS, DeleteOptions.DEFAULT);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !cluster.exists(ResourceType.SERVICE_CIDRS, "", "extra"));
    }
  }

  private static String ready(ControllersTestCluster cluster) {
    return ServiceCidr.of(cluster.client.get(ResourceType.SERVICE_CIDRS, KEY)).ready();
  }
}
