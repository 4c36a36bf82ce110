package io.fairlead.controller.runtime;

import io.fairlead.client.Client;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The informers of the controllers: one for each [InformerKind], however many controllers ask for
/// it, and one watch for each resource, however many kinds read it.
///
/// Owned by the thread that starts and stops the controllers.
public final class SharedInformers implements AutoCloseable {
  private final Client client;
  private final TimingSources pacing;
  // By identity of the kind; each value has the type its kind says.
  private final Map<InformerKind<?>, Informer<?>> informers = new IdentityHashMap<>();
  // Those that follow the server; all others of their resource are views of them.
  private final Map<ResourceType, Informer<?>> following = new LinkedHashMap<>();
  private boolean started;

  public SharedInformers(Client client, TimingSources pacing) {
    this.client = client;
    this.pacing = pacing;
  }

  /// The informer of that kind, made at the first call. It starts with the others.
  ///
  /// @throws IllegalStateException when they are started and this one was not asked for in time
  public <T extends HasMetadata> Informer<T> of(InformerKind<T> kind) {
    if (started && !informers.containsKey(kind)) {
      throw new IllegalStateException("asked for after the start: " + kind.type());
    }
    @SuppressWarnings("unchecked") // put in below, under its own kind
    Informer<T> informer = (Informer<T>) informers.computeIfAbsent(kind, _ -> made(kind));
    return informer;
  }

  private <T extends HasMetadata> Informer<T> made(InformerKind<T> kind) {
    Informer<?> first = following.get(kind.type());
    Informer<T> informer =
        first == null
            ? Informer.decoding(
                ListWatchFactory.objects(client, kind.type(), "", ""), kind.decode(), pacing)
            : first.viewDecoding(kind.decode());
    following.putIfAbsent(kind.type(), informer);
    kind.indexes().forEach(informer::addIndex);
    return informer;
  }

  /// Begins to follow the server with all of them. Once only.
  public void start() {
    started = true;
    following.values().forEach(Informer::start);
  }

  /// Whether all of them have had their first state.
  public boolean haveSynced() {
    return informers.values().stream().allMatch(Informer::hasSynced);
  }

  @Override
  public void close() {
    following.values().forEach(Informer::close);
  }
}
