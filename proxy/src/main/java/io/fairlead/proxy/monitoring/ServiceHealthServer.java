package io.fairlead.proxy.monitoring;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.http.status.StatusHttpServer;
import io.fairlead.http.status.StatusPage;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The health-check node ports: for each Service with external policy Local a small server that
/// reports to a load balancer how many local endpoints this node has, so that it sends traffic only
/// where it arrives. Thread-safe: both families report here.
public final class ServiceHealthServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServiceHealthServer.class);

  /// One Service with its server.
  private static final class Entry {
    private final int port;
    private final List<StatusHttpServer> servers = new ArrayList<>();

    Entry(int port) {
      this.port = port;
    }
  }

  private final ProxyHealth health;
  private final List<String> addresses;
  private final BiConsumer<ObjectKey, String> failed;
  private final Map<IpAddress.Family, Map<ObjectKey, Map<ServicePortName, ServicePlan>>> plans =
      new EnumMap<>(IpAddress.Family.class);
  private final Map<ObjectKey, Entry> entries = new HashMap<>();

  /// @param addresses where to listen; empty for everywhere
  /// @param failed is called when a port cannot be opened: which Service, and why
  public ServiceHealthServer(
      ProxyHealth health, List<String> addresses, BiConsumer<ObjectKey, String> failed) {
    this.health = health;
    this.addresses = List.copyOf(addresses);
    this.failed = failed;
    for (IpAddress.Family family : IpAddress.Family.values()) {
      plans.put(family, new HashMap<>());
    }
  }

  /// Rules have changed: follow. A port that could not be opened is tried again each time.
  public synchronized void update(IpAddress.Family family, PlanDiff diff) {
    Set<ObjectKey> touched = new HashSet<>();
    diff.removed().forEach(plan -> forget(family, plan, touched));
    diff.changed()
        .forEach(
            change -> {
              forget(family, change.before(), touched);
              note(family, change.after(), touched);
            });
    diff.added().forEach(plan -> note(family, plan, touched));
    for (ObjectKey service : touched) {
      int wanted = port(service);
      Entry entry = entries.get(service);
      if (entry != null && entry.port != wanted) {
        close(service);
      }
    }
    for (IpAddress.Family each : IpAddress.Family.values()) {
      of(each).keySet().stream()
          .filter(service -> port(service) != 0 && !entries.containsKey(service))
          .toList()
          .forEach(this::open);
    }
  }

  private void note(IpAddress.Family family, ServicePlan plan, Set<ObjectKey> touched) {
    if (plan.port().healthCheckNodePort() != 0) {
      ObjectKey service = plan.name().service();
      of(family).computeIfAbsent(service, _ -> new HashMap<>()).put(plan.name(), plan);
      touched.add(service);
    }
  }

  private void forget(IpAddress.Family family, ServicePlan plan, Set<ObjectKey> touched) {
    ObjectKey service = plan.name().service();
    Map<ServicePortName, ServicePlan> ports = of(family).get(service);
    if (ports != null) {
      ports.remove(plan.name());
      if (ports.isEmpty()) {
        of(family).remove(service);
      }
      touched.add(service);
    }
  }

  private Map<ObjectKey, Map<ServicePortName, ServicePlan>> of(IpAddress.Family family) {
    return plans.getOrDefault(family, Map.of());
  }

  private int port(ObjectKey service) {
    return plans.values().stream()
        .flatMap(each -> each.getOrDefault(service, Map.of()).values().stream())
        .mapToInt(plan -> plan.port().healthCheckNodePort())
        .findFirst()
        .orElse(0);
  }

  private void open(ObjectKey service) {
    Entry entry = new Entry(port(service));
    try {
      if (addresses.isEmpty()) {
        entry.servers.add(server(service, new InetSocketAddress(entry.port)));
      }
      for (String address : addresses) {
        entry.servers.add(server(service, new InetSocketAddress(address, entry.port)));
      }
      entries.put(service, entry);
    } catch (IOException e) {
      entry.servers.forEach(StatusHttpServer::close);
      String why = "node cannot listen on health check port " + entry.port + ": " + e.getMessage();
      log.atError().addKeyValue("service", service).log(why);
      failed.accept(service, why);
    }
  }

  private StatusHttpServer server(ObjectKey service, InetSocketAddress address) throws IOException {
    return new StatusHttpServer(address, request -> answer(service, request.ipv4()));
  }

  private StatusPage answer(ObjectKey service, boolean ipv4) {
    int count = localEndpoints(service, ipv4 ? IpAddress.Family.IPV4 : IpAddress.Family.IPV6);
    boolean healthy = health.isHealthy();
    String body =
        "{\n\t\"service\": {\n\t\t\"namespace\": \""
            + service.namespace()
            + "\",\n\t\t\"name\": \""
            + service.name()
            + "\"\n\t},\n\t\"localEndpoints\": "
            + count
            + ",\n\t\"serviceProxyHealthy\": "
            + healthy
            + "\n}";
    return new StatusPage(
        healthy && count > 0 ? 200 : 503,
        "application/json",
        Map.of("X-Load-Balancing-Endpoint-Weight", String.valueOf(count)),
        body.getBytes(StandardCharsets.UTF_8));
  }

  /// Distinct addresses of ready endpoints here, over all ports.
  private synchronized int localEndpoints(ObjectKey service, IpAddress.Family family) {
    return (int)
        of(family).getOrDefault(service, Map.of()).values().stream()
            .flatMap(plan -> plan.localReadyAddresses().stream())
            .distinct()
            .count();
  }

  private void close(ObjectKey service) {
    Entry entry = entries.remove(service);
    if (entry != null) {
      entry.servers.forEach(StatusHttpServer::close);
    }
  }

  @Override
  public synchronized void close() {
    List.copyOf(entries.keySet()).forEach(this::close);
  }
}
