package io.fairlead.proxy.control;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.conntrack.KernelFlowTable;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.faults.KeptConnections;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.node.Sysctls;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.runtime.Surroundings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A node of a lab with a whole proxy that changes modes, an API in memory, and clients of a
/// Service that is there all the time.
final class ChangingNode implements AutoCloseable {
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
  private final KeptConnections connections = new KeptConnections(lab);
  private final Client client = new Client(new FakeApi(TYPES));
  private final ProxyConfiguration configuration =
      ProxyConfiguration.defaults()
          .with(flag("healthz-bind-address"), "")
          .with(flag("metrics-bind-address"), "")
          .with(flag("bind-address"), FIXTURE.source(Origin.NODE).toString())
          .with(flag("cluster-cidr"), "10.64.0.0/14");
  private @Nullable ModeChange change;
  private @Nullable Proxy proxy;

  ChangingNode() {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", "shop");
    client.create(ResourceType.NAMESPACES, "", namespace);
    FIXTURE.objects().forEach(this::create);
    ObjectNode service = object("v1", "Service", "kept");
    service
        .putObject("spec")
        .put("clusterIP", KeptConnections.SERVICE.toString())
        .putArray("ports")
        .addObject()
        .put("port", 80);
    create(service);
    ObjectNode slice = object("discovery.k8s.io/v1", "EndpointSlice", "kept-1");
    Json.child(slice, "metadata").putObject("labels").put("kubernetes.io/service-name", "kept");
    slice.put("addressType", "IPv4");
    slice.putArray("ports").addObject().put("name", "").put("port", KeptConnections.TARGET_PORT);
    ObjectNode endpoint = slice.putArray("endpoints").addObject();
    endpoint.putArray("addresses").add(FIXTURE.endpoint("L1").toString());
    endpoint.putObject("conditions").put("ready", true);
    create(slice);
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

  /// Starts the proxy and waits for its rules.
  void start(String mode) {
    lab.node()
        .run(
            () -> {
              Sysctls sysctls = new Sysctls(Path.of("/proc/sys"));
              Modes modes = new Modes(configuration, sysctls);
              ModeChange ready = new ModeChange(configuration, modes, sysctls);
              Proxy made =
                  new Proxy(
                      configuration,
                      new Surroundings(
                          client,
                          mode,
                          "node-a",
                          modes.open(mode),
                          new KernelFlowTable(),
                          List.of(FIXTURE.source(Origin.NODE)),
                          InstantSource.system(),
                          Pacing.system(),
                          () -> afterFirstRules(modes, ready, mode)));
              try {
                made.start();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              change = ready;
              proxy = made;
            });
    await().atMost(LIMIT).until(() -> proxy().isReady());
  }

  /// As a process does: what another mode left goes when the new rules are there.
  private static void afterFirstRules(Modes modes, ModeChange change, String mode) {
    change.enter(mode);
    for (String other : Modes.ALL) {
      if (!other.equals(mode)) {
        modes.remove(other, mode);
      }
    }
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
  KeptConnections connections() {
    return connections;
  }

  Proxy proxy() {
    return Objects.requireNonNull(proxy);
  }

  ModeChange changer() {
    return Objects.requireNonNull(change);
  }

  ModeChange.Result change(String to) {
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
