package io.fairlead.proxy.ipvs;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Plans of one Service or a few, in IPv4.
final class IpvsTestPlans {
  static final NodeFacts NODE =
      NodeFacts.of("node-a", IpAddress.parse("192.0.2.10"))
          .withDetector(new LocalDetector.Source(Cidr.parse("10.64.0.0/14")));

  private final List<ObjectNode> objects = new ArrayList<>();

  Plan plan() {
    return ProxyTestObjects.plan(NODE, objects);
  }

  /// One more Service.
  ///
  /// @param scheduler empty for none of its own
  IpvsTestPlans with(
      String name,
      String clusterIp,
      int port,
      Protocol protocol,
      String scheduler,
      String... endpoints) {
    ObjectNode service = object("v1", "Service", name);
    if (!scheduler.isEmpty()) {
      ((ObjectNode) service.path("metadata"))
          .putObject("annotations")
          .put("fairlead.dev/ipvs-scheduler", scheduler);
    }
    ObjectNode spec = service.putObject("spec");
    spec.put("type", "ClusterIP").put("clusterIP", clusterIp);
    spec.putArray("clusterIPs").add(clusterIp);
    spec.putArray("ipFamilies").add("IPv4");
    spec.putArray("ports")
        .addObject()
        .put("name", "p")
        .put("port", port)
        .put("protocol", protocol.name());
    objects.add(service);
    ObjectNode slice = object("discovery.k8s.io/v1", "EndpointSlice", name + "-1");
    ((ObjectNode) slice.path("metadata"))
        .putObject("labels")
        .put("kubernetes.io/service-name", name);
    slice.put("addressType", "IPv4");
    ArrayNode list = slice.putArray("endpoints");
    int target = port;
    for (String endpoint : endpoints) {
      String[] parts = endpoint.split(":");
      target = parts.length > 1 ? Integer.parseInt(parts[1]) : target;
      ObjectNode each = list.addObject();
      each.putArray("addresses").add(parts[0]);
      each.put("nodeName", parts[0].startsWith("10.64.1.") ? "node-a" : "node-b");
      each.putObject("conditions").put("ready", true);
    }
    slice
        .putArray("ports")
        .addObject()
        .put("name", "p")
        .put("port", target)
        .put("protocol", protocol.name());
    objects.add(slice);
    return this;
  }

  IpvsTestPlans with(String name, String clusterIp, int port, String... endpoints) {
    return with(name, clusterIp, port, Protocol.TCP, "", endpoints);
  }

  private static ObjectNode object(String version, String kind, String name) {
    ObjectNode object = Json.object().put("apiVersion", version).put("kind", kind);
    object.putObject("metadata").put("namespace", "shop").put("name", name);
    return object;
  }
}
