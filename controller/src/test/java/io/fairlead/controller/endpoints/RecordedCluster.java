package io.fairlead.controller.endpoints;

import static org.awaitility.Awaitility.await;

import io.fairlead.client.Client;
import io.fairlead.client.Discovery;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.controller.endpointslice.Batching;
import io.fairlead.controller.endpointslice.EndpointSliceController;
import io.fairlead.controller.endpointslice.EndpointSliceOptions;
import io.fairlead.controller.endpointslice.SliceControllerQuiescence;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.mirroring.MirroringController;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What the recordings were made with, in memory: the three endpoint controllers and the garbage
/// collector, and a way to wait until they have nothing more to do.
final class RecordedCluster implements AutoCloseable {
  static final Duration PATIENCE = SliceControllerQuiescence.PATIENCE;

  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.PODS,
              ResourceType.NODES,
              ResourceType.SERVICES,
              ResourceType.ENDPOINTS,
              ResourceType.ENDPOINT_SLICES,
              ResourceType.EVENTS));
  final Client client = new Client(api);
  private final ControllerContext wiring =
      new ControllerContext(client, TimingSources.system(), InstantSource.system());
  private final List<Controller> controllers = new ArrayList<>();
  private final SliceControllerQuiescence slices;

  RecordedCluster() {
    controllers.add(new EndpointsController(wiring, 2, Duration.ZERO));
    controllers.add(
        new MirroringController(wiring, new MirroringController.Settings(2, 1000, Duration.ZERO)));
    EndpointSliceController slicing =
        new EndpointSliceController(
            wiring, new EndpointSliceOptions(100, new Batching.Delay(Duration.ZERO), 2));
    controllers.add(slicing);
    slices = new SliceControllerQuiescence(client, wiring, slicing);
    controllers.add(
        new GarbageCollector(
            client, Discovery.of(client), wiring.events("garbage"), wiring.pacing()));
    controllers.forEach(Controller::start);
    wiring.informers().start();
    // What is there at the start is treated otherwise than what comes later, and all of the
    // recordings came later.
    settleFully();
  }

  /// Waits until the controllers have nothing to do at once. Before there is a Service no
  /// controller does anything, whatever there is to be seen.
  void settle() {
    if (!list(ResourceType.SERVICES).isEmpty()) {
      settleFully();
    }
  }

  /// Waits until the controllers have seen everything and have nothing to do at once.
  void settleFully() {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(this::isDone);
  }

  private boolean isDone() {
    long runs = runs();
    return looksDone() && slices.isDone() && looksDone() && runs == runs();
  }

  private boolean looksDone() {
    return slices.sees(EndpointsObject.KIND, ResourceType.ENDPOINTS)
        && controllers.stream().allMatch(Controller::idle);
  }

  private long runs() {
    return controllers.stream().mapToLong(one -> one.loop().statistics().runs()).sum();
  }

  List<ObjectNode> list(ResourceType type) {
    List<ObjectNode> found = new ArrayList<>();
    client.listAll(type, "", ListOptions.ALL, found::add);
    return found;
  }

  @Override
  public void close() {
    controllers.reversed().forEach(Controller::close);
    wiring.close();
    api.close();
  }
}
