package io.fairlead.controller.garbage;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.runtime.Attempts;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.Disruption;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Deletes pods that no other component deletes: too many that finished, those of nodes that are
/// gone, and those deleted before they were put anywhere. Looks every twenty seconds. One worker,
/// which owns the times.
public final class PodGarbageController implements Controller {
  private static final Duration PERIOD = Duration.ofSeconds(20);
  private static final Duration NODE_MISSING = Duration.ofSeconds(40);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), PERIOD);
  private static final int THRESHOLD = 12_500;
  private static final String ROUND = "round";

  private final Client client;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Informer<WorkloadPod> pods;
  private final Informer<Node> nodes;
  private final int threshold;
  private final int workers;
  private final WorkQueue<String> queue;
  private final ControllerLoop<String> loop;
  // Since when a node that pods name is not there; the worker's own.
  private final Map<String, Long> missingSince = new HashMap<>();

  public PodGarbageController(ControllerContext wiring, int workers) {
    this(wiring, workers, THRESHOLD);
  }

  PodGarbageController(ControllerContext wiring, int workers, int threshold) {
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.ticker = wiring.pacing().ticker();
    this.pods = wiring.informers().of(WorkloadPod.KIND);
    this.nodes = wiring.informers().of(Node.KIND);
    this.threshold = threshold;
    this.workers = workers;
    this.queue = new WorkQueue<>(ticker, BACKOFF);
    this.loop =
        new ControllerLoop<>(
            "pod-garbage-collector-controller", queue, _ -> round(), List.of(pods, nodes));
  }

  @Override
  public void start() {
    queue.add(ROUND);
    loop.start(workers);
  }

  @Override
  public ControllerLoop<String> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
  }

  private Reconciler.Result round() {
    List<WorkloadPod> all = pods.list();
    List<Node> there = nodes.list();
    noteMissing(all, there);
    PodGarbage garbage = PodGarbage.of(all, there, threshold, this::isGone);
    // A pod whose deletion the server refuses does not keep the others.
    Attempts attempts = new Attempts();
    garbage.delete().forEach(pod -> attempts.run(() -> delete(pod)));
    garbage.fail().forEach(pod -> attempts.run(() -> fail(pod)));
    attempts.check();
    return new Reconciler.Result.Again(PERIOD);
  }

  private void fail(WorkloadPod pod) {
    boolean stays =
        Disruption.mark(
            client, pod, "DeletionByPodGC", "PodGC: node no longer exists", true, clock.instant());
    if (stays) {
      delete(pod);
    }
  }

  private void noteMissing(List<WorkloadPod> all, List<Node> there) {
    Set<String> names = new HashSet<>();
    all.forEach(pod -> names.add(pod.nodeName()));
    names.remove("");
    there.forEach(node -> names.remove(node.name()));
    missingSince.keySet().retainAll(names);
    names.forEach(name -> missingSince.putIfAbsent(name, ticker.nanos()));
  }

  /// Missing for long enough, and the server says so too.
  private boolean isGone(String node) {
    Long since = missingSince.get(node);
    return since != null
        && ticker.nanos() - since >= NODE_MISSING.toNanos()
        && client.findMetadata(ResourceType.NODES, new ObjectKey("", node)).isEmpty();
  }

  private void delete(WorkloadPod pod) {
    try {
      client.delete(
          ResourceType.PODS, pod.key(), DeleteOptions.DEFAULT.onlyUid(pod.uid()).within(0));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }
}
