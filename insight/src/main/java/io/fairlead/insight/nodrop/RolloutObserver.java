package io.fairlead.insight.nodrop;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchOptions;
import io.fairlead.client.WatchStream;
import io.fairlead.client.WatchStreamEvent;
import io.fairlead.insight.gather.Sources;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Notes what happens to the endpoints of a Service: when pods are told to end and when they end,
/// from a watch of pods; and when a node's rules no longer lead to one, by asking the node for the
/// version of the slice that left it out. Guarded by itself.
public final class RolloutObserver implements AutoCloseable {
  private static final Duration WATCH = Duration.ofMinutes(5);

  /// The API's times have whole seconds: until this old, the moment of the event is nearer.
  private static final Duration PRECISE = Duration.ofSeconds(2);

  private final Client client;
  private final ObjectKey service;
  private final String podSelector;
  private final Sources sources;
  private final String node;
  private final InstantSource clock;
  private final Map<String, EndpointFate> fates = new TreeMap<>();
  private final Map<String, Set<String>> readyBySlice = new TreeMap<>();
  private final TreeMap<Instant, Integer> readyCounts = new TreeMap<>();
  private final List<SupervisedLoop> loops = new ArrayList<>();
  private final Map<ResourceType, WatchStream> streams = new java.util.HashMap<>();
  private boolean closed;

  /// @param podSelector labels of the Service's pods, `app=web`; empty to see slices only
  /// @param node whose rules are asked for; empty for none
  public RolloutObserver(
      Client client,
      ObjectKey service,
      String podSelector,
      Sources sources,
      String node,
      InstantSource clock) {
    this.client = client;
    this.service = service;
    this.podSelector = podSelector;
    this.sources = sources;
    this.node = node;
    this.clock = clock;
  }

  /// Reads what is there, then follows it.
  public void start() {
    follow(
        ResourceType.ENDPOINT_SLICES, "kubernetes.io/service-name=" + service.name(), this::slice);
    if (!podSelector.isEmpty()) {
      follow(ResourceType.PODS, podSelector, this::pod);
    }
  }

  /// What one object says now; null when it is gone.
  private interface Handler {
    void handle(ObjectNode object, boolean gone);
  }

  private void follow(ResourceType type, String selector, Handler handler) {
    String[] version = {read(type, selector, handler)};
    loops.add(
        SupervisedLoop.of("nodrop-watch")
            .key(type)
            .stopBy(() -> stop(type))
            .start(() -> watch(type, selector, handler, version)));
  }

  private String read(ResourceType type, String selector, Handler handler) {
    ObjectPage page = client.list(type, service.namespace(), ListOptions.ALL.labelled(selector));
    page.items().forEach(each -> handler.handle(each, false));
    return page.resourceVersion();
  }

  private void watch(ResourceType type, String selector, Handler handler, String[] version) {
    WatchOptions options = new WatchOptions(selector, "", version[0], false, WATCH);
    try (WatchStream stream = client.watch(type, service.namespace(), options)) {
      if (!keep(type, stream)) {
        return;
      }
      for (Optional<WatchStreamEvent> event = stream.next();
          event.isPresent();
          event = stream.next()) {
        switch (event.get()) {
          case WatchStreamEvent.Changed changed -> {
            version[0] = Json.textOr(changed.object(), "", "metadata", "resourceVersion");
            handler.handle(changed.object(), false);
          }
          case WatchStreamEvent.Removed(ObjectNode object) -> {
            version[0] = Json.textOr(object, "", "metadata", "resourceVersion");
            handler.handle(object, true);
          }
          case WatchStreamEvent.Bookmark(String at, _) -> version[0] = at;
          case WatchStreamEvent.Failed _ -> {
            version[0] = read(type, selector, handler);
            return;
          }
        }
      }
    }
  }

  private synchronized boolean keep(ResourceType type, WatchStream stream) {
    if (!closed) {
      streams.put(type, stream);
    }
    return !closed;
  }

  private void stop(ResourceType type) {
    WatchStream stream;
    synchronized (this) {
      closed = true;
      stream = streams.get(type);
    }
    if (stream != null) {
      stream.close();
    }
  }

  private void pod(ObjectNode pod, boolean gone) {
    Instant now = clock.instant();
    String name = ObjectKey.of(pod).name();
    String deleted = Json.text(pod, "metadata", "deletionTimestamp");
    Duration grace =
        Duration.ofSeconds(pod.path("metadata").path("deletionGracePeriodSeconds").asLong(0));
    for (JsonNode each : pod.path("status").path("podIPs")) {
      String address = Json.textOr(each, "", "ip");
      update(
          address,
          name,
          fate -> {
            EndpointFate next = fate;
            if (deleted != null && fate.told().isEmpty()) {
              next = next.told(told(Instant.parse(deleted).minus(grace), now), grace);
            }
            return (gone || hasEnded(pod)) && next.ended().isEmpty() ? next.ended(now) : next;
          });
    }
  }

  /// The moment that a deletion was asked for.
  static Instant told(Instant byTheApi, Instant seen) {
    return Duration.between(byTheApi, seen).compareTo(PRECISE) > 0 ? byTheApi : seen;
  }

  private static boolean hasEnded(ObjectNode pod) {
    JsonNode containers = pod.path("status").path("containerStatuses");
    if (containers.isEmpty()) {
      return false;
    }
    for (JsonNode each : containers) {
      if (!each.path("state").has("terminated")) {
        return false;
      }
    }
    return true;
  }

  private void slice(ObjectNode slice, boolean gone) {
    String name = ObjectKey.of(slice).name();
    Set<String> ready = new HashSet<>();
    for (JsonNode endpoint : slice.path("endpoints")) {
      boolean takes = endpoint.path("conditions").path("ready").asBoolean(true) && !gone;
      for (JsonNode each : endpoint.path("addresses")) {
        String address = each.asString("");
        if (takes) {
          ready.add(address);
        }
        update(address, Json.textOr(endpoint, "", "targetRef", "name"), fate -> fate);
      }
    }
    Set<String> left = new HashSet<>();
    synchronized (this) {
      Set<String> before = readyBySlice.put(name, ready);
      readyCounts.put(clock.instant(), readyBySlice.values().stream().mapToInt(Set::size).sum());
      if (before != null) {
        left.addAll(before);
        left.removeAll(ready);
      }
    }
    if (!left.isEmpty() && !node.isEmpty()) {
      String version = Json.textOr(slice, "", "metadata", "resourceVersion");
      Thread _ = Tasks.start("nodrop-withdrawal", () -> withdrawn(left, version));
    }
  }

  private void withdrawn(Set<String> addresses, String version) {
    String question = "about?slicesAfter=" + version + "&wait=30";
    sources
        .node(node, question)
        .value()
        .ifPresent(
            _ -> {
              Instant now = clock.instant();
              addresses.forEach(address -> update(address, "", fate -> fate.withdrawn(node, now)));
            });
  }

  private synchronized void update(
      String address, String pod, java.util.function.UnaryOperator<EndpointFate> change) {
    @Nullable EndpointFate known = fates.get(address);
    EndpointFate fate = known == null ? EndpointFate.of(address, pod) : known;
    fates.put(address, change.apply(fate));
  }

  /// By address.
  public synchronized Map<String, EndpointFate> fates() {
    return Map.copyOf(fates);
  }

  /// How many endpoints were ready, from each time on.
  public synchronized SortedMap<Instant, Integer> ready() {
    return new TreeMap<>(readyCounts);
  }

  @Override
  public void close() {
    loops.forEach(SupervisedLoop::close);
  }
}
