package io.fairlead.agent.manifest;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Keeps a mirror in the API for every static pod: an object that shows the pod and carries its
/// status, but decides nothing. A loop creates a deleted mirror again, replaces one of an older
/// file and deletes one without a file. Those that show a component of the process are left alone.
public final class MirrorPodReconciler implements AutoCloseable {
  static final String LOOP = "mirror-pods";
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  private final Client client;
  private final Informer<Pod> pods;
  private final String node;
  private final Supplier<String> nodeUid;
  private final SupervisedLoop loop;
  private volatile Map<ObjectKey, Pod> wanted = Map.of();

  /// @param pods those of this node in the API
  /// @param nodeUid of the Node, the owner of all of them
  public MirrorPodReconciler(
      Client client, Informer<Pod> pods, String node, Supplier<String> nodeUid) {
    this.client = client;
    this.pods = pods;
    this.node = node;
    this.nodeUid = nodeUid;
    this.loop = SupervisedLoop.of(LOOP).every(PERIOD).backoff(BACKOFF).build(this::round);
  }

  public void start() {
    loop.start();
  }

  /// These are the static pods from now on.
  public void want(Map<ObjectKey, Pod> statics) {
    wanted = Map.copyOf(statics);
    look();
  }

  /// Something has changed in the API.
  public void look() {
    loop.wake();
  }

  /// The uid under which the API knows a static pod; empty while it does not.
  public Optional<String> uid(Pod pod) {
    return pods.get(pod.key())
        .filter(one -> one.mirrorOf().equals(pod.uid()) && !one.beingDeleted())
        .map(Pod::uid);
  }

  private void round() {
    if (pods.hasSynced()) {
      reconcile();
    }
  }

  private void reconcile() {
    Map<ObjectKey, Pod> statics = wanted;
    for (Pod there : pods.list()) {
      if (there.isMirror() && there.component().isEmpty()) {
        Pod origin = statics.get(there.key());
        boolean fits = origin != null && there.mirrorOf().equals(origin.uid());
        if (!fits || there.beingDeleted()) {
          delete(there);
        }
      }
    }
    for (Pod one : statics.values()) {
      if (pods.get(one.key()).isEmpty()) {
        create(one);
      }
    }
  }

  private void delete(Pod mirror) {
    try {
      client.delete(
          ResourceType.PODS,
          mirror.key(),
          new DeleteOptions(
              Optional.empty(), Optional.of(mirror.uid()), Optional.empty(), Optional.of(0L)));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e) && !ApiErrors.isConflict(e)) {
        throw e;
      }
      // Gone, or already another one.
    }
  }

  private void create(Pod pod) {
    try {
      client.create(ResourceType.PODS, pod.namespace(), mirror(pod));
    } catch (ApiException e) {
      if (!ApiErrors.isAlreadyExists(e)) {
        throw e;
      }
      // It will be seen soon.
    }
  }

  /// The object that mirrors a static pod.
  ObjectNode mirror(Pod pod) {
    ObjectNode mirror = pod.body().deepCopy();
    ObjectNode metadata = Json.child(mirror, "metadata");
    metadata.remove("uid");
    Json.child(metadata, "annotations").put(Pod.CONFIG_MIRROR, pod.uid());
    String owner = nodeUid.get();
    if (!owner.isEmpty()) {
      metadata
          .putArray("ownerReferences")
          .addObject()
          .put("apiVersion", "v1")
          .put("kind", "Node")
          .put("name", node)
          .put("uid", owner)
          .put("controller", true);
    }
    return mirror;
  }

  @Override
  public void close() {
    loop.close();
  }
}
