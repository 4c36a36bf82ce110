package io.fairlead.agent.lifecycle;

import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Waits until every proxy has let go of a pod. Blocks; safe for many threads.
///
/// How it works: a pod that is being deleted is marked `terminating` in the EndpointSlices of its
/// Services. Each proxy says in a Lease up to which version of slices its rules go ([ProxyReport]).
/// The pod is free when the slices mark it and every proxy that lives shows those versions. Then
/// what was on its way gets a moment to arrive. Nothing is watched while no pod asks for this;
/// while one does, the slices of its Services and the reports are read again and again.
public final class ConnectionDrain {
  private static final Duration GLANCE = Duration.ofMillis(50);

  /// Connections that passed the old rules are still on their way to the program.
  private static final Duration ARRIVAL = Duration.ofMillis(500);

  private static final String HEADLESS = "service.kubernetes.io/headless";

  private final Client client;
  private final Informer<ServiceView> services;
  private final InstantSource clock;
  private final Pacer pacer;

  public ConnectionDrain(
      Client client, Informer<ServiceView> services, InstantSource clock, Pacer pacer) {
    this.client = client;
    this.services = services;
    this.clock = clock;
    this.pacer = pacer;
  }

  /// Waits until no proxy sends new connections to a pod that is being deleted.
  ///
  /// @return the proxies that still may when the time is over; empty when none
  public Optional<String> await(Pod pod, Duration limit) throws InterruptedException {
    Instant end = clock.instant().plus(limit);
    List<String> services = servicesOf(pod);
    if (services.isEmpty()) {
      return Optional.empty();
    }
    while (true) {
      List<String> holders = holders(pod, services);
      Duration left = Duration.between(clock.instant(), end);
      if (holders.isEmpty()) {
        pacer.pause(shorter(ARRIVAL, left));
        return Optional.empty();
      }
      if (!left.isPositive()) {
        return Optional.of(String.join(", ", holders));
      }
      pacer.pause(shorter(GLANCE, left));
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    Duration shorter = one.compareTo(other) < 0 ? one : other;
    return shorter.isNegative() ? Duration.ZERO : shorter;
  }

  private List<String> servicesOf(Pod pod) {
    return services.list().stream()
        // Without an address no proxy leads anybody there.
        .filter(one -> !one.address().isEmpty())
        .filter(one -> one.selects(pod.namespace(), pod.metadata().labels()))
        .map(one -> one.metadata().name())
        .sorted()
        .toList();
  }

  /// Who may still send connections to the pod.
  private List<String> holders(Pod pod, List<String> services) {
    try {
      List<String> holders = new ArrayList<>();
      Map<String, String> versions = new TreeMap<>();
      for (String service : services) {
        List<ObjectNode> slices = new ArrayList<>();
        client.listAll(
            ResourceType.ENDPOINT_SLICES,
            pod.namespace(),
            ListOptions.ALL.labelled("kubernetes.io/service-name=" + service + ",!" + HEADLESS),
            slices::add);
        boolean shown = false;
        for (ObjectNode slice : slices) {
          shown |= look(pod, slice, versions, holders);
        }
        if (!shown) {
          // It runs, so it belongs there: what is being written may still call it ready.
          holders.add("Service " + service + ", whose slices do not show it");
        }
      }
      if (holders.isEmpty()) {
        holders.addAll(proxies(versions));
      }
      return holders;
    } catch (ApiException | ConnectionException e) {
      return List.of("unknown: " + e.getMessage());
    }
  }

  /// Whether the pod is in a slice; notes the version that marks it, or who does not yet.
  private static boolean look(
      Pod pod, ObjectNode slice, Map<String, String> versions, List<String> holders) {
    boolean shown = false;
    for (JsonNode endpoint : slice.path("endpoints")) {
      if (!Json.textOr(endpoint, "", "targetRef", "uid").equals(pod.uid())) {
        continue;
      }
      shown = true;
      if (endpoint.path("conditions").path("terminating").asBoolean(false)) {
        versions.merge(
            Json.textOr(slice, "", "addressType"),
            Json.textOr(slice, "", "metadata", "resourceVersion"),
            (one, other) -> ResourceVersions.compare(one, other) >= 0 ? one : other);
      } else {
        holders.add("EndpointSlice " + Json.textOr(slice, "", "metadata", "name"));
      }
    }
    return shown;
  }

  /// Proxies whose rules do not show those versions yet. Where no proxy reports, none knows.
  private List<String> proxies(Map<String, String> versions) {
    List<ProxyReport> reports = new ArrayList<>();
    client.listAll(
        ResourceType.LEASES,
        ProxyReport.NAMESPACE,
        ListOptions.ALL.labelled(ProxyReport.LABEL),
        lease -> reports.add(ProxyReport.of(lease)));
    Instant now = clock.instant();
    List<ProxyReport> alive = reports.stream().filter(one -> one.lives(now)).toList();
    if (alive.isEmpty()) {
      return List.of("proxies that do not report");
    }
    return alive.stream()
        .filter(
            one ->
                !versions.entrySet().stream()
                    .allMatch(slice -> one.shows(slice.getKey(), slice.getValue())))
        .map(one -> "the proxy of node " + one.node())
        .toList();
  }
}
