package io.fairlead.controller.serving;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.runtime.SharedInformers;
import io.fairlead.controller.runtime.Wiring;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Follows Services, pods and nodes for all endpoint controllers of a process together: keeps the
/// catalog and tells them whose endpoints are concerned. The informers below it are the shared
/// ones, and start and stop with them.
public final class Serving {
  public static final InformerKind<Service> SERVICES =
      InformerKind.of(ResourceType.SERVICES, Service::of);
  public static final InformerKind<Pod> PODS = InformerKind.of(ResourceType.PODS, Pod::of);
  public static final InformerKind<Node> NODES = InformerKind.of(ResourceType.NODES, Node::of);

  private final Catalog catalog = new Catalog();
  private final Informer<Service> services;
  private final Informer<Pod> pods;
  private final Informer<Node> nodes;
  private final List<ServingListener> listeners = new CopyOnWriteArrayList<>();

  /// The one of this process.
  public static Serving of(Wiring wiring) {
    return wiring.shared(Serving.class, all -> new Serving(all.informers()));
  }

  /// @param informers not yet started
  public Serving(SharedInformers informers) {
    this.services = informers.of(SERVICES);
    this.pods = informers.of(PODS);
    this.nodes = informers.of(NODES);
    services.onChange(ChangeHandler.of(this::serviceThere, this::serviceGone));
    pods.onChange(
        ChangeHandler.of(
            pod -> tellPods(catalog.put(pod)), last -> tellPods(catalog.removePod(last.key()))));
    nodes.onChange(new NodeHandler());
  }

  public Catalog catalog() {
    return catalog;
  }

  /// What a controller must wait for before it acts: everything the catalog is made of.
  public List<Informer<?>> needs() {
    return List.of(services, pods, nodes);
  }

  /// Adds a listener. Before the informers start, so that it is told of everything.
  public void listen(ServingListener listener) {
    listeners.add(listener);
  }

  private void tell(Consumer<ServingListener> event) {
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

  private final class NodeHandler implements ChangeHandler<Node> {
    @Override
    public void added(Node node, boolean initial) {
      Set<ObjectKey> concerned = catalog.put(node);
      tell(listener -> listener.nodeChanged(concerned));
    }

    @Override
    public void updated(Node old, Node now) {
      Set<ObjectKey> concerned = catalog.put(now);
      if (!concerned.isEmpty() || !old.actsLike(now)) {
        tell(listener -> listener.nodeChanged(concerned));
      }
    }

    @Override
    public void deleted(Node last, boolean finalStateUnknown) {
      Set<ObjectKey> concerned = catalog.removeNode(last.name());
      tell(listener -> listener.nodeChanged(concerned));
    }
  }
}
