package io.fairlead.controller.scheduler;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePodInformer;
import io.fairlead.controller.workload.ControllerRefManager;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Finds a node for every pod that has none, or says why there is none.
///
/// How it works: one pod at a time, the most important first. Every node is asked what speaks
/// against it ([Filters]), the rest are compared ([Scores]), and the pod is bound to the best. The
/// choice counts from that moment on, so that the next pod sees it before the server has confirmed.
/// When there is none, less important pods may have to leave one ([Preemption]); the pod is
/// nominated to it and tried again when they are gone. One worker; a pod is bound in a thread of
/// its own.
public final class Scheduler implements Controller {
  /// The name that pods ask for by default.
  private static final String NAME = "default-scheduler";

  private static final String NEXT = "next";
  private static final Set<String> SPREAD_OWNERS =
      Set.of("ReplicaSet", "StatefulSet", "ReplicationController");
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(10));

  /// From this many nodes on only a part of them is compared, each time another.
  private static final int COMPARE_ALL = 100;

  private final Client client;
  private final InstantSource clock;
  private final EventRecorder events;
  private final Informer<PodInfo> pods;
  private final Informer<Node> nodes;
  private final Informer<Service> services;
  private final Informer<EvictionAllowance> budgets;
  private final VictimEviction eviction;
  private final SchedulerCache places = new SchedulerCache();
  private final Nominations nominations = new Nominations();
  private final SchedulingQueue waiting;
  private final WorkQueue<String> queue;
  private final ControllerLoop<String> loop;
  private final int workers;
  // The worker's own: where the last search ended.
  private int offset;

  /// @param workers 1, or 0 for tests that run it by hand
  public Scheduler(ControllerContext wiring, int workers) {
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.events = wiring.events(NAME);
    this.workers = workers;
    this.pods = wiring.informers().of(PodInfo.KIND);
    this.nodes = wiring.informers().of(Node.KIND);
    this.services = wiring.informers().of(ServicePodInformer.SERVICES);
    this.budgets = wiring.informers().of(EvictionAllowance.KIND);
    this.eviction = new VictimEviction(client, events, clock);
    this.waiting = new SchedulingQueue(wiring.pacing().ticker());
    this.queue = new WorkQueue<>(wiring.pacing().ticker(), BACKOFF);
    this.loop =
        new ControllerLoop<>(
            "scheduler", queue, _ -> step(), List.of(pods, nodes, services, budgets));
  }

  @Override
  public void start() {
    nodes.onChange(new NodeChanges());
    pods.onChange(new PodChanges());
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

  private Reconciler.Result step() {
    waiting.next().ifPresent(this::place);
    return waiting
        .untilNext()
        .<Reconciler.Result>map(Reconciler.Result.Again::new)
        .orElse(Reconciler.DONE);
  }

  private void place(PodInfo waitingPod) {
    PodInfo pod = withStandardSpread(waitingPod);
    List<NodeInfo> all = nominations.shownTo(pod, places.all());
    Filters filters = new Filters(pod, all);
    List<NodeInfo> possible = new ArrayList<>();
    Map<String, Integer> objections = new LinkedHashMap<>();
    int enough = enough(all.size());
    for (int i = 0; i < all.size() && possible.size() < enough; i++) {
      NodeInfo place = all.get((offset + i) % all.size());
      List<String> against = filters.objections(place);
      if (against.isEmpty()) {
        possible.add(place);
      }
      against.forEach(reason -> objections.merge(reason, 1, Integer::sum));
    }
    if (possible.isEmpty()) {
      waiting.refuse(pod);
      String nominated = preempt(pod, all);
      tellRefused(pod, Filters.message(all.size(), objections), nominated);
      return;
    }
    offset = all.size() > COMPARE_ALL ? (offset + possible.size()) % all.size() : 0;
    NodeInfo best = new Scores(pod, possible, all).best(possible);
    places.assume(pod, best.name());
    waiting.remove(pod.key());
    nominations.remove(pod.key());
    bind(pod, best.name());
  }

  /// Has less important pods leave where that helps. Returns the node that the pod is nominated to;
  /// empty when there is none.
  private String preempt(PodInfo pod, List<NodeInfo> all) {
    String nominated = nominations.node(pod.key());
    if (!Preemption.mayPreempt(pod, nominated, all)) {
      return nominated;
    }
    Optional<Preemption.Victims> victims = Preemption.choose(pod, all, budgets.list());
    if (victims.isEmpty()) {
      nominations.remove(pod.key());
      return "";
    }
    String node = victims.get().node();
    nominations.removeBelow(pod, node);
    nominations.put(pod, node);
    eviction.evict(victims.get(), pod);
    return node;
  }

  /// How many possible nodes are compared.
  private static int enough(int nodes) {
    if (nodes <= COMPARE_ALL) {
      return nodes;
    }
    int percent = Math.max(5, 50 - nodes / 125);
    return Math.max(COMPARE_ALL, nodes * percent / 100);
  }

  /// A pod of a set or a Service that asks for no spread is spread all the same.
  private PodInfo withStandardSpread(PodInfo pod) {
    if (!pod.spread().isEmpty()) {
      return pod;
    }
    Optional<OwnerReference> owner =
        ControllerRefManager.controller(pod.metadata())
            .filter(one -> SPREAD_OWNERS.contains(one.kind()));
    if (owner.isPresent()) {
      return pod.spreadBy(SpreadConstraint.standard(owner.get().uid(), LabelSelector.NOTHING));
    }
    for (Service service : services.list()) {
      if (service.key().namespace().equals(pod.namespace())
          && service.selectsPods()
          && service.selects(pod.labels())) {
        return pod.spreadBy(SpreadConstraint.standard("", LabelSelector.of(service.selector())));
      }
    }
    return pod;
  }

  private void bind(PodInfo pod, String node) {
    ObjectNode binding = Json.object().put("kind", "Binding").put("apiVersion", "v1");
    binding
        .putObject("metadata")
        .put("name", pod.key().name())
        .put("namespace", pod.namespace())
        .put("uid", pod.metadata().uid());
    binding.putObject("target").put("kind", "Node").put("apiVersion", "v1").put("name", node);
    ApiRequest request =
        ApiRequest.with("POST", ResourceType.PODS.path(pod.key()) + "/binding", Map.of(), binding);
    try {
      client.raw(request);
      events.record(
          ObjectEvent.normal(
              about(pod), "Scheduled", "Successfully assigned " + pod.key() + " to " + node));
    } catch (ApiException e) {
      places.remove(pod.key());
      pods.get(pod.key()).filter(now -> now.waits(NAME)).ifPresent(now -> retry(now, e));
    }
  }

  private void retry(PodInfo pod, ApiException e) {
    if (ApiErrors.isNotFound(e)) {
      return;
    }
    waiting.put(pod);
    waiting.refuse(pod);
    waiting.clusterChanged();
    events.record(
        ObjectEvent.warning(about(pod), "FailedScheduling", "binding rejected: " + e.getMessage()));
  }

  private void tellRefused(PodInfo pod, String message, String nominated) {
    events.record(ObjectEvent.warning(about(pod), "FailedScheduling", message));
    if (pod.told().equals(message) && pod.nominatedNode().equals(nominated)) {
      return;
    }
    Optional<ObjectNode> live = client.find(ResourceType.PODS, pod.key());
    if (live.isEmpty() || !ObjectMeta.of(live.get()).uid().equals(pod.metadata().uid())) {
      return;
    }
    ObjectNode status = Json.child(live.get(), "status");
    status.remove("nominatedNodeName");
    if (!nominated.isEmpty()) {
      status.put("nominatedNodeName", nominated);
    }
    StatusConditions.remove(status, "PodScheduled");
    StatusConditions.set(
        status, "PodScheduled", "False", "Unschedulable", message, false, clock.instant());
    try {
      client.update(ResourceType.PODS, "status", live.get());
    } catch (ApiException e) {
      // Gone, or changed a moment ago: the next attempt writes it.
      if (!ApiErrors.isNotFound(e) && !ApiErrors.isConflict(e)) {
        throw e;
      }
    }
  }

  private static ObjectRef about(PodInfo pod) {
    return new ObjectRef(ResourceType.PODS, pod.key(), pod.metadata().uid());
  }

  private void roomMayBe() {
    waiting.clusterChanged();
    queue.add(NEXT);
  }

  private final class NodeChanges implements ChangeHandler<Node> {
    @Override
    public void added(Node node, boolean initial) {
      places.put(node);
      roomMayBe();
    }

    @Override
    public void updated(Node old, Node now) {
      places.put(now);
      boolean matters =
          !old.taints().equals(now.taints())
              || old.unschedulable() != now.unschedulable()
              || !old.allocatable().equals(now.allocatable())
              || !old.metadata().labels().equals(now.metadata().labels());
      if (matters) {
        roomMayBe();
      }
    }

    @Override
    public void deleted(Node last, boolean finalStateUnknown) {
      places.removeNode(last.name());
    }
  }

  private final class PodChanges implements ChangeHandler<PodInfo> {
    @Override
    public void added(PodInfo pod, boolean initial) {
      places.put(pod);
      if (pod.waits(NAME) && !pod.gated()) {
        if (initial && !pod.nominatedNode().isEmpty()) {
          nominations.put(pod, pod.nominatedNode());
        }
        waiting.put(pod);
        queue.add(NEXT);
      } else {
        waiting.remove(pod.key());
        nominations.remove(pod.key());
      }
    }

    @Override
    public void updated(PodInfo old, PodInfo now) {
      added(now, false);
      boolean left = old.holdsPlace() && !now.holdsPlace();
      boolean came = !old.holdsPlace() && now.holdsPlace();
      if (left || came || !old.labels().equals(now.labels())) {
        roomMayBe(); // also a newcomer may be whom another wants to be near
      }
    }

    @Override
    public void deleted(PodInfo last, boolean finalStateUnknown) {
      places.remove(last.key());
      waiting.remove(last.key());
      nominations.remove(last.key());
      roomMayBe();
    }
  }
}
