package io.fairlead.dns.testing;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A cluster in memory, and short ways to write its objects.
public final class DnsTestCluster {
  public static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  public static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);

  private final FakeApi api =
      new FakeApi(List.of(SERVICES, SLICES, ResourceType.PODS, ResourceType.EVENTS));
  private final Client client = new Client(api);

  public FakeApi api() {
    return api;
  }

  /// A connection whose end does not end the cluster.
  public Client client() {
    return new Client(
        new Transport() {
          @Override
          public ApiResponse send(ApiRequest request) {
            return api.send(request);
          }

          @Override
          public LineStream stream(ApiRequest request) {
            return api.stream(request);
          }

          @Override
          public void close() {}
        });
  }

  public void namespace(String name) {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", name);
    client.create(ResourceType.NAMESPACES, "", namespace);
  }

  /// A Service.
  ///
  /// @param key `harbor/crane`
  /// @param addresses separated by blanks; `None` for headless
  /// @param ports `web/TCP/80 admin/TCP/9090`; a name may be empty
  public void service(String key, String addresses, String ports) {
    ObjectNode service = object(key);
    ObjectNode spec = service.putObject("spec");
    spec.put("type", "ClusterIP");
    ArrayNode list = spec.putArray("clusterIPs");
    for (String address : addresses.split(" ")) {
      list.add(address);
    }
    spec.put("clusterIP", addresses.split(" ")[0]);
    ports(spec, ports);
    client.create(SERVICES, namespaceOf(key), service);
  }

  public void externalName(String key, String target) {
    ObjectNode service = object(key);
    service.putObject("spec").put("type", "ExternalName").put("externalName", target);
    client.create(SERVICES, namespaceOf(key), service);
  }

  public void delete(ResourceType type, String key) {
    client.delete(type, new ObjectKey(namespaceOf(key), name(key)), DeleteOptions.DEFAULT);
  }

  /// A slice.
  ///
  /// @param key `harbor/crane-1`; the Service is named separately
  /// @param endpoints each `ADDRESS [host=NAME] [pod=NAME] [zone=NAME] [ready|unready]`
  public void slice(String key, String service, String type, String ports, String... endpoints) {
    ObjectNode slice = object(key);
    ((ObjectNode) slice.get("metadata"))
        .putObject("labels")
        .put("kubernetes.io/service-name", service);
    slice.put("addressType", type);
    ArrayNode list = slice.putArray("endpoints");
    for (String endpoint : endpoints) {
      endpoint(list.addObject(), endpoint);
    }
    ports(slice, ports);
    client.create(SLICES, namespaceOf(key), slice);
  }

  private static void endpoint(ObjectNode endpoint, String text) {
    String[] words = text.split(" ");
    endpoint.putArray("addresses").add(words[0]);
    for (int i = 1; i < words.length; i++) {
      String value = words[i].substring(words[i].indexOf('=') + 1);
      switch (words[i].split("=")[0]) {
        case "host" -> endpoint.put("hostname", value);
        case "zone" -> endpoint.put("zone", value);
        case "pod" -> endpoint.putObject("targetRef").put("kind", "Pod").put("name", value);
        case "ready" -> endpoint.putObject("conditions").put("ready", true);
        case "unready" -> endpoint.putObject("conditions").put("ready", false);
        default -> throw new IllegalArgumentException(words[i]);
      }
    }
  }

  /// Any object, as in a file. A pod annotated `golden/deleted` is one that is on its way out.
  public void create(ObjectNode object) {
    String namespace = Json.textOr(object, "", "metadata", "namespace");
    ResourceType type =
        switch (Json.textOr(object, "", "kind")) {
          case "Namespace" -> ResourceType.NAMESPACES;
          case "Service" -> SERVICES;
          case "EndpointSlice" -> SLICES;
          case "Pod" -> ResourceType.PODS;
          default -> throw new IllegalArgumentException(object.toString());
        };
    boolean leaving = Json.text(object, "metadata", "annotations", "golden/deleted") != null;
    if (leaving) {
      ((ObjectNode) object.get("metadata")).putArray("finalizers").add("test/hold");
    }
    client.create(type, namespace, object);
    if (leaving) {
      client.delete(type, ObjectKey.of(object), DeleteOptions.DEFAULT);
    }
  }

  public void pod(String key, String... addresses) {
    ObjectNode pod = object(key);
    ObjectNode status = pod.putObject("status").put("phase", "Running").put("podIP", addresses[0]);
    ArrayNode list = status.putArray("podIPs");
    for (String address : addresses) {
      list.addObject().put("ip", address);
    }
    client.create(ResourceType.PODS, namespaceOf(key), pod);
  }

  private static void ports(ObjectNode parent, String text) {
    if (text.isEmpty()) {
      return;
    }
    ArrayNode ports = parent.putArray("ports");
    for (String each : text.split(" ")) {
      String[] parts = each.split("/");
      ObjectNode port = ports.addObject();
      if (!parts[0].isEmpty()) {
        port.put("name", parts[0]);
      }
      port.put("protocol", parts[1]).put("port", Integer.parseInt(parts[2]));
    }
  }

  private static ObjectNode object(String key) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name(key)).put("namespace", namespaceOf(key));
    return object;
  }

  private static String namespaceOf(String key) {
    return key.substring(0, key.indexOf('/'));
  }

  private static String name(String key) {
    return key.substring(key.indexOf('/') + 1);
  }
}
