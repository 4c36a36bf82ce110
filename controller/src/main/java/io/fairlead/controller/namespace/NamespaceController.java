package io.fairlead.controller.namespace;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.Discovery;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Attempts;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Empties namespaces that are being deleted and then takes their `kubernetes` finalizer away.
///
/// How it works: pods go first and must all be gone before anything else is touched, so that no
/// policy or secret vanishes under a running pod. Then every other kind that lives in namespaces
/// and can be deleted, found by asking the server. A kind that could not be asked about is not
/// empty but unknown, and keeps the namespace. Objects with finalizers stay until their owners let
/// go: the controller looks again, each time a little later, and says in the conditions what it
/// waits for.
public final class NamespaceController implements Controller {
  private static final String FINALIZER = "kubernetes";
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(10));
  private static final int WORKERS = 4;

  private final Client client;
  private final Informer<ApiObject> namespaces;
  private final Duration settle;
  private final InstantSource clock;
  private final WorkQueue<String> queue;
  private final ControllerLoop<String> loop;

  /// @param namespaces shared and started by the caller
  /// @param settle how long to wait after a namespace began to go, so that every API server has
  ///   seen it and takes no more objects; zero with a single server
  public NamespaceController(
      Client client,
      Informer<ApiObject> namespaces,
      Duration settle,
      InstantSource clock,
      TimingSources pacing) {
    this.client = client;
    this.namespaces = namespaces;
    this.settle = settle;
    this.clock = clock;
    this.queue = new WorkQueue<>(pacing.ticker(), BACKOFF);
    this.loop = new ControllerLoop<>("namespace", queue, this::reconcile, List.of(namespaces));
  }

  @Override
  public void start() {
    namespaces.onChange(
        new ChangeHandler<>() {
          @Override
          public void added(ApiObject object, boolean initial) {
            if (object.metadata().beingDeleted()) {
              queue.addAfter(object.metadata().name(), settle);
            }
          }

          @Override
          public void updated(ApiObject old, ApiObject now) {
            boolean begins =
                !old.metadata().beingDeleted()
                    || !old.metadata().uid().equals(now.metadata().uid());
            if (begins) {
              added(now, false);
            }
          }

          @Override
          public void deleted(ApiObject last, boolean finalStateUnknown) {}
        });
    loop.start(WORKERS);
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
    Optional<ObjectNode> found = client.find(ResourceType.NAMESPACES, new ObjectKey("", name));
    if (found.isEmpty() || !toBeEmptied(found.get())) {
      return Reconciler.DONE;
    }
    RemainingContent findings = empty(name);
    if (findings.empty()) {
      finish(found.get());
      return Reconciler.DONE;
    }
    report(name, findings);
    return Reconciler.WAITING;
  }

  private static boolean toBeEmptied(ObjectNode namespace) {
    boolean held = false;
    for (JsonNode finalizer : Json.at(namespace, "spec", "finalizers")) {
      held |= FINALIZER.equals(finalizer.asString(""));
    }
    return held && namespace.path("metadata").hasNonNull("deletionTimestamp");
  }

  private RemainingContent empty(String namespace) {
    RemainingContent findings = new RemainingContent();
    clear(ResourceType.PODS, true, namespace, findings);
    if (!findings.empty()) {
      return findings;
    }
    Discovery discovery = Discovery.of(client);
    discovery.failures().forEach(findings::discoveryFailed);
    for (Discovery.ServedResource served : discovery.resources()) {
      ResourceType type = served.type();
      if (type.namespaced() && served.can("list", "delete") && !type.equals(ResourceType.PODS)) {
        clear(type, served.can("deletecollection"), namespace, findings);
      }
    }
    return findings;
  }

  /// Deletes all objects of a kind and notes what is still there.
  private void clear(
      ResourceType type, boolean atOnce, String namespace, RemainingContent findings) {
    try {
      List<ObjectMeta> present = present(type, namespace);
      if (present.isEmpty()) {
        return;
      }
      DeleteOptions how = DeleteOptions.of(DeleteOptions.Propagation.BACKGROUND);
      if (atOnce) {
        client.deleteCollection(type, namespace, ListOptions.ALL, how);
      } else {
        Attempts.forEach(present, object -> delete(type, object, how));
      }
      present(type, namespace).forEach(left -> findings.remains(type, left.finalizers()));
    } catch (ApiException e) {
      boolean notServed = e.status().code() == 404 || e.status().code() == 405;
      if (!notServed) {
        findings.deletionFailed(type, e.status().message());
      }
    }
  }

  private void delete(ResourceType type, ObjectMeta object, DeleteOptions how) {
    try {
      client.delete(type, object.key(), how.onlyUid(object.uid()));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e) && !ApiErrors.isConflict(e)) {
        throw e;
      }
    }
  }

  private List<ObjectMeta> present(ResourceType type, String namespace) {
    return client.listMetadata(type, namespace, ListOptions.ALL).items().stream()
        .map(ObjectMeta::of)
        .toList();
  }

  private void finish(ObjectNode namespace) {
    ObjectNode freed = namespace.deepCopy();
    ArrayNode kept = Json.array();
    for (JsonNode finalizer : Json.at(namespace, "spec", "finalizers")) {
      if (!FINALIZER.equals(finalizer.asString(""))) {
        kept.add(finalizer);
      }
    }
    Json.child(freed, "spec").set("finalizers", kept);
    try {
      client.update(ResourceType.NAMESPACES, "finalize", freed);
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  private void report(String name, RemainingContent findings) {
    Optional<ObjectNode> found = client.find(ResourceType.NAMESPACES, new ObjectKey("", name));
    if (found.isEmpty()) {
      return;
    }
    ObjectNode namespace = found.get();
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    if (NamespaceConditions.apply(Json.child(namespace, "status"), findings, now)) {
      client.update(ResourceType.NAMESPACES, "status", namespace);
    }
  }
}
