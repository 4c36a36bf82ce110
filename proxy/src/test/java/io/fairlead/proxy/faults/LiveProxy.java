package io.fairlead.proxy.faults;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.conntrack.KernelConntrackTable;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.ProxyDependencies;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A whole proxy over an API in memory and the rules of a lab's node. It can be stopped and started
/// again.
final class LiveProxy implements AutoCloseable {
  static final ResourceType NODES = new ResourceType("", "v1", "nodes", "Node", false);
  static final ResourceType SERVICES = new ResourceType("", "v1", "services", "Service", true);
  static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  private static final ResourceType CIDRS =
      new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false);

  final InterruptibleApi way;
  private final Lab lab;
  private final String mode;
  private final FakeApi api =
      new FakeApi(List.of(NODES, SERVICES, SLICES, CIDRS, ResourceType.EVENTS));
  private final Client client = new Client(api);
  private final AtomicInteger writes = new AtomicInteger();
  private @Nullable Client own;
  private @Nullable Proxy proxy;

  LiveProxy(Lab lab, String mode) {
    this.lab = lab;
    this.mode = mode;
    this.way = new InterruptibleApi(api);
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", "shop");
    client.create(ResourceType.NAMESPACES, "", namespace);
    create(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: node-a}
        status: {addresses: [{type: InternalIP, address: 192.0.2.10}]}
        """);
  }

  /// Puts an object into the API.
  void create(String yaml) {
    ObjectNode object = ProxyTestObjects.yaml(yaml).getFirst();
    client.create(type(object), ObjectKey.of(object).namespace(), object);
  }

  /// Replaces an object.
  void update(String yaml) {
    ObjectNode object = ProxyTestObjects.yaml(yaml).getFirst();
    ObjectNode now = client.get(type(object), ObjectKey.of(object));
    Json.child(object, "metadata")
        .put("resourceVersion", Json.textOr(now, "", "metadata", "resourceVersion"));
    client.update(type(object), object);
  }

  void delete(ResourceType type, String name) {
    client.delete(type, new ObjectKey("shop", name), DeleteOptions.DEFAULT);
  }

  private static ResourceType type(ObjectNode object) {
    return switch (Json.textOr(object, "", "kind")) {
      case "Node" -> NODES;
      case "Service" -> SERVICES;
      default -> SLICES;
    };
  }

  static String service(String name, IpAddress address, String protocol) {
    return """
    apiVersion: v1
    kind: Service
    metadata: {namespace: shop, name: %s}
    spec: {clusterIP: %s, type: ClusterIP, ports: [{name: h, port: 80, protocol: %s}]}
    """
        .formatted(name, address, protocol);
  }

  static String slice(String service, String protocol, int port, IpAddress... endpoints) {
    StringBuilder text =
        new StringBuilder(
            """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: shop, name: %1$s-1, labels: {kubernetes.io/service-name: %1$s}}
            addressType: IPv4
            ports: [{name: h, port: %3$d, protocol: %2$s}]
            endpoints:
            """
                .formatted(service, protocol, port));
    if (endpoints.length == 0) {
      text.append("  []\n");
    }
    for (IpAddress endpoint : endpoints) {
      text.append("- {addresses: [").append(endpoint).append("], conditions: {ready: true}}\n");
    }
    return text.toString();
  }

  void start() throws InterruptedException {
    ProxyConfiguration configuration = ProxyConfiguration.defaults();
    Map<String, String> flags =
        Map.of(
            "proxy-mode", mode,
            "cluster-cidr", "10.64.0.0/14",
            "ipvs-sync-period", "3s",
            "healthz-bind-address", "",
            "metrics-bind-address", "");
    for (Map.Entry<String, String> flag : flags.entrySet()) {
      configuration =
          configuration.with(ProxyFlag.find(flag.getKey()).orElseThrow(), flag.getValue());
    }
    own = new Client(way);
    proxy =
        new Proxy(
            configuration,
            new ProxyDependencies(
                own,
                ProxyMode.of(mode),
                "node-a",
                Map.of(IpAddress.Family.IPV4, new Inside(lab.node(), Churn.open(mode, lab.node()))),
                new FlowsInside(lab.node()),
                List.of(IpAddress.parse("192.0.2.10"), IpAddress.parse("192.0.2.11")),
                InstantSource.system(),
                TimingSources.system(),
                () -> {}));
    proxy.start();
  }

  boolean isReady() {
    return proxy != null && proxy.isReady();
  }

  /// What the proxies wrote so far.
  int writes() {
    return writes.get();
  }

  /// Ends the proxy; rules stay.
  void stop() {
    if (proxy != null) {
      proxy.close();
      proxy = null;
    }
    if (own != null) {
      own.close();
      own = null;
    }
  }

  @Override
  public void close() {
    stop();
    client.close();
  }

  /// A plane that listens for changes where its rules are.
  private final class Inside implements DataPlane {
    private final NetworkNamespace where;
    private final DataPlane plane;

    Inside(NetworkNamespace where, DataPlane plane) {
      this.where = where;
      this.plane = plane;
    }

    private ApplyResult counted(ApplyResult applied) {
      writes.addAndGet(applied.writes());
      return applied;
    }

    @Override
    public ApplyResult apply(Plan desired, PlanDiff change) {
      return counted(plane.apply(desired, change));
    }

    @Override
    public ApplyResult reconcile(Plan desired) {
      return counted(plane.reconcile(desired));
    }

    @Override
    public DataPlaneSnapshot observe() {
      return plane.observe();
    }

    @Override
    public void removeAll() {
      plane.removeAll();
    }

    @Override
    public void onDrift(Runnable listener) {
      where.run(() -> plane.onDrift(listener));
    }

    @Override
    public void close() {
      plane.close();
    }
  }

  /// The conversations of the node.
  record FlowsInside(NetworkNamespace where) implements ConntrackTable {
    @Override
    public int forgetAll(IpAddress.Family family, List<FlowPattern> patterns) {
      return where.call(() -> new KernelConntrackTable().forgetAll(family, patterns));
    }

    @Override
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      return where.call(() -> new KernelConntrackTable().udpFlows(family));
    }

    @Override
    public int forget(List<UdpFlow> flows) {
      return where.call(() -> new KernelConntrackTable().forget(flows));
    }
  }
}
