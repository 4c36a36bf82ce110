package io.fairlead.controller.serving;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.SharedInformers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Follows Services, pods and nodes for all endpoint controllers of a process together: keeps the
/// catalog and calls them with the Services whose endpoints are concerned. The informers below it
/// are the shared ones, and start and stop with them.
public final class ServicePodInformer {
  public static final InformerKind<Service> SERVICES =
      InformerKind.reading(ResourceType.SERVICES, Service::read);
  public static final InformerKind<EndpointPod> PODS =
      InformerKind.decoding(ResourceType.PODS, object -> EndpointPod.of(V1Pod.of(object)));
  public static final InformerKind<EndpointNode> NODES =
      InformerKind.decoding(ResourceType.NODES, object -> EndpointNode.of(V1Node.of(object)));

  private final ServicePodIndex catalog = new ServicePodIndex();
  private final Informer<Service> services;
  private final Informer<EndpointPod> pods;
  private final Informer<EndpointNode> nodes;
  private final List<ServicePodListener> listeners = new CopyOnWriteArrayList<>();

  /// The one of this process.
  public static ServicePodInformer of(ControllerContext wiring) {
    return wiring.shared(ServicePodInformer.class, all -> new ServicePodInformer(all.informers()));
  }

  /// @param informers not yet started
  public ServicePodInformer(SharedInformers informers) {
    this.services = informers.of(SERVICES);
    this.pods = informers.of(PODS);
    this.nodes = informers.of(NODES);
    services.onChange(ChangeHandler.of(this::serviceThere, this::serviceGone));
    pods.onChange(
        ChangeHandler.of(
            pod -> tellPods(catalog.put(pod)), last -> tellPods(catalog.removePod(last.key()))));
    nodes.onChange(new NodeHandler());
  }

  public ServicePodIndex catalog() {
    return catalog;
  }

  /// What a controller must wait for before it acts: everything the catalog is made of.
  public List<Informer<?>> needs() {
    return List.of(services, pods, nodes);
  }

  /// Adds a listener. Before the informers start, so that it gets everything.
  public void listen(ServicePodListener listener) {
    listeners.add(listener);
  }

  private void tell(Consumer<ServicePodListener> event) {
    listeners.forEach(event);
  }

  private void serviceThere(Service service) {
    catalog.put(service);
    tell(listener -> listener.serviceChanged(service.key()));
  }

  private void serviceGone(Service last) {
    catalog.removeService(last.key());
    tell(listener -> listener.serviceChanged(last.key()));
  }

  private void tellPods(Set<ObjectKey> concerned) {
    if (!concerned.isEmpty()) {
      tell(listener -> listener.podsChanged(concerned));
    }
  }

  private final class NodeHandler implements ChangeHandler<EndpointNode> {
    @Override
    public void added(EndpointNode node, boolean initial) {
      Set<ObjectKey> concerned = catalog.put(node);
      tell(listener -> listener.nodeChanged(concerned));
    }

    @Override
    public void updated(EndpointNode old, EndpointNode now) {
      Set<ObjectKey> concerned = catalog.put(now);
      if (!concerned.isEmpty() || !old.actsLike(now)) {
        tell(listener -> listener.nodeChanged(concerned));
      }
    }

    @Override
    public void deleted(EndpointNode last, boolean finalStateUnknown) {
      Set<ObjectKey> concerned = catalog.removeNode(last.name());
      tell(listener -> listener.nodeChanged(concerned));
    }
  }
}
