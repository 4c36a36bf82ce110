package io.fairlead.proxy.runtime;

import io.fairlead.client.Client;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/// The Services that a proxy serves, and their slices. They are the same for every mode and every
/// configuration, so a process can begin to read them before it knows its own; reading is most of
/// what a start in a large cluster takes.
public final class ServiceInformers implements AutoCloseable {
  private static final String NOT_OURS = "!service.kubernetes.io/service-proxy-name";
  private static final String WITH_ADDRESS = "spec.clusterIP!=None";
  private static final String NOT_HEADLESS = "!service.kubernetes.io/headless";

  private final ListWatch allServices;
  private final ListWatch allSlices;
  private final Informer<ServiceObject> services;
  private final Informer<SliceObject> slices;
  private final AtomicBoolean started = new AtomicBoolean();

  public ServiceInformers(Client client, TimingSources pacing) {
    allServices =
        ListWatchFactory.selected(client, ProxyInformers.SERVICES, "", NOT_OURS, WITH_ADDRESS);
    allSlices = ListWatchFactory.objects(client, ProxyInformers.SLICES, "", NOT_HEADLESS);
    services = Informer.reading(allServices, ServiceObject::read, pacing);
    slices = Informer.reading(allSlices, SliceObject::read, pacing);
  }

  /// Begins to read. Further calls do nothing.
  public void start() {
    if (started.compareAndSet(false, true)) {
      slices.start();
      services.start();
    }
  }

  /// Whether the API has no change since these versions.
  boolean isSilentSince(String ofServices, String ofSlices) throws InterruptedException {
    return NoChangesSince.since(
        Map.of(allServices.unshared(), ofServices, allSlices.unshared(), ofSlices));
  }

  Informer<ServiceObject> services() {
    return services;
  }

  Informer<SliceObject> slices() {
    return slices;
  }

  @Override
  public void close() {
    services.close();
    slices.close();
  }
}
