package io.fairlead.controller.deployment;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.controller.replicaset.ReplicaSet;
import io.fairlead.controller.workload.ControllerRefManager;
import io.fairlead.controller.workload.Expectations;
import io.fairlead.controller.workload.TemplateHash;
import tools.jackson.databind.node.ObjectNode;

/// Makes, resizes and deletes the ReplicaSets of Deployments.
final class ReplicaSetControl {
  /// The name for a new one is taken by something else.
  static final class NameTaken extends RuntimeException {
    NameTaken(String name) {
      super("a ReplicaSet named " + name + " with another template is there already");
    }
  }

  private final Client client;
  private final EventRecorder events;
  private final Expectations expectations;

  ReplicaSetControl(Client client, EventRecorder events, Expectations expectations) {
    this.client = client;
    this.events = events;
    this.expectations = expectations;
  }

  /// Makes the one for the Deployment's template, or finds it when it was made a moment ago.
  ///
  /// @throws NameTaken when its name means another template
  ReplicaSet create(Deployment deployment, long revision, int size) {
    ObjectNode body = body(deployment, revision, size);
    String name = ObjectKey.of(body).name();
    ObjectNode made;
    try {
      made = client.create(ReplicaSet.TYPE, deployment.metadata().namespace(), body);
    } catch (ApiException e) {
      if (!ApiErrors.isAlreadyExists(e)) {
        throw e;
      }
      ReplicaSet there =
          ReplicaSet.of(
              client.get(ReplicaSet.TYPE, new ObjectKey(deployment.metadata().namespace(), name)));
      boolean ours =
          there
              .controller()
              .filter(owner -> owner.uid().equals(deployment.metadata().uid()))
              .isPresent();
      if (ours && DeploymentRevisions.sameTemplate(deployment, there)) {
        return there;
      }
      throw new NameTaken(name);
    }
    expectations.wrote(deployment.metadata().key(), made);
    if (size > 0) {
      tell(deployment, "ScalingReplicaSet", "Scaled up replica set " + name + " from 0 to " + size);
    }
    return ReplicaSet.of(made);
  }

  /// Its name, before it is made.
  static String nameFor(Deployment deployment) {
    return deployment.name() + "-" + hash(deployment);
  }

  private static String hash(Deployment deployment) {
    return TemplateHash.of(deployment.template(), deployment.collisions());
  }

  private static ObjectNode body(Deployment deployment, long revision, int size) {
    String hash = hash(deployment);
    ObjectNode template = deployment.template();
    Json.child(Json.child(template, "metadata"), "labels").put(DeploymentRevisions.HASH, hash);
    ObjectNode body = Json.object().put("kind", "ReplicaSet").put("apiVersion", "apps/v1");
    ObjectNode metadata =
        body.putObject("metadata")
            .put("name", deployment.name() + "-" + hash)
            .put("namespace", deployment.metadata().namespace());
    metadata.set("labels", Json.at(template, "metadata", "labels").deepCopy());
    metadata
        .putArray("ownerReferences")
        .add(ControllerRefManager.reference(Deployment.TYPE, deployment.metadata()));
    ObjectNode spec = body.putObject("spec").put("replicas", size);
    int minReady = deployment.spec().path("minReadySeconds").asInt(0);
    if (minReady > 0) {
      spec.put("minReadySeconds", minReady);
    }
    ObjectNode selector = (ObjectNode) deployment.spec().path("selector").deepCopy();
    Json.child(selector, "matchLabels").put(DeploymentRevisions.HASH, hash);
    spec.set("selector", selector);
    spec.set("template", template);
    DeploymentRevisions.annotate(body, deployment, revision, false);
    return body;
  }

  /// Brings number and annotations of the newest one up to date. Returns it as it is then.
  ReplicaSet refresh(Deployment deployment, ReplicaSet newest, long revision) {
    ObjectNode body = newest.object().body().deepCopy();
    boolean changed = DeploymentRevisions.annotate(body, deployment, revision, true);
    int minReady = deployment.spec().path("minReadySeconds").asInt(0);
    if (minReady != body.path("spec").path("minReadySeconds").asInt(0)) {
      Json.child(body, "spec").put("minReadySeconds", minReady);
      changed = true;
    }
    return changed ? write(deployment, body) : newest;
  }

  /// Gives one its size; nothing when it has it already. Says whether the size changed.
  boolean resize(Deployment deployment, ReplicaSet set, int size) {
    ObjectNode body = set.object().body().deepCopy();
    ObjectNode annotations = Json.child(Json.child(body, "metadata"), "annotations");
    DeploymentRevisions.size(annotations, deployment);
    boolean resized = set.replicas() != size;
    boolean annotated =
        !annotations.equals(set.object().body().path("metadata").path("annotations"));
    if (!resized && !annotated) {
      return false;
    }
    Json.child(body, "spec").put("replicas", size);
    write(deployment, body);
    if (resized) {
      String direction = size > set.replicas() ? "up" : "down";
      tell(
          deployment,
          "ScalingReplicaSet",
          "Scaled "
              + direction
              + " replica set "
              + set.name()
              + " from "
              + set.replicas()
              + " to "
              + size);
    }
    return resized;
  }

  void delete(ReplicaSet set) {
    try {
      client.delete(
          ReplicaSet.TYPE,
          set.metadata().key(),
          DeleteOptions.of(DeleteOptions.Propagation.BACKGROUND).onlyUid(set.metadata().uid()));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  void tell(Deployment deployment, String reason, String message) {
    events.record(ObjectEvent.normal(about(deployment), reason, message));
  }

  void warn(Deployment deployment, String reason, String message) {
    events.record(ObjectEvent.warning(about(deployment), reason, message));
  }

  private static ObjectRef about(Deployment deployment) {
    return new ObjectRef(Deployment.TYPE, deployment.metadata().key(), deployment.metadata().uid());
  }

  private ReplicaSet write(Deployment deployment, ObjectNode body) {
    ObjectNode written = client.update(ReplicaSet.TYPE, body);
    expectations.wrote(deployment.metadata().key(), written);
    return ReplicaSet.of(written);
  }
}
