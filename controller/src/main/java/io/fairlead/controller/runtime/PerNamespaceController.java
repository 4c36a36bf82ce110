package io.fairlead.controller.runtime;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// Keeps one object of a fixed name in every namespace that is not being deleted.
public final class PerNamespaceController implements Controller {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  /// What the object must be.
  public interface DesiredObject {
    /// The object to make, without a namespace.
    ObjectNode fresh();

    /// What to write over an object that is there; empty when it is right as it is.
    Optional<ObjectNode> corrected(ObjectNode present);
  }

  private final Client client;
  private final ResourceType type;
  private final String objectName;
  private final DesiredObject wanted;
  private final Informer<ApiObject> namespaces;
  private final Informer<ApiObject> objects;
  private final WorkQueue<String> queue;
  private final ControllerLoop<String> loop;

  /// @param namespaces shared and started by the caller
  public PerNamespaceController(
      String controller,
      Client client,
      ResourceType type,
      String objectName,
      DesiredObject wanted,
      Informer<ApiObject> namespaces,
      TimingSources pacing) {
    this.client = client;
    this.type = type;
    this.objectName = objectName;
    this.wanted = wanted;
    this.namespaces = namespaces;
    this.queue = new WorkQueue<>(pacing.ticker(), BACKOFF);
    this.objects =
        new Informer<>(
            ListWatchFactory.objectsByField(client, type, "", "metadata.name=" + objectName),
            ApiObject::of,
            pacing);
    this.loop =
        new ControllerLoop<>(controller, queue, this::reconcile, List.of(namespaces, objects));
  }

  @Override
  public void start() {
    namespaces.onChange(enqueue(Keyed.BY_NAME));
    objects.onChange(enqueue(Keyed.BY_NAMESPACE));
    objects.start();
    loop.start(1);
  }

  @Override
  public ControllerLoop<String> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    objects.close();
  }

  private Reconciler.Result reconcile(String namespace) {
    Optional<ApiObject> home = namespaces.get(new ObjectKey("", namespace));
    if (home.isEmpty() || home.get().metadata().beingDeleted()) {
      return Reconciler.DONE;
    }
    Optional<ApiObject> present = objects.get(new ObjectKey(namespace, objectName));
    try {
      if (present.isEmpty()) {
        client.create(type, namespace, wanted.fresh());
      } else {
        wanted
            .corrected(present.get().body().deepCopy())
            .ifPresent(right -> client.update(type, right));
      }
    } catch (ApiException e) {
      boolean settled =
          ApiErrors.isAlreadyExists(e) || ApiErrors.isNamespaceTerminating(e) || isGone(e);
      if (!settled) {
        throw e;
      }
    }
    return Reconciler.DONE;
  }

  /// The namespace, or the object to correct, vanished: an event about that is on its way.
  private static boolean isGone(ApiException e) {
    return ApiErrors.isNotFound(e);
  }

  private enum Keyed {
    BY_NAME,
    BY_NAMESPACE
  }

  private ChangeHandler<ApiObject> enqueue(Keyed keyed) {
    Consumer<ApiObject> add =
        object -> {
          ObjectKey key = object.metadata().key();
          queue.add(keyed == Keyed.BY_NAME ? key.name() : key.namespace());
        };
    return ChangeHandler.of(add, add);
  }
}
