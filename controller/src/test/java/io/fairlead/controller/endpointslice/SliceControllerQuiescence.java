package io.fairlead.controller.endpointslice;

import static org.awaitility.Awaitility.await;

import io.fairlead.client.Client;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.serving.ServicePodInformer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Waits until a slice controller has seen everything and has nothing to do at once. What it means
/// to do later, such as putting right what another client wrote, is not waited for.
public record SliceControllerQuiescence(
    Client client, ControllerContext wiring, EndpointSliceController controller) {
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  void untilDone() {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .until(this::isDone);
  }

  /// Whether it is so now. Looks twice: what was asked last may have changed what was asked first.
  /// Two looks with no run between them are one.
  public boolean isDone() {
    long runs = controller.loop().statistics().runs();
    if (!looksDone()) {
      return false;
    }
    return looksDone() && controller.loop().statistics().runs() == runs;
  }

  private boolean looksDone() {
    return sees(ServicePodInformer.PODS, ResourceType.PODS)
        && sees(ServicePodInformer.SERVICES, ResourceType.SERVICES)
        && sees(ServicePodInformer.NODES, ResourceType.NODES)
        && sees(EndpointSliceController.SLICES, ResourceType.ENDPOINT_SLICES)
        && controller.idle();
  }

  /// Whether the informer of a kind has seen all that the server has of it.
  public <T extends HasMetadata> boolean sees(InformerKind<T> kind, ResourceType type) {
    Map<Object, String> there = new HashMap<>();
    client.listAll(
        type,
        "",
        ListOptions.ALL,
        object -> {
          ObjectMeta meta = ObjectMeta.of(object);
          there.put(meta.key(), meta.resourceVersion());
        });
    Informer<T> informer = wiring.informers().of(kind);
    Map<Object, String> seen = new HashMap<>();
    informer.list().forEach(o -> seen.put(o.metadata().key(), o.metadata().resourceVersion()));
    return informer.hasSynced() && seen.equals(there);
  }
}
