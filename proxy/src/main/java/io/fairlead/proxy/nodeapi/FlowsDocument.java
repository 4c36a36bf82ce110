package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackFilter;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `flows`: the tracked connections to Services, by front and endpoint.
///
/// The kernel lists only what is asked for: one Service's fronts each by address, protocol and
/// port; all Services by the fact that the destination was replaced. What a caller was told the
/// last time is kept for a few callers, so that the next answer can say what began and ended. Used
/// by one thread at a time.
final class FlowsDocument {
  private static final int MOST_SESSIONS = 16;
  private static final int MOST_RAW = 1000;
  private static final int MOST_CLIENTS = 20;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /// A front of a service port; a node port has no address.
  private record FrontKey(@Nullable InetAddress address, int protocol, int port) {}

  /// One endpoint of one service port.
  private record EndpointKey(String servicePort, String address, int port) {}

  /// What a caller was told.
  private record Session(Instant at, Map<EndpointKey, FlowTally> tallies) {}

  private final NodeView view;
  private final InstantSource clock;
  private final Map<String, Session> sessions =
      new LinkedHashMap<>(MOST_SESSIONS, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Session> eldest) {
          return size() > MOST_SESSIONS;
        }
      };

  FlowsDocument(NodeView view, InstantSource clock) {
    this.view = view;
    this.clock = clock;
  }

  ObjectNode answer(NodeApiRequest request) {
    String namespace = request.text("namespace");
    String service = request.text("service");
    List<ServicePlan> services = view.services(namespace, service);
    Map<EndpointKey, FlowTally> tallies = new HashMap<>();
    ArrayNode raw = Json.array();
    int wanted = (int) Math.min(MOST_RAW, number(request, "raw"));
    long begunBefore = number(request, "before") * NANOS_PER_SECOND;
    Map<FrontKey, ServicePlan> owners = owners(services);
    for (ConntrackEntry entry : entries(services, service.isEmpty())) {
      ServicePlan owner = owner(owners, entry);
      if (owner != null) {
        EndpointKey key = key(owner, entry);
        tallies.computeIfAbsent(key, _ -> new FlowTally()).add(entry, begunBefore);
        if (raw.size() < wanted) {
          raw.add(FlowTally.raw(entry));
        }
      }
    }
    tallies.values().forEach(FlowTally::close);
    Instant now = clock.instant();
    String session = request.user() + " " + request.text("session") + " " + namespace + service;
    Session before = sessions.put(session, new Session(now, tallies));
    return document(services, tallies, before, now, raw);
  }

  private static long number(NodeApiRequest request, String name) {
    String text = request.text(name);
    if (text.isEmpty()) {
      return 0;
    }
    if (!text.matches("[0-9]{1,10}")) {
      throw ApiException.badRequest(name + " is no number: " + text);
    }
    return Long.parseLong(text);
  }

  private static List<ConntrackEntry> entries(List<ServicePlan> services, boolean all) {
    List<ConntrackEntry> found = new ArrayList<>();
    try (Conntrack conntrack = Conntrack.open()) {
      if (all) {
        ConntrackFilter translated =
            new ConntrackFilter(null, 0, 0, ConntrackFilter.DESTINATION_TRANSLATED);
        found.addAll(conntrack.list(Conntrack.IPV4, translated, _ -> true));
        found.addAll(conntrack.list(Conntrack.IPV6, translated, _ -> true));
        return found;
      }
      for (ServicePlan service : services) {
        int family =
            service.port().family() == IpAddress.Family.IPV4 ? Conntrack.IPV4 : Conntrack.IPV6;
        for (Frontend front : service.fronts()) {
          FrontKey key = key(service, front);
          found.addAll(
              conntrack.list(
                  family,
                  new ConntrackFilter(key.address(), key.protocol(), key.port(), 0),
                  entry -> key.address() != null || entry.destinationTranslated()));
        }
      }
    }
    return found;
  }

  private static FrontKey key(ServicePlan service, Frontend front) {
    IpAddress address = front.address();
    return new FrontKey(
        address == null ? null : inet(address), service.name().protocol().number(), front.port());
  }

  private static Map<FrontKey, ServicePlan> owners(List<ServicePlan> services) {
    Map<FrontKey, ServicePlan> owners = new HashMap<>();
    for (ServicePlan service : services) {
      service.fronts().forEach(front -> owners.putIfAbsent(key(service, front), service));
    }
    return owners;
  }

  /// The service port that a connection was made to. A look-up: there may be a hundred thousand
  /// connections and ten thousand ports.
  private static @Nullable ServicePlan owner(
      Map<FrontKey, ServicePlan> owners, ConntrackEntry entry) {
    ConntrackTuple asked = entry.original();
    ServicePlan owner =
        owners.get(new FrontKey(asked.destination(), asked.protocol(), asked.destinationPort()));
    return owner != null
        ? owner
        : owners.get(new FrontKey(null, asked.protocol(), asked.destinationPort()));
  }

  private static EndpointKey key(ServicePlan service, ConntrackEntry entry) {
    return new EndpointKey(
        service.name().toString(),
        IpAddress.ofBytes(entry.reply().source().getAddress()).toString(),
        entry.reply().sourcePort());
  }

  private ObjectNode document(
      List<ServicePlan> services,
      Map<EndpointKey, FlowTally> tallies,
      @Nullable Session before,
      Instant now,
      ArrayNode raw) {
    ObjectNode document =
        Json.object()
            .put("kind", "NodeFlows")
            .put("node", view.nodeName())
            .put("mode", view.mode().toString())
            .put("at", now.toString());
    if (before == null) {
      document.putNull("sinceMillis");
    } else {
      document.put("sinceMillis", java.time.Duration.between(before.at(), now).toMillis());
    }
    ArrayNode list = document.putArray("services");
    ArrayNode stale = document.putArray("stale");
    for (ServicePlan service : services) {
      service(list.addObject(), stale, service, tallies, before, now);
    }
    document.set("raw", raw);
    return document;
  }

  private static void service(
      ObjectNode out,
      ArrayNode stale,
      ServicePlan service,
      Map<EndpointKey, FlowTally> tallies,
      @Nullable Session before,
      Instant now) {
    String name = service.name().toString();
    out.put("namespace", service.name().service().namespace())
        .put("name", service.name().service().name())
        .put("port", service.name().port())
        .put("protocol", service.name().protocol().name())
        .put("family", service.port().family().toString())
        .put("address", service.port().clusterIp().toString())
        .put("number", service.port().port())
        .put("affinitySeconds", service.port().stickySeconds());
    Map<EndpointKey, Double> expected = expected(service, name);
    Map<InetAddress, Integer> clients = new HashMap<>();
    Map<InetAddress, Integer> sources = new HashMap<>();
    int active = 0;
    ArrayNode endpoints = out.putArray("endpoints");
    List<EndpointKey> keys = new ArrayList<>(expected.keySet());
    tallies.keySet().stream()
        .filter(key -> key.servicePort().equals(name) && !expected.containsKey(key))
        .forEach(keys::add);
    long nanos = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    for (EndpointKey key : keys) {
      FlowTally tally = tallies.getOrDefault(key, new FlowTally());
      ObjectNode one = endpoints.addObject().put("address", key.address()).put("port", key.port());
      Double share = expected.get(key);
      if (share == null) {
        one.putNull("expect");
        stale
            .addObject()
            .put("service", name)
            .put("namespace", service.name().service().namespace())
            .put("name", service.name().service().name())
            .put("protocol", service.name().protocol().name())
            .put("address", key.address())
            .put("port", key.port())
            .put("active", tally.active());
      } else {
        one.put("expect", share);
      }
      FlowTally old = before == null ? null : before.tallies().getOrDefault(key, new FlowTally());
      tally.writeTo(one, old, nanos);
      active += tally.active();
      tally.sources().forEach((address, count) -> sources.merge(address, count, Integer::sum));
      tally.clients().forEach((address, count) -> clients.merge(address, count, Integer::sum));
    }
    out.put("active", active).put("clients", clients.size());
    ArrayNode most = out.putArray("topSources");
    sources.entrySet().stream()
        .sorted(Map.Entry.<InetAddress, Integer>comparingByValue().reversed())
        .limit(MOST_CLIENTS)
        .forEach(
            client ->
                most.addObject()
                    .put("address", client.getKey().getHostAddress())
                    .put("connections", client.getValue()));
    clients.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .ifPresentOrElse(
            top ->
                out.putObject("topClient")
                    .put("address", top.getKey().getHostAddress())
                    .put("active", top.getValue()),
            () -> out.putNull("topClient"));
  }

  /// The share each endpoint gets of connections to the cluster IP from this node.
  private static Map<EndpointKey, Double> expected(ServicePlan service, String name) {
    Map<EndpointKey, Double> shares = new LinkedHashMap<>();
    for (Backend each : service.choice().all()) {
      shares.put(new EndpointKey(name, each.address().toString(), each.port()), 0.0);
    }
    if (service.fronts().getFirst().verdict()
        instanceof TrafficVerdict.Forward(List<Backend> to, var _)) {
      for (Backend each : to) {
        shares.put(new EndpointKey(name, each.address().toString(), each.port()), 1.0 / to.size());
      }
    }
    return shares;
  }

  private static InetAddress inet(IpAddress address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
