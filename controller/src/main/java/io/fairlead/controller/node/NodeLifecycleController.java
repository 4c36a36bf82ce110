package io.fairlead.controller.node;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.client.objects.V1Node;
import io.fairlead.controller.node.NodeHealth.Seen;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import io.fairlead.controller.runtime.Attempts;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.EachChange;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Watches whether nodes are alive. A node that has been silent for too long gets the condition
/// Ready Unknown; its pods become not ready, which is what takes them out of Services; taints keep
/// new pods away and, node after node, drive the others off.
///
/// Looks every five seconds, and at a node that changed at once. One worker, which owns the state.
public final class NodeLifecycleController implements Controller {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), PERIOD);

  /// The key for the look at all nodes; no node can be called so.
  private static final String ALL = "";

  private final Client client;
  private final InstantSource clock;
  private final Ticker ticker;
  private final EventRecorder events;
  private final Informer<Node> nodes;
  private final Informer<WorkloadPod> pods;
  private final Informer<NodeLease> leases;
  private final Map<String, Seen> seen = new HashMap<>();
  private final ZoneEvictionRates zones;
  private boolean allWereDown;
  private final WorkQueue<String> queue;
  private final ControllerLoop<String> loop;
  private final int workers;
  private final Duration grace;

  /// @param grace how long a node may be silent
  /// @param workers 1, or 0 for tests that run it by hand
  public NodeLifecycleController(ControllerContext wiring, Duration grace, int workers) {
    this.grace = grace;
    this.client = wiring.client();
    this.clock = wiring.clock();
    this.ticker = wiring.pacing().ticker();
    this.events = wiring.events("node-controller");
    this.nodes = wiring.informers().of(Node.KIND);
    this.pods = wiring.informers().of(WorkloadPod.KIND);
    this.leases = wiring.informers().of(NodeLease.KIND);
    this.zones = new ZoneEvictionRates(ticker);
    this.workers = workers;
    this.queue = new WorkQueue<>(ticker, BACKOFF);
    this.loop =
        new ControllerLoop<>(
            "node-lifecycle-controller", queue, this::reconcile, List.of(nodes, pods, leases));
  }

  @Override
  public void start() {
    nodes.onChange(new EachChange<>(node -> queue.add(node.name())));
    queue.add(ALL);
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

  private Reconciler.Result reconcile(String name) {
    if (name.equals(ALL)) {
      round();
      return new Reconciler.Result.Again(PERIOD);
    }
    nodes.get(new ObjectKey("", name)).ifPresentOrElse(this::mirror, () -> seen.remove(name));
    return Reconciler.DONE;
  }

  /// Looks at all nodes. A node whose change the server refuses does not keep the others from
  /// theirs; the refusal ends the round as failed once all are done.
  private void round() {
    Attempts attempts = new Attempts();
    List<Node> all = nodes.list();
    all.forEach(node -> attempts.run(() -> check(node)));
    boolean down = ZoneEvictionRates.allDown(nodes.list());
    if (!down && allWereDown) {
      // We were cut off, not they: they get their full time again.
      seen.replaceAll((_, before) -> new Seen(before.signs(), ticker.nanos()));
    }
    allWereDown = down;
    if (down) {
      nodes.list().forEach(node -> attempts.run(() -> taint(node, false)));
    } else {
      all.forEach(node -> driveAway(node, all, attempts));
    }
    attempts.check();
  }

  /// Taints a node in trouble so that its pods leave, when its zone admits one more.
  private void driveAway(Node node, List<Node> all, Attempts attempts) {
    boolean due = NodeTaints.trouble(node).isPresent() && !NodeTaints.drivesAway(node);
    if (due && zones.admits(node.zone(), all) && attempts.run(() -> taint(node, true))) {
      zones.count(node.zone(), all);
    }
  }

  /// Looks for a sign of life.
  private void check(Node node) {
    String name = node.name();
    String lease = leases.get(NodeLease.key(name)).map(NodeLease::renewed).orElse("");
    Seen known = note(name, NodeHealth.signs(lease, node));
    if (!NodeHealth.isLost(node, known, grace, ticker.nanos()) || isForgotten(node)) {
      return;
    }
    // Our copy may lag: only the server's word counts.
    String live =
        client
            .find(ResourceType.LEASES, NodeLease.key(name))
            .map(NodeLease::of)
            .map(NodeLease::renewed)
            .orElse("");
    Optional<ObjectNode> object = client.find(ResourceType.NODES, node.metadata().key());
    if (object.isEmpty()) {
      return;
    }
    Node now = Node.of(V1Node.of(object.get()));
    Seen newest = note(name, NodeHealth.signs(live, now));
    if (!NodeHealth.isLost(now, newest, grace, ticker.nanos())) {
      return;
    }
    if (NodeHealth.forget(object.get(), clock.instant())) {
      try {
        client.update(ResourceType.NODES, "status", object.get());
      } catch (ApiException e) {
        // Another client wrote it meanwhile, perhaps the node itself: the next round reads it.
        if (!ApiErrors.isConflict(e) && !ApiErrors.isNotFound(e)) {
          throw e;
        }
      }
    }
  }

  /// Nothing more can be said about it.
  private static boolean isForgotten(Node node) {
    return NodeHealth.CONDITIONS.stream()
        .allMatch(type -> node.conditions().getOrDefault(type, "").equals("Unknown"));
  }

  private Seen note(String name, String signs) {
    Seen known = seen.get(name);
    if (known == null || !known.signs().equals(signs)) {
      known = new Seen(signs, ticker.nanos());
      seen.put(name, known);
    }
    return known;
  }

  /// Brings taints and pods into line with what the node's conditions say.
  private void mirror(Node node) {
    boolean troubled = NodeTaints.trouble(node).isPresent();
    taint(node, troubled && NodeTaints.drivesAway(node) && !allWereDown);
    if (troubled) {
      unready(node);
    }
  }

  private void taint(Node node, boolean driveAway) {
    List<Taint> wanted = NodeTaints.wanted(node, driveAway);
    if (wanted.equals(node.taints())
        || (wanted.size() == node.taints().size() && wanted.containsAll(node.taints()))) {
      return;
    }
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", node.metadata().uid())
        .put("resourceVersion", node.metadata().resourceVersion());
    ArrayNode taints = patch.putObject("spec").putArray("taints");
    wanted.forEach(taint -> taints.add(stamped(taint)));
    try {
      client.patch(ResourceType.NODES, node.metadata().key(), PatchType.MERGE, patch);
    } catch (ApiException e) {
      // An event about what it is now is on its way.
      if (!ApiErrors.isConflict(e) && !ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  private ObjectNode stamped(Taint taint) {
    ObjectNode json = taint.toJson();
    boolean ours = taint.key().startsWith("node.kubernetes.io/");
    return ours ? json.put("timeAdded", Rfc3339Times.text(clock.instant())) : json;
  }

  /// The pods of a node that is not ready are not ready either.
  private void unready(Node node) {
    List<WorkloadPod> ready =
        pods.find(WorkloadPod.BY_NODE, node.name()).stream()
            .filter(pod -> pod.ready() && !pod.finished())
            .toList();
    if (!ready.isEmpty()) {
      events.record(
          ObjectEvent.normal(
              new ObjectRef(ResourceType.NODES, node.metadata().key(), node.metadata().uid()),
              "NodeNotReady",
              "Node " + node.name() + " status is now: NodeNotReady"));
    }
    Attempts.forEach(ready, this::unready);
  }

  private void unready(WorkloadPod pod) {
    Optional<ObjectNode> live = client.find(ResourceType.PODS, pod.key());
    if (live.isEmpty()
        || !pod.uid().equals(Json.text(live.get(), "metadata", "uid"))
        || !(StatusConditions.find(live.get().path("status"), "Ready")
            instanceof ObjectNode ready)) {
      return;
    }
    ready.put("status", "False").put("lastTransitionTime", Rfc3339Times.text(clock.instant()));
    try {
      client.update(ResourceType.PODS, "status", live.get());
      events.record(
          ObjectEvent.warning(
              new ObjectRef(ResourceType.PODS, pod.key(), pod.uid()),
              "NodeNotReady",
              "Node is not ready"));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }
}
