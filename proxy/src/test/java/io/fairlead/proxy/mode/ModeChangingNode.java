package io.fairlead.proxy.mode;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.conntrack.KernelConntrackTable;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.faults.LongLivedConnections;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.nodeapi.NodeApi;
import io.fairlead.proxy.nodeapi.NodeView;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.ProxyDependencies;
import io.fairlead.proxy.runtime.WrittenState;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A node of a lab with a whole proxy that changes modes, an API in memory, and clients of a
/// Service that is there all the time.
final class ModeChangingNode implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);
  static final Fixture FIXTURE = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);

  private static final List<ResourceType> TYPES =
      List.of(
          new ResourceType("", "v1", "nodes", "Node", false),
          new ResourceType("", "v1", "services", "Service", true),
          new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true),
          new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false),
          ResourceType.EVENTS);

  private final Lab lab = Lab.create();
  private final LongLivedConnections connections = new LongLivedConnections(lab);
  private final Client client = new Client(new FakeApi(TYPES));
  private final ProxyConfiguration configuration =
      ProxyConfiguration.defaults()
          .with(flag("healthz-bind-address"), "")
          .with(flag("metrics-bind-address"), "")
          .with(flag("bind-address"), FIXTURE.source(Origin.NODE).toString())
          .with(flag("cluster-cidr"), "10.64.0.0/14");
  private @Nullable ModeChange change;
  private @Nullable Proxy proxy;
  private volatile boolean entered;
  private volatile @Nullable ArrayNode drops;
  private final NodeApi api =
      new NodeApi(
          new NodeView() {
            @Override
            public String nodeName() {
              return proxy().nodeName();
            }

            @Override
            public String version() {
              return "test";
            }

            @Override
            public ProxyMode mode() {
              return proxy().mode();
            }

            @Override
            public AuditReport audit(ProxyMode mode, Plan plan) {
              return ProxyModes.audit(mode, plan);
            }

            @Override
            public Map<IpAddress.Family, WrittenState> written() {
              return proxy().written();
            }

            @Override
            public ChangeRing changes() {
              return proxy().changes();
            }

            @Override
            public Optional<RelayedChoice> relayed(IpAddress client, int clientPort) {
              return proxy().relayed(client, clientPort);
            }

            @Override
            public Optional<ArrayNode> policyDrops() {
              return Optional.ofNullable(drops);
            }
          },
          InstantSource.system(),
          Ticker.system(),
          Pacer.system());

  ModeChangingNode() {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", "shop");
    client.create(ResourceType.NAMESPACES, "", namespace);
    FIXTURE.objects().forEach(this::create);
    ObjectNode service = object("v1", "Service", "kept");
    service
        .putObject("spec")
        .put("clusterIP", LongLivedConnections.SERVICE.toString())
        .putArray("ports")
        .addObject()
        .put("port", 80);
    create(service);
    ObjectNode slice = object("discovery.k8s.io/v1", "EndpointSlice", "kept-1");
    Json.child(slice, "metadata").putObject("labels").put("kubernetes.io/service-name", "kept");
    slice.put("addressType", "IPv4");
    slice
        .putArray("ports")
        .addObject()
        .put("name", "")
        .put("port", LongLivedConnections.TARGET_PORT);
    ObjectNode endpoint = slice.putArray("endpoints").addObject();
    endpoint.putArray("addresses").add(FIXTURE.endpoint("L1").toString());
    endpoint.putObject("conditions").put("ready", true);
    create(slice);
  }

  /// A policy component of the same process has dropped packets.
  void dropped(ArrayNode packets) {
    drops = packets;
  }

  private static ProxyFlag flag(String name) {
    return ProxyFlag.find(name).orElseThrow();
  }

  private static ObjectNode object(String apiVersion, String kind, String name) {
    ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("namespace", "shop").put("name", name);
    return object;
  }

  private void create(ObjectNode object) {
    ResourceType type =
        TYPES.stream()
            .filter(each -> each.kind().equals(object.path("kind").asString("")))
            .findFirst()
            .orElseThrow();
    client.create(type, ObjectKey.of(object).namespace(), object);
  }

  /// Changes a Service in a way that no rule shows.
  ///
  /// @return its new version
  String touch(String service) {
    ResourceType type = TYPES.get(1);
    ObjectNode object = client.get(type, new ObjectKey("shop", service));
    Json.child(Json.child(object, "metadata"), "labels").put("touched", "yes");
    return Json.textOr(client.update(type, object), "", "metadata", "resourceVersion");
  }

  /// Starts the proxy and waits for its rules, and until those of other modes are gone.
  void start(ProxyMode mode) {
    entered = false;
    lab.node()
        .run(
            () -> {
              SysctlFiles sysctls = new SysctlFiles(Path.of("/proc/sys"));
              ProxyModes modes = new ProxyModes(configuration, sysctls);
              ModeChange ready = new ModeChange(configuration, modes, sysctls);
              Proxy made =
                  new Proxy(
                      configuration,
                      new ProxyDependencies(
                          client,
                          mode,
                          "node-a",
                          modes.open(mode),
                          new KernelConntrackTable(),
                          List.of(FIXTURE.source(Origin.NODE)),
                          InstantSource.system(),
                          TimingSources.system(),
                          () -> afterFirstRules(modes, ready, mode)));
              try {
                made.start();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              change = ready;
              proxy = made;
            });
    await().atMost(LIMIT).until(() -> proxy().isReady() && entered);
  }

  /// As a process does: what another mode left goes when the new rules are there.
  private void afterFirstRules(ProxyModes modes, ModeChange change, ProxyMode mode) {
    change.enter(mode);
    for (ProxyMode other : ProxyMode.values()) {
      if (other != mode) {
        modes.remove(other, mode);
      }
    }
    entered = true;
  }

  /// Ends the proxy as a process does that was asked to.
  void stop() {
    lab.node().call(() -> changer().standIn(proxy(), Pacer.system()));
    proxy().close();
    proxy = null;
  }

  Lab lab() {
    return lab;
  }

  /// Clients of the Service that is there all the time.
  LongLivedConnections connections() {
    return connections;
  }

  /// What the node answers about itself, to be asked in the node's network.
  NodeApi nodeApi() {
    return api;
  }

  Proxy proxy() {
    return Objects.requireNonNull(proxy);
  }

  ModeChange changer() {
    return Objects.requireNonNull(change);
  }

  ModeChange.Result change(ProxyMode to) {
    return lab.node().call(() -> changer().change(proxy(), to));
  }

  /// Waits until new connections were made from now on; fails when one ever failed.
  void awaitMade() {
    long before = connections.made();
    await().atMost(LIMIT).until(() -> connections.made() > before + 2);
  }

  @Override
  public void close() throws IOException {
    connections.close();
    if (proxy != null) {
      proxy.close();
    }
    client.close();
    lab.close();
  }
}
