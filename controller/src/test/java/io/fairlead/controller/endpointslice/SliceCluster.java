package io.fairlead.controller.endpointslice;

import io.fairlead.api.changes.RecordedChange;
import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.Discovery;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.Transport;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.runtime.ControllerContext;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/// An API in memory, the slice controller and the garbage collector, and a way to wait until they
/// have nothing more to do.
final class SliceCluster implements AutoCloseable {
  static final Duration PATIENCE = SliceControllerQuiescence.PATIENCE;
  static final EndpointSliceOptions AT_ONCE =
      new EndpointSliceOptions(100, new Batching.Delay(Duration.ZERO), 2);

  static List<ResourceType> kinds() {
    return List.of(
        ResourceType.PODS,
        ResourceType.NODES,
        ResourceType.SERVICES,
        ResourceType.ENDPOINT_SLICES,
        ResourceType.EVENTS);
  }

  final FakeApi api = new FakeApi(kinds());
  final Client client = new Client(api);
  private final Client controllersClient;
  private ControllerContext wiring;
  private EndpointSliceController controller;
  private GarbageCollector garbage;

  SliceCluster(EndpointSliceOptions options) {
    this(options, api -> api);
  }

  /// @param between stands between the controllers and the server
  SliceCluster(EndpointSliceOptions options, UnaryOperator<Transport> between) {
    this.controllersClient = new Client(between.apply(api));
    start(options);
  }

  void start(EndpointSliceOptions options) {
    wiring =
        new ControllerContext(controllersClient, TimingSources.system(), InstantSource.system());
    controller = new EndpointSliceController(wiring, options);
    garbage =
        new GarbageCollector(
            client,
            Discovery.of(client),
            wiring.events("garbage-collector-controller"),
            wiring.pacing());
    controller.start();
    garbage.start();
    wiring.informers().start();
  }

  /// What the controller has counted since it was started, in the form of a metrics page.
  MetricSnapshots metrics() {
    return wiring.metrics().scrape();
  }

  /// What the controller has recorded since it was started, the oldest first.
  List<ObjectNode> changes() {
    return EndpointRecorder.of(wiring).ring().newest(1000).changes().stream()
        .map(RecordedChange::toJson)
        .toList();
  }

  void stop() {
    controller.close();
    garbage.close();
    wiring.close();
  }

  void settle() {
    new SliceControllerQuiescence(client, wiring, controller).untilDone();
  }

  List<ObjectNode> list(ResourceType type) {
    List<ObjectNode> found = new ArrayList<>();
    client.listAll(type, "", ListOptions.ALL, found::add);
    return found;
  }

  List<ObjectNode> slices() {
    return list(ResourceType.ENDPOINT_SLICES);
  }

  /// What was asked of the server about slices so far: `C`, `U`, `D` with what it was about.
  List<String> sliceWrites() {
    return api.writes().stream()
        .filter(write -> write.contains("/endpointslices"))
        .map(
            write ->
                switch (write.substring(0, write.indexOf(' '))) {
                  case "POST" -> "C";
                  case "PUT" -> "U";
                  case "DELETE" -> "D";
                  default -> "other";
                })
        .toList();
  }

  List<String> eventReasons() {
    return list(ResourceType.EVENTS).stream()
        .map(event -> Json.textOr(event, "", "reason"))
        .distinct()
        .toList();
  }

  @Override
  public void close() {
    stop();
    client.close();
  }
}
