package io.fairlead.proxy.runtime;

import io.fairlead.api.net.Cidr;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatches;
import io.fairlead.client.informer.Pacing;
import io.fairlead.proxy.node.NodeObject;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What a proxy watches: Services that are its business, their slices, its own Node, and in
/// nftables mode the ranges of cluster IPs.
final class Watches implements AutoCloseable {
  static final ResourceType NODES = new ResourceType("", "v1", "nodes", "Node", false);
  static final ResourceType SERVICES = new ResourceType("", "v1", "services", "Service", true);
  static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  static final ResourceType SERVICE_CIDRS =
      new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false);

  private static final String NOT_OURS = "!service.kubernetes.io/service-proxy-name";
  private static final String WITH_ADDRESS = "spec.clusterIP!=None";
  private static final String NOT_HEADLESS = "!service.kubernetes.io/headless";

  private final Informer<NodeObject> nodes;
  private final Informer<ServiceObject> services;
  private final Informer<SliceObject> slices;
  private final Informer<ApiObject> ranges;

  Watches(Client client, String nodeName, Pacing pacing) {
    nodes =
        new Informer<>(
            ListWatches.objectsByField(client, NODES, "", "metadata.name=" + nodeName),
            NodeObject::of,
            pacing);
    services =
        new Informer<>(
            ListWatches.selected(client, SERVICES, "", NOT_OURS, WITH_ADDRESS),
            ServiceObject::of,
            pacing);
    slices =
        new Informer<>(
            ListWatches.objects(client, SLICES, "", NOT_HEADLESS), SliceObject::of, pacing);
    ranges =
        new Informer<>(ListWatches.objects(client, SERVICE_CIDRS, "", ""), ApiObject::of, pacing);
  }

  Informer<NodeObject> nodes() {
    return nodes;
  }

  Informer<ServiceObject> services() {
    return services;
  }

  Informer<SliceObject> slices() {
    return slices;
  }

  Informer<ApiObject> ranges() {
    return ranges;
  }

  /// The ranges of cluster IPs known now.
  List<Cidr> serviceCidrs() {
    List<Cidr> found = new ArrayList<>();
    for (ApiObject range : ranges.list()) {
      range
          .body()
          .path("spec")
          .path("cidrs")
          .forEach(
              text -> {
                Cidr cidr = Cidr.parseLenientOrNull(text.asString(""));
                if (cidr != null) {
                  found.add(cidr.masked());
                }
              });
    }
    found.sort(Cidr::compareTo);
    return found;
  }

  /// A handler that treats new and changed alike.
  static <T> ChangeHandler<T> handler(Consumer<T> present, Consumer<T> gone) {
    return new ChangeHandler<>() {
      @Override
      public void added(T object, boolean initial) {
        present.accept(object);
      }

      @Override
      public void updated(T old, T now) {
        present.accept(now);
      }

      @Override
      public void deleted(T last, boolean finalStateUnknown) {
        gone.accept(last);
      }
    };
  }

  @Override
  public void close() {
    nodes.close();
    services.close();
    slices.close();
    ranges.close();
  }
}
