package io.fairlead.controller.runtime;

import io.fairlead.client.Client;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.TimingSources;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// What controllers are given to work with, and what they share.
///
/// Owned by the thread that starts and stops the controllers; closed after all of them.
public final class ControllerContext implements AutoCloseable {
  private final Client client;
  private final TimingSources pacing;
  private final InstantSource clock;
  private final SharedInformers informers;
  private final Map<String, EventRecorder> recorders;
  private final PrometheusRegistry metrics;
  private final Map<Class<?>, Object> parts;

  /// @param client stays the caller's
  public ControllerContext(Client client, TimingSources pacing, InstantSource clock) {
    this.client = client;
    this.pacing = pacing;
    this.clock = clock;
    this.informers = new SharedInformers(client, pacing);
    this.recorders = new LinkedHashMap<>();
    this.metrics = new PrometheusRegistry();
    this.parts = new LinkedHashMap<>();
  }

  private ControllerContext(ControllerContext all, Client client) {
    this.client = client;
    this.pacing = all.pacing;
    this.clock = all.clock;
    this.informers = all.informers;
    this.recorders = all.recorders;
    this.metrics = all.metrics;
    this.parts = all.parts;
  }

  /// The same for a controller with a client of its own. All that is shared stays so, and is closed
  /// with this one.
  public ControllerContext with(Client own) {
    return new ControllerContext(this, own);
  }

  public Client client() {
    return client;
  }

  public TimingSources pacing() {
    return pacing;
  }

  public InstantSource clock() {
    return clock;
  }

  public SharedInformers informers() {
    return informers;
  }

  /// Writes events in the name of a component, such as `endpoint-controller`.
  public EventRecorder events(String component) {
    return recorders.computeIfAbsent(
        component, name -> new EventRecorder(client, name, clock, pacing.ticker()));
  }

  /// Something else that several controllers share, such as a picture joined from informers: made
  /// for the first controller that asks. It must need no closing of its own.
  public <T> T shared(Class<T> kind, Function<ControllerContext, T> make) {
    Object part = parts.get(kind);
    if (part == null) {
      part = make.apply(this);
      parts.put(kind, part);
    }
    return kind.cast(part);
  }

  /// That thing if a controller has asked for it.
  public <T> Optional<T> ifShared(Class<T> kind) {
    return Optional.ofNullable(kind.cast(parts.get(kind)));
  }

  /// Where controllers register what they count.
  public PrometheusRegistry metrics() {
    return metrics;
  }

  @Override
  public void close() {
    informers.close();
    recorders.values().forEach(EventRecorder::close);
  }
}
