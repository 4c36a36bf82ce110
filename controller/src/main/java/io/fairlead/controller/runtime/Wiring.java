package io.fairlead.controller.runtime;

import io.fairlead.client.Client;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.Pacing;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/// What controllers are given to work with, and what they share.
///
/// Owned by the thread that starts and stops the controllers; closed after all of them.
public final class Wiring implements AutoCloseable {
  private final Client client;
  private final Pacing pacing;
  private final InstantSource clock;
  private final SharedInformers informers;
  private final Map<String, EventRecorder> recorders = new LinkedHashMap<>();

  /// @param client stays the caller's
  public Wiring(Client client, Pacing pacing, InstantSource clock) {
    this.client = client;
    this.pacing = pacing;
    this.clock = clock;
    this.informers = new SharedInformers(client, pacing);
  }

  public Client client() {
    return client;
  }

  public Pacing pacing() {
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

  @Override
  public void close() {
    informers.close();
    recorders.values().forEach(EventRecorder::close);
  }
}
