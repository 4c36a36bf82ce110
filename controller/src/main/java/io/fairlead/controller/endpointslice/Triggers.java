package io.fairlead.controller.endpointslice;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.serving.ServicePodListener;
import java.time.Duration;
import java.util.Set;

/// What puts a Service into the queue: a change of its own, of its pods or their nodes, or of its
/// slices by another client. Runs on the threads of informers and only notes keys.
final class Triggers {
  private static final String ALL_ZONES = "all";

  private final WorkQueue<ObjectKey> queue;
  private final WorkQueue<String> topologyQueue;
  private final Batching.Clock batching;
  private final EndpointSliceTracker ownWrites;
  private final TopologyCache zones;
  private final Duration foreignChange;

  /// @param foreignChange how long a change that another client made to a slice waits, so that two
  ///   who disagree do not write in a tight circle
  Triggers(
      WorkQueue<ObjectKey> queue,
      WorkQueue<String> topologyQueue,
      Batching.Clock batching,
      EndpointSliceTracker ownWrites,
      TopologyCache zones,
      Duration foreignChange) {
    this.queue = queue;
    this.topologyQueue = topologyQueue;
    this.batching = batching;
    this.ownWrites = ownWrites;
    this.zones = zones;
    this.foreignChange = foreignChange;
  }

  ServicePodListener forServing() {
    return new ServicePodListener() {
      @Override
      public void serviceChanged(ObjectKey service) {
        queue.add(service);
      }

      @Override
      public void podsChanged(Set<ObjectKey> services) {
        services.forEach(service -> queue.addAfter(service, batching.wait(service)));
      }

      @Override
      public void nodeChanged(Set<ObjectKey> services) {
        zones.nodesChanged();
        topologyQueue.add(ALL_ZONES);
        podsChanged(services);
      }
    };
  }

  ChangeHandler<Slice> forSlices() {
    return new ChangeHandler<>() {
      @Override
      public void added(Slice slice, boolean initial) {
        if (!initial && slice.managedByUs()) {
          changed(slice);
        } else if (!initial) {
          // Another controller publishes this Service: what we still have of it may go.
          look(slice.service());
        }
      }

      @Override
      public void updated(Slice old, Slice now) {
        boolean moved =
            old.managedByUs() != now.managedByUs() || !old.service().equals(now.service());
        if (!moved) {
          changed(now);
          return;
        }
        if (old.managedByUs()) {
          look(old.service());
        }
        if (now.managedByUs()) {
          look(now.service());
        }
      }

      @Override
      public void deleted(Slice last, boolean finalStateUnknown) {
        if (last.managedByUs() && ownWrites.isForeignDeletion(last.service(), last.uid())) {
          lookLater(last.service());
        }
      }
    };
  }

  private void changed(Slice slice) {
    if (slice.managedByUs()
        && ownWrites.isForeign(slice.service(), slice.uid(), slice.metadata().resourceVersion())) {
      lookLater(slice.service());
    }
  }

  private void look(ObjectKey service) {
    if (!service.name().isEmpty()) {
      queue.add(service);
    }
  }

  private void lookLater(ObjectKey service) {
    if (!service.name().isEmpty()) {
      queue.addAfter(service, batching.atLeast(foreignChange));
    }
  }
}
