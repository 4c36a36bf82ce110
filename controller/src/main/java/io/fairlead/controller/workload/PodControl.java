package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.work.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import tools.jackson.databind.node.ObjectNode;

/// Makes and deletes pods for their owners, records events about it, and notes it as expected.
public final class PodControl {
  /// At most so many are made or deleted in one run.
  public static final int BURST = 500;

  private final Client client;
  private final EventRecorder events;
  private final ResourceType ownerType;
  private final Expectations expectations;

  public PodControl(
      Client client, EventRecorder events, ResourceType ownerType, Expectations expectations) {
    this.client = client;
    this.events = events;
    this.ownerType = ownerType;
    this.expectations = expectations;
  }

  /// A pod as an owner's template describes it. The caller may still change it.
  ///
  /// @param name empty for one the server makes from the owner's
  public static ObjectNode fromTemplate(
      ObjectNode template, ResourceType ownerType, ObjectMeta owner, String name) {
    ObjectNode pod = Json.object().put("kind", "Pod").put("apiVersion", "v1");
    ObjectNode metadata = pod.putObject("metadata").put("namespace", owner.namespace());
    if (name.isEmpty()) {
      metadata.put("generateName", owner.name() + "-");
    } else {
      metadata.put("name", name);
    }
    for (String part : List.of("labels", "annotations", "finalizers")) {
      if (Json.at(template, "metadata", part).isContainer()) {
        metadata.set(part, Json.at(template, "metadata", part).deepCopy());
      }
    }
    metadata.putArray("ownerReferences").add(ControllerRefManager.reference(ownerType, owner));
    pod.set("spec", Json.child(template.deepCopy(), "spec"));
    return pod;
  }

  /// Makes a pod.
  ///
  /// @throws ApiException what the server says; an event has it too
  public ObjectNode create(ObjectMeta owner, ObjectNode pod) {
    if (Json.at(pod, "metadata", "labels").isEmpty()) {
      throw ApiException.badRequest(
          "unable to create pods, no labels: the template of " + owner.key() + " has none");
    }
    try {
      ObjectNode made = client.create(ResourceType.PODS, owner.namespace(), pod);
      expectations.wrote(owner.key(), made);
      tell(owner, false, "SuccessfulCreate", "Created pod: " + ObjectKey.of(made).name());
      return made;
    } catch (ApiException e) {
      if (!ApiErrors.isNamespaceTerminating(e)) {
        tell(owner, true, "FailedCreate", "Error creating: " + e.getMessage());
      }
      throw e;
    }
  }

  /// Deletes a pod and no later one of its name. One that is gone is no failure.
  public void delete(ObjectMeta owner, WorkloadPod pod) {
    try {
      client.delete(ResourceType.PODS, pod.key(), DeleteOptions.DEFAULT.onlyUid(pod.uid()));
      expectations.deleted(owner.key(), pod.uid());
      tell(owner, false, "SuccessfulDelete", "Deleted pod: " + pod.key().name());
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return;
      }
      tell(owner, true, "FailedDelete", "Error deleting: " + e.getMessage());
      throw e;
    }
  }

  /// Makes so many pods in batches of 1, 2, 4…: when one of a batch fails, no further batch is
  /// tried, so that a refusal (a quota, say) costs a few requests and not hundreds.
  ///
  /// @throws ApiException the first failure
  public void createSlowly(ObjectMeta owner, int count, IntFunction<ObjectNode> pod) {
    int made = 0;
    for (int batch = 1; made < count; batch *= 2) {
      int size = Math.min(batch, count - made);
      int first = made;
      together(size, i -> create(owner, pod.apply(first + i)));
      made += size;
    }
  }

  /// Deletes pods, all at once.
  ///
  /// @throws ApiException the first failure; the others are tried all the same
  public void deleteAll(ObjectMeta owner, List<WorkloadPod> victims) {
    together(victims.size(), i -> delete(owner, victims.get(i)));
  }

  public void tell(ObjectMeta owner, boolean warning, String reason, String message) {
    ObjectRef about = new ObjectRef(ownerType, owner.key(), owner.uid());
    events.record(new ObjectEvent(about, warning, reason, message));
  }

  private static void together(int count, IntConsumer work) {
    if (count == 1) {
      work.accept(0);
      return;
    }
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService threads = Tasks.perTask("pod-control")) {
      for (int i = 0; i < count; i++) {
        int which = i;
        running.add(threads.submit(() -> work.accept(which)));
      }
    }
    for (Future<?> one : running) {
      if (one.state() == Future.State.FAILED && one.exceptionNow() instanceof RuntimeException e) {
        throw e;
      }
    }
  }
}
