package io.fairlead.controller;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.Discovery;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatches;
import io.fairlead.client.informer.Pacing;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.controller.aggregation.AggregationController;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.namespace.NamespaceController;
import io.fairlead.controller.rootca.RootCaController;
import io.fairlead.controller.runtime.EveryNamespace;
import io.fairlead.controller.serviceaccount.ServiceAccountController;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/// All controllers of a cluster, started and stopped together. They watch and wait: an idle cluster
/// costs nothing but open watches.
public final class Controllers implements AutoCloseable {
  /// @param rootCa PEM text that pods check the API server with
  /// @param namespaceSettle how long to wait before a deleted namespace is emptied; zero where one
  ///   API server is all there is, some seconds where several must notice first
  public record Options(
      String rootCa, Duration namespaceSettle, InstantSource clock, Pacing pacing) {
    /// For a single API server.
    public static Options single(String rootCa) {
      return new Options(rootCa, Duration.ZERO, InstantSource.system(), Pacing.system());
    }

    /// For several API servers on one store.
    public static Options cluster(String rootCa) {
      return new Options(rootCa, Duration.ofSeconds(5), InstantSource.system(), Pacing.system());
    }
  }

  private static final String COMPONENT = "fairlead-controllers";

  // Closed in the reverse of the order they were started in.
  private final Deque<AutoCloseable> running = new ArrayDeque<>();

  private Controllers() {}

  /// Asks the server what it serves and starts everything. The client stays the caller's. Throws,
  /// with nothing left running, when the server cannot be asked.
  public static Controllers start(Client client, Options options) {
    Controllers controllers = new Controllers();
    try {
      controllers.startAll(client, options);
      return controllers;
    } catch (ApiException | ConnectionException e) {
      controllers.close();
      throw e;
    }
  }

  private void startAll(Client client, Options options) {
    Discovery discovery = Discovery.of(client);
    Pacing pacing = options.pacing();
    EventRecorder events =
        running(new EventRecorder(client, COMPONENT, options.clock(), pacing.ticker()));
    Informer<ApiObject> namespaces =
        running(
            new Informer<>(
                ListWatches.objects(client, ResourceType.NAMESPACES, "", ""),
                ApiObject::of,
                pacing));
    EveryNamespace accounts = running(ServiceAccountController.of(client, namespaces, pacing));
    EveryNamespace rootCas =
        running(RootCaController.of(client, options.rootCa(), namespaces, pacing));
    NamespaceController emptying =
        running(
            new NamespaceController(
                client, namespaces, options.namespaceSettle(), options.clock(), pacing));
    AggregationController roles = running(new AggregationController(client, pacing));
    GarbageCollector garbage = running(new GarbageCollector(client, discovery, events, pacing));
    accounts.start();
    rootCas.start();
    emptying.start();
    roles.start();
    garbage.start();
    namespaces.start();
  }

  /// Stops all and waits for their threads. Idempotent.
  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("a controller did not stop", e);
      }
    }
  }

  private <T extends AutoCloseable> T running(T part) {
    running.push(part);
    return part;
  }
}
