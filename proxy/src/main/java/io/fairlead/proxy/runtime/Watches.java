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

  private final Informer<NodeObject> nodes;
  private final ServiceFeed feed;
  private final Informer<ApiObject> ranges;

  Watches(Client client, String nodeName, Pacing pacing, ServiceFeed feed) {
    this.feed = feed;
    nodes =
        new Informer<>(
            ListWatches.objectsByField(client, NODES, "", "metadata.name=" + nodeName),
            NodeObject::of,
            pacing);
    ranges =
        new Informer<>(ListWatches.objects(client, SERVICE_CIDRS, "", ""), ApiObject::of, pacing);
  }

  /// Begins to read what is needed in any case.
  void start() {
    feed.start();
    nodes.start();
  }

  Informer<NodeObject> nodes() {
    return nodes;
  }

  Informer<ServiceObject> services() {
    return feed.services();
  }

  Informer<SliceObject> slices() {
    return feed.slices();
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
    feed.close();
    ranges.close();
  }
}
