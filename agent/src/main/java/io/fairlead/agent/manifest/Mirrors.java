package io.fairlead.agent.manifest;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.transport.ConnectionException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Keeps a mirror in the API for every static pod: an object one can look at and that carries its
/// status, but that decides nothing. One that was deleted is made again, one of an older file is
/// replaced, one without a file goes. One thread of its own.
public final class Mirrors implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Mirrors.class);
  private static final long LOOK_SECONDS = 10;

  private final Client client;
  private final Informer<Pod> pods;
  private final String node;
  private final Supplier<String> nodeUid;
  private final BlockingQueue<Boolean> news = new ArrayBlockingQueue<>(1);
  private final Thread thread;
  private volatile Map<ObjectKey, Pod> wanted = Map.of();

  /// @param pods those of this node in the API
  /// @param nodeUid of the Node, the owner of all of them
  public Mirrors(Client client, Informer<Pod> pods, String node, Supplier<String> nodeUid) {
    this.client = client;
    this.pods = pods;
    this.node = node;
    this.nodeUid = nodeUid;
    this.thread = Thread.ofVirtual().name("mirror pods").unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  /// These are the static pods from now on.
  public void want(Map<ObjectKey, Pod> statics) {
    wanted = Map.copyOf(statics);
    look();
  }

  /// Something has changed in the API.
  public void look() {
    // A full queue means that it will look anyway.
    boolean _ = news.offer(true);
  }

  /// The uid under which the API knows a static pod; empty while it does not.
  public Optional<String> uid(Pod pod) {
    return pods.get(pod.key())
        .filter(one -> one.mirrorOf().equals(pod.uid()) && !one.beingDeleted())
        .map(Pod::uid);
  }

  private void run() {
    try {
      while (true) {
        long wait = LOOK_SECONDS;
        try {
          if (pods.hasSynced()) {
            reconcile();
          }
        } catch (ApiException | ConnectionException e) {
          log.atInfo().addKeyValue("why", e.getMessage()).log("mirror pods not as they should be");
          wait = 1;
        }
        Boolean _ = news.poll(wait, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void reconcile() {
    Map<ObjectKey, Pod> statics = wanted;
    for (Pod there : pods.list()) {
      if (there.isMirror()) {
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
      if (!Statuses.isNotFound(e) && !Statuses.isConflict(e)) {
        throw e;
      }
      // Gone, or already another one.
    }
  }

  private void create(Pod pod) {
    try {
      client.create(ResourceType.PODS, pod.namespace(), mirror(pod));
    } catch (ApiException e) {
      if (!Statuses.isAlreadyExists(e)) {
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
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
