package io.fairlead.app.dns;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The Service by which people and programs find the cluster's DNS. It has no endpoints: the
/// address itself is the server's. The label tells every proxy that another component carries its
/// traffic.
final class DnsService {
  static final ObjectKey NAME = new ObjectKey("kube-system", "kube-dns");

  private DnsService() {}

  /// Makes it, or replaces it when its address is another.
  static void ensure(Client client, IpAddress address) {
    Optional<ObjectNode> found = client.find(ResourceType.SERVICES, NAME);
    if (found.isPresent()) {
      if (Json.textOr(found.get(), "", "spec", "clusterIP").equals(address.toString())) {
        return;
      }
      client.delete(ResourceType.SERVICES, NAME, DeleteOptions.DEFAULT);
    }
    try {
      client.create(ResourceType.SERVICES, NAME.namespace(), service(address));
    } catch (ApiException e) {
      throw new IllegalStateException(
          "the address " + address + " of the cluster's DNS cannot be had: " + e.getMessage(), e);
    }
  }

  static ObjectNode service(IpAddress address) {
    ObjectNode service = Json.object().put("apiVersion", "v1").put("kind", "Service");
    ObjectNode metadata = service.putObject("metadata");
    metadata.put("name", NAME.name()).put("namespace", NAME.namespace());
    metadata
        .putObject("labels")
        .put("k8s-app", "kube-dns")
        .put("kubernetes.io/cluster-service", "true")
        .put("kubernetes.io/name", "CoreDNS")
        .put("service.kubernetes.io/service-proxy-name", "fairlead-dns");
    ObjectNode spec = service.putObject("spec");
    spec.put("clusterIP", address.toString());
    var ports = spec.putArray("ports");
    ports.addObject().put("name", "dns").put("port", 53).put("protocol", "UDP");
    ports.addObject().put("name", "dns-tcp").put("port", 53).put("protocol", "TCP");
    return service;
  }
}
