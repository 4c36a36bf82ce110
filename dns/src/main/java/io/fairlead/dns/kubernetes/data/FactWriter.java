package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.objects.V1EndpointSlice;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes facts as the objects they were cut from, with nothing but the fields [FactReader] reads.
final class FactWriter {
  static final String KIND = "kind";
  static final String NAMESPACE = "Namespace";
  static final String SERVICE = "Service";
  static final String SLICE = "EndpointSlice";
  static final String POD = "Pod";

  private FactWriter() {}

  static ObjectNode write(DnsFacts facts) {
    return switch (facts) {
      case NamespaceFacts namespace -> head(NAMESPACE, namespace.key());
      case DnsServiceFacts service -> service(service);
      case SliceFacts slice -> slice(slice);
      case PodFacts pod -> pod(pod);
    };
  }

  private static ObjectNode head(String kind, ObjectKey key) {
    ObjectNode object = Json.object().put(KIND, kind);
    ObjectNode metadata = object.putObject("metadata").put("name", key.name());
    if (!key.namespace().isEmpty()) {
      metadata.put("namespace", key.namespace());
    }
    return object;
  }

  private static ObjectNode service(DnsServiceFacts service) {
    ObjectNode object = head(SERVICE, service.key());
    ObjectNode spec = object.putObject("spec");
    switch (service.kind()) {
      case EXTERNAL_NAME ->
          spec.put("type", "ExternalName").put("externalName", service.externalName());
      case HEADLESS -> spec.putArray("clusterIPs").add("None");
      case CLUSTER_IP -> addresses(spec.putArray("clusterIPs"), service.addresses());
      case PENDING -> {}
    }
    ports(spec, service.ports());
    if (!service.externalAddresses().isEmpty()) {
      addresses(spec.putArray("externalIPs"), service.externalAddresses());
    }
    return object;
  }

  private static ObjectNode slice(SliceFacts slice) {
    ObjectNode object = head(SLICE, slice.key());
    ((ObjectNode) object.path("metadata"))
        .putObject("labels")
        .put(V1EndpointSlice.SERVICE_LABEL, slice.service().name());
    if (slice.ignored()) {
      object.put("addressType", "FQDN");
    }
    ArrayNode endpoints = object.putArray("endpoints");
    for (EndpointFacts each : slice.endpoints()) {
      ObjectNode endpoint = endpoints.addObject();
      endpoint.putArray("addresses").add(each.address().toString());
      if (each.name() != null) {
        endpoint.put("hostname", each.name());
      }
      if (!each.zone().isEmpty()) {
        endpoint.put("zone", each.zone());
      }
    }
    ports(object, slice.ports());
    return object;
  }

  private static ObjectNode pod(PodFacts pod) {
    ObjectNode object = head(POD, pod.key());
    ArrayNode addresses = object.putObject("status").putArray("podIPs");
    pod.addresses().forEach(each -> addresses.addObject().put("ip", each.toString()));
    return object;
  }

  private static void addresses(ArrayNode array, List<IpAddress> addresses) {
    addresses.forEach(each -> array.add(each.toString()));
  }

  private static void ports(ObjectNode object, List<PortFacts> ports) {
    ArrayNode array = object.putArray("ports");
    for (PortFacts port : ports) {
      if (port.port() != PortFacts.NONE) {
        array
            .addObject()
            .put("name", port.name())
            .put("protocol", port.protocol())
            .put("port", port.port());
      }
    }
  }
}
