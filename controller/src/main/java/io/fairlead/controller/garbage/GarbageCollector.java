package io.fairlead.controller.garbage;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.Discovery;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.garbage.OwnerGraph.Node;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Deletes objects whose owners are gone, and holds owners back while they wait for their
/// dependents.
///
/// How it works: the metadata of every deletable kind is watched and kept as a graph by uid. A
/// change puts the uids it concerns into a queue; for each, a pure verdict is reached
/// (`GarbageAction`) and carried out. Nothing is decided before the whole graph has been seen once,
/// every owner that the graph does not know is asked for at the server, and every deletion names
/// the uid and the version it was decided on.
public final class GarbageCollector implements Controller {
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(5), Duration.ofSeconds(60));
  private static final int WORKERS = 4;

  /// Each kind has its own watch, and one may run a little ahead of another. An owner is let go no
  /// sooner than this after it was seen to wait, so that a dependent made just before is not
  /// overlooked.
  private static final Duration SETTLE = Duration.ofMillis(200);

  private final Client client;
  private final OwnerGraph graph = new OwnerGraph();
  private final OwnerLookup lookup;
  private final WorkQueue<String> queue;
  private final List<Informer<?>> informers = new ArrayList<>();
  private final ControllerLoop<String> loop;
  private final Ticker ticker;
  private final Map<String, Long> waitingSince = new ConcurrentHashMap<>();
  private final DefinedKinds defined;

  public GarbageCollector(
      Client client, Discovery discovery, EventRecorder events, TimingSources pacing) {
    this.client = client;
    this.ticker = pacing.ticker();
    this.lookup = new OwnerLookup(client, discovery, graph, events);
    this.queue = new WorkQueue<>(pacing.ticker(), BACKOFF);
    for (Discovery.ServedResource served : discovery.resources()) {
      ResourceType type = served.type();
      if (served.can("list", "watch", "delete") && !type.plural().equals("events")) {
        informers.add(follow(type, pacing));
      }
    }
    this.loop = new ControllerLoop<>("garbage-collector", queue, this::reconcile, informers);
    this.defined =
        new DefinedKinds(
            client, discovery, type -> follow(type, pacing), lookup::served, this::forget);
  }

  @Override
  public void start() {
    informers.forEach(Informer::start);
    loop.start(WORKERS);
    defined.start();
  }

  @Override
  public ControllerLoop<String> loop() {
    return loop;
  }

  @Override
  public void close() {
    defined.close();
    loop.close();
    informers.forEach(Informer::close);
  }

  private Informer<ObjectMeta> follow(ResourceType type, TimingSources pacing) {
    Informer<ObjectMeta> informer =
        new Informer<>(ListWatchFactory.metadata(client, type), ObjectMeta::of, pacing);
    if (type.plural().equals("customresourcedefinitions")) {
      informer.onChange(whenDefinitionsChange());
    }
    informer.onChange(
        new ChangeHandler<>() {
          @Override
          public void added(ObjectMeta object, boolean initial) {
            put(new Node(type, object));
          }

          @Override
          public void updated(ObjectMeta old, ObjectMeta now) {
            if (!old.uid().equals(now.uid())) {
              enqueue(graph.remove(old.uid()));
            }
            put(new Node(type, now));
          }

          @Override
          public void deleted(ObjectMeta last, boolean finalStateUnknown) {
            waitingSince.remove(last.uid());
            enqueue(graph.remove(last.uid()));
          }
        });
    return informer;
  }

  private ChangeHandler<ObjectMeta> whenDefinitionsChange() {
    return new ChangeHandler<>() {
      @Override
      public void added(ObjectMeta object, boolean initial) {
        defined.wake();
      }

      @Override
      public void updated(ObjectMeta old, ObjectMeta now) {
        defined.wake();
      }

      @Override
      public void deleted(ObjectMeta last, boolean finalStateUnknown) {
        defined.wake();
      }
    };
  }

  /// A kind is no longer served, so none of its objects is there any more.
  private void forget(ResourceType type) {
    graph.ofType(type).forEach(uid -> enqueue(graph.remove(uid)));
  }

  private void put(Node node) {
    enqueue(graph.put(node));
    lookup.ownerSeen(node);
  }

  private void enqueue(Set<String> uids) {
    uids.forEach(queue::add);
  }

  private Reconciler.Result reconcile(String uid) {
    Optional<Node> found = graph.get(uid);
    if (found.isEmpty()) {
      return Reconciler.DONE;
    }
    Node node = found.get();
    List<GarbageAction.Owned> owners = new ArrayList<>();
    if (!node.meta().beingDeleted()) {
      for (OwnerReference reference : node.meta().ownerReferences()) {
        owners.add(new GarbageAction.Owned(reference.uid(), lookup.judge(node, reference)));
      }
    }
    List<Node> blockers = node.waitsForDependents() ? graph.blockers(uid) : List.of();
    GarbageAction verdict = GarbageAction.of(node, owners, graph.dependents(uid), blockers);
    if (verdict instanceof GarbageAction.Release || verdict instanceof GarbageAction.Orphan) {
      long now = ticker.nanos();
      long waited = now - waitingSince.computeIfAbsent(uid, _ -> now);
      if (waited < SETTLE.toNanos()) {
        return new Reconciler.Result.Again(SETTLE.minusNanos(waited));
      }
    }
    carryOut(node, verdict);
    return Reconciler.DONE;
  }

  private void carryOut(Node node, GarbageAction verdict) {
    switch (verdict) {
      case GarbageAction.Keep() -> {}
      case GarbageAction.Delete(var propagation) -> delete(node, propagation);
      case GarbageAction.DropOwners(Set<String> uids) ->
          edit(node, "ownerReferences", owner -> !uids.contains(Json.textOr(owner, "", "uid")));
      case GarbageAction.Orphan(List<Node> dependents) -> {
        for (Node dependent : dependents) {
          edit(dependent, "ownerReferences", owner -> !node.uid().equals(Json.text(owner, "uid")));
        }
        dropFinalizer(node, OwnerGraph.ORPHAN);
      }
      case GarbageAction.DeleteDependents(List<Node> dependents) ->
          dependents.forEach(dependent -> queue.add(dependent.uid()));
      case GarbageAction.Release() -> dropFinalizer(node, OwnerGraph.FOREGROUND);
    }
  }

  private void delete(Node node, DeleteOptions.Propagation propagation) {
    DeleteOptions how =
        DeleteOptions.of(propagation)
            .onlyUid(node.uid())
            .onlyVersion(node.meta().resourceVersion());
    try {
      client.delete(node.type(), node.meta().key(), how);
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  private void dropFinalizer(Node node, String finalizer) {
    edit(node, "finalizers", entry -> !finalizer.equals(entry.asString("")));
  }

  /// Keeps the entries of a metadata list that pass. Reads the object again, so that the list is
  /// the server's own; an object that is gone, or another one by now, is left alone.
  private void edit(Node node, String list, Predicate<JsonNode> keep) {
    Optional<ObjectNode> live = client.findMetadata(node.type(), node.meta().key());
    if (live.isEmpty() || !node.uid().equals(Json.text(live.get(), "metadata", "uid"))) {
      return;
    }
    ArrayNode kept = Json.array();
    int before = 0;
    for (JsonNode entry : Json.at(live.get(), "metadata", list)) {
      before++;
      if (keep.test(entry)) {
        kept.add(entry);
      }
    }
    if (kept.size() == before) {
      return;
    }
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", node.uid())
        .put("resourceVersion", Json.textOr(live.get(), "", "metadata", "resourceVersion"))
        .set(list, kept);
    try {
      client.patch(node.type(), node.meta().key(), PatchType.MERGE, patch);
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }
}
