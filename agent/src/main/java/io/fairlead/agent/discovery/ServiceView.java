package io.fairlead.agent.discovery;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What of a Service shows in a container's environment, and whom it leads to.
///
/// @param address the cluster IP; empty when there is none
/// @param selector labels of its pods; empty when it chooses none itself
public record ServiceView(
    ObjectMeta metadata, String address, List<Port> ports, Map<String, String> selector)
    implements HasMetadata {
  public ServiceView {
    ports = List.copyOf(ports);
    selector = Map.copyOf(selector);
  }

  /// Whether pods of that namespace with those labels are behind it.
  public boolean selects(String namespace, Map<String, String> labels) {
    return metadata.namespace().equals(namespace)
        && !selector.isEmpty()
        && labels.entrySet().containsAll(selector.entrySet());
  }

  /// @param protocol in lower case
  public record Port(String name, int number, String protocol) {}

  public static ServiceView of(ObjectNode service) {
    JsonNode spec = service.path("spec");
    String address = Json.textOr(spec, "", "clusterIP");
    List<Port> ports = new ArrayList<>();
    for (JsonNode port : spec.path("ports")) {
      ports.add(
          new Port(
              Json.textOr(port, "", "name"),
              port.path("port").asInt(0),
              Json.textOr(port, "TCP", "protocol").toLowerCase(Locale.ROOT)));
    }
    boolean external = Json.textOr(spec, "", "type").equals("ExternalName");
    Map<String, String> selector = new HashMap<>();
    spec.path("selector")
        .properties()
        .forEach(one -> selector.put(one.getKey(), one.getValue().asString("")));
    return new ServiceView(
        ObjectMeta.of(service), external || address.equals("None") ? "" : address, ports, selector);
  }
}
