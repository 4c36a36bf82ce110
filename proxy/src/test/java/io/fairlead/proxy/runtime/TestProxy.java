package io.fairlead.proxy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.Transport;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.testing.FakeIptables;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/// A whole proxy over an API and iptables tools in memory.
final class TestProxy implements AutoCloseable {
  static final List<ResourceType> TYPES =
      List.of(
          ProxyInformers.NODES,
          ProxyInformers.SERVICES,
          ProxyInformers.SLICES,
          ProxyInformers.SERVICE_CIDRS,
          ResourceType.EVENTS,
          ResourceType.LEASES);

  /// Connections in memory.
  static final class FakeFlows implements ConntrackTable {
    final List<UdpFlow> flows = new CopyOnWriteArrayList<>();
    volatile int dumps;

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the worker's thread counts.
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      dumps++;
      return flows.stream()
          .filter(flow -> flow.destination().address().family() == family)
          .toList();
    }

    @Override
    public int forget(List<UdpFlow> stale) {
      return (int) stale.stream().filter(flows::remove).count();
    }
  }

  final FakeApi api;
  final Client client;
  final FakeIptables tool = new FakeIptables();
  final FakeFlows flows = new FakeFlows();
  final Proxy proxy;

  TestProxy(String... flags) {
    this(new FakeApi(TYPES), api -> api, Optional.empty(), flags);
  }

  /// @param transport how the proxy reaches the API
  /// @param standing where it leaves a note
  TestProxy(
      FakeApi api,
      UnaryOperator<Transport> transport,
      Optional<RestartCheckpoint> standing,
      String... flags) {
    this.api = api;
    this.client = new Client(api);
    ProxyConfiguration configuration =
        ProxyConfiguration.defaults()
            .with(flag("healthz-bind-address"), "127.0.0.1:0")
            .with(flag("metrics-bind-address"), "127.0.0.1:0")
            .with(flag("cluster-cidr"), "10.64.0.0/14");
    for (String each : flags) {
      String[] parts = each.split("=", 2);
      configuration = configuration.with(flag(parts[0]), parts[1]);
    }
    IptablesPlane plane =
        new IptablesPlane(
            tool, IptablesSettings.standard(), new Canary(Pacer.system(), Duration.ofMillis(20)));
    proxy =
        new Proxy(
            configuration,
            new ProxyDependencies(
                new Client(transport.apply(api)),
                ProxyMode.IPTABLES,
                "node-a",
                Map.of(IpAddress.Family.IPV4, plane),
                flows,
                List.of(ProxyTestObjects.ip("127.0.0.1"), ProxyTestObjects.ip("192.0.2.10")),
                InstantSource.system(),
                TimingSources.system(),
                () -> {},
                standing,
                Optional.empty()));
  }

  private static ProxyFlag flag(String name) {
    return ProxyFlag.find(name).orElseThrow();
  }

  /// Writes objects to the API, new or changed.
  void apply(List<ObjectNode> objects) {
    for (ObjectNode object : objects) {
      apply(object);
    }
  }

  void apply(ObjectNode object) {
    ResourceType type = type(object);
    ObjectKey key = ObjectKey.of(object);
    if (!key.namespace().isEmpty()) {
      namespace(key.namespace());
    }
    try {
      client.create(type, key.namespace(), object.deepCopy());
    } catch (ApiException e) {
      ObjectNode now = client.get(type, key);
      ObjectNode changed = object.deepCopy();
      ((ObjectNode) changed.get("metadata"))
          .put("resourceVersion", now.path("metadata").path("resourceVersion").asString(""));
      client.update(type, changed);
    }
  }

  private void namespace(String name) {
    ObjectNode namespace = Json.object();
    namespace.putObject("metadata").put("name", name);
    try {
      client.create(ResourceType.NAMESPACES, "", namespace);
    } catch (ApiException _) {
      // There already.
      return;
    }
  }

  void delete(ResourceType type, String namespace, String name) {
    client.delete(type, new ObjectKey(namespace, name), DeleteOptions.DEFAULT);
  }

  private static ResourceType type(ObjectNode object) {
    return TYPES.stream()
        .filter(type -> type.kind().equals(object.path("kind").asString("")))
        .findFirst()
        .orElseThrow();
  }

  void start() throws InterruptedException {
    proxy.start();
  }

  /// How many rules of a chain mention a text.
  long rules(String table, String chain, String text) {
    return tool.rules(table, chain).stream().filter(rule -> rule.contains(text)).count();
  }

  @Override
  public void close() {
    proxy.close();
    client.close();
  }
}
