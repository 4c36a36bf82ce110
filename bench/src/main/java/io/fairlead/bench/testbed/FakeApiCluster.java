package io.fairlead.bench.testbed;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// An API in memory with so many Services of three endpoints; the measured one, `last`, comes after
/// all others.
public final class FakeApiCluster implements AutoCloseable {
  public static final String LAST = "10.112.255.1";
  public static final String FRESH = "10.112.255.2";

  private static final ResourceType NODES = new ResourceType("", "v1", "nodes", "Node", false);
  private static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  private static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  private static final ResourceType CIDRS =
      new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false);

  private final FakeApi api =
      new FakeApi(List.of(NODES, SERVICES, SLICES, CIDRS, ResourceType.EVENTS));
  private final Client client = new Client(api);

  public FakeApiCluster(int services) {
    ObjectNode node = Json.object();
    node.putObject("metadata").put("name", "node-a");
    node.putObject("status")
        .putArray("addresses")
        .addObject()
        .put("type", "InternalIP")
        .put("address", "192.0.2.10");
    client.create(NODES, "", node);
    for (int i = 0; i < services; i++) {
      add("s" + i, "10.112." + i / 250 + "." + (i % 250 + 1));
    }
    add("last", LAST);
  }

  /// What a proxy in this process talks to.
  public Client client() {
    return client;
  }

  /// What a server in front of it talks to.
  public FakeApi api() {
    return api;
  }

  /// How a process finds it behind a plain HTTP server on loopback.
  public static String kubeconfig(int port) {
    return """
    apiVersion: v1
    kind: Config
    current-context: c
    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
    users: [{name: c, user: {}}]
    contexts: [{name: c, context: {cluster: c, user: c}}]
    """
        .formatted(port);
  }

  /// A Service and its slice with three endpoints.
  public void add(String name, String address) {
    ObjectNode service = Json.object();
    service.putObject("metadata").put("namespace", "default").put("name", name);
    ObjectNode spec = service.putObject("spec");
    spec.put("type", "ClusterIP").put("clusterIP", address);
    spec.putArray("ports").addObject().put("name", "h").put("port", 80).put("protocol", "TCP");
    client.create(SERVICES, "default", service);
    client.create(SLICES, "default", slice(name, 3));
  }

  public void remove(String name) {
    client.delete(SERVICES, new ObjectKey("default", name), DeleteOptions.DEFAULT);
    client.delete(SLICES, new ObjectKey("default", name + "-1"), DeleteOptions.DEFAULT);
  }

  /// Changes how many endpoints a Service has.
  public void endpoints(String name, int count) {
    ObjectNode slice = slice(name, count);
    ObjectNode now = client.get(SLICES, new ObjectKey("default", name + "-1"));
    Json.child(slice, "metadata")
        .put("resourceVersion", Json.textOr(now, "", "metadata", "resourceVersion"));
    client.update(SLICES, slice);
  }

  private static ObjectNode slice(String service, int count) {
    ObjectNode slice = Json.object();
    slice
        .putObject("metadata")
        .put("namespace", "default")
        .put("name", service + "-1")
        .putObject("labels")
        .put("kubernetes.io/service-name", service);
    slice.put("addressType", "IPv4");
    slice.putArray("ports").addObject().put("name", "h").put("port", 8080).put("protocol", "TCP");
    var endpoints = slice.putArray("endpoints");
    for (int i = 0; i < count; i++) {
      ObjectNode endpoint = endpoints.addObject();
      endpoint.putArray("addresses").add("10.64.1." + (11 + i));
      endpoint.putObject("conditions").put("ready", true);
    }
    return slice;
  }

  @Override
  public void close() {
    client.close();
  }
}
