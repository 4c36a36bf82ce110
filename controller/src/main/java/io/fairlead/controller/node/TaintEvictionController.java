package io.fairlead.controller.node;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.Disruption;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Deletes pods from nodes with a taint that drives them away: at once those that do not put up
/// with it, the others when their patience is over. A taint that goes in time changes nothing.
public final class TaintEvictionController implements Controller {
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofMinutes(1));

  /// When a pod was first seen under its taints.
  private record Seen(String uid, long at) {}

  private final Client client;
  private final InstantSource clock;
  private final Ticker ticker;
  private final EventRecorder events;
  private final Informer<WorkloadPod> pods;
  private final Informer<Node> nodes;
  private final Map<ObjectKey, Seen> since = new ConcurrentHashMap<>();
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;
  private final int workers;

  public TaintEvictionController(ControllerContext wiring, int workers) {
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.ticker = wiring.pacing().ticker();
    this.events = wiring.events("taint-eviction-controller");
    this.pods = wiring.informers().of(WorkloadPod.KIND);
    this.nodes = wiring.informers().of(Node.KIND);
    this.workers = workers;
    this.queue = new WorkQueue<>(ticker, BACKOFF);
    this.loop =
        new ControllerLoop<>(
            "taint-eviction-controller", queue, this::reconcile, List.of(pods, nodes));
  }

  @Override
  public void start() {
    pods.onChange(new EachChange<>(pod -> queue.add(pod.key())));
    nodes.onChange(new NodeChanges());
    loop.start(workers);
  }

  @Override
  public ControllerLoop<ObjectKey> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Optional<WorkloadPod> found = pods.get(key);
    if (found.isEmpty() || found.get().nodeName().isEmpty() || found.get().terminating()) {
      since.remove(key);
      return Reconciler.DONE;
    }
    WorkloadPod pod = found.get();
    List<Taint> taints =
        nodes.get(new ObjectKey("", pod.nodeName())).map(Node::taints).orElse(List.of()).stream()
            .filter(taint -> taint.effect().equals(Taint.NO_EXECUTE))
            .toList();
    Optional<Duration> patience = patience(taints, pod.tolerations());
    if (patience.isEmpty()) {
      since.remove(key);
      return Reconciler.DONE;
    }
    long now = ticker.nanos();
    Seen seen = new Seen(pod.uid(), now);
    Seen begun = since.merge(key, seen, (old, fresh) -> old.uid().equals(pod.uid()) ? old : fresh);
    Duration left = patience.get().minusNanos(now - begun.at());
    if (left.isPositive()) {
      return new Reconciler.Result.Again(left);
    }
    evict(pod);
    since.remove(key);
    return Reconciler.DONE;
  }

  /// How long a pod stays under these taints: zero when it does not put up with one of them, empty
  /// for as long as it likes.
  static Optional<Duration> patience(List<Taint> taints, List<Toleration> tolerations) {
    Optional<Duration> least = Optional.empty();
    for (Taint taint : taints) {
      List<Toleration> used =
          tolerations.stream().filter(toleration -> toleration.tolerates(taint)).toList();
      if (used.isEmpty()) {
        return Optional.of(Duration.ZERO);
      }
      for (Toleration toleration : used) {
        if (toleration.seconds().isPresent()) {
          Duration limit = Duration.ofSeconds(toleration.seconds().getAsLong());
          least = least.filter(other -> other.compareTo(limit) <= 0).or(() -> Optional.of(limit));
        }
      }
    }
    return least;
  }

  private void evict(WorkloadPod pod) {
    boolean there =
        Disruption.mark(
            client,
            pod,
            "DeletionByTaintManager",
            "Taint manager: deleting due to NoExecute taint",
            false,
            clock.instant());
    if (!there) {
      return;
    }
    events.record(
        ObjectEvent.normal(
            new ObjectRef(ResourceType.PODS, pod.key(), pod.uid()),
            "TaintManagerEviction",
            "Marking for deletion Pod " + pod.key()));
    try {
      client.delete(ResourceType.PODS, pod.key(), DeleteOptions.DEFAULT.onlyUid(pod.uid()));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  private final class NodeChanges implements ChangeHandler<Node> {
    @Override
    public void added(Node node, boolean initial) {
      wake(node);
    }

    @Override
    public void updated(Node old, Node now) {
      if (!old.taints().equals(now.taints())) {
        wake(now);
      }
    }

    @Override
    public void deleted(Node last, boolean finalStateUnknown) {}

    private void wake(Node node) {
      pods.find(WorkloadPod.BY_NODE, node.name()).forEach(pod -> queue.add(pod.key()));
    }
  }
}
