package io.fairlead.controller.deployment;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.controller.replicaset.ReplicaSet;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.StatusWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One reconcile of one Deployment: a step of its roll-out, and the status after it. Each step
/// changes sizes once and then waits for what comes of it.
final class Rollout {
  private Deployment deployment;
  private final List<ReplicaSet> mine;
  private final ReplicaSetControl sets;
  private final StatusWriter statuses;
  private final Predicate<ReplicaSet> hasPods;
  private final Instant now;

  private Optional<ReplicaSet> newest = Optional.empty();
  private List<ReplicaSet> old = List.of();

  Rollout(
      Deployment deployment,
      List<ReplicaSet> mine,
      ReplicaSetControl sets,
      StatusWriter statuses,
      Predicate<ReplicaSet> hasPods,
      Instant now) {
    this.deployment = deployment;
    this.mine = mine;
    this.sets = sets;
    this.statuses = statuses;
    this.hasPods = hasPods;
    this.now = now;
  }

  Reconciler.Result step() {
    if (deployment.metadata().beingDeleted()) {
      sort();
      write(RolloutStatus.counts(deployment, old, newest, now));
      return Reconciler.DONE;
    }
    notePause();
    if (deployment.paused()) {
      known();
      resizeAll();
      prune();
      write(RolloutStatus.counts(deployment, old, newest, now));
      return Reconciler.DONE;
    }
    if (ReplicaSetSizes.scaled(deployment, mine)) {
      known();
      resizeAll();
      write(RolloutStatus.counts(deployment, old, newest, now));
      return Reconciler.DONE;
    }
    try {
      return deployment.rolling() ? rolling() : recreate();
    } catch (ReplicaSetControl.NameTaken _) {
      return Reconciler.WAITING; // the next attempt uses another name
    }
  }

  private Reconciler.Result rolling() {
    ReplicaSet current = ensured();
    List<ReplicaSet> all = new ArrayList<>(old);
    all.add(current);
    int size = ReplicaSetSizes.newest(deployment, current.replicas(), ReplicaSetSizes.total(all));
    if (sets.resize(deployment, current, size)) {
      return tell();
    }
    boolean shrunk = false;
    for (Map.Entry<ReplicaSet, Integer> one :
        ReplicaSetSizes.shrunk(deployment, current, old).entrySet()) {
      shrunk |= sets.resize(deployment, one.getKey(), one.getValue());
    }
    if (!shrunk && RolloutStatus.complete(deployment, deployment.status())) {
      prune();
    }
    return tell();
  }

  private Reconciler.Result recreate() {
    known();
    boolean shrunk = false;
    for (ReplicaSet set : old) {
      shrunk |= set.replicas() > 0 && sets.resize(deployment, set, 0);
    }
    if (shrunk || old.stream().anyMatch(hasPods)) {
      return tell();
    }
    ReplicaSet current = ensured();
    sets.resize(deployment, current, deployment.replicas());
    if (RolloutStatus.complete(deployment, deployment.status())) {
      prune();
    }
    return tell();
  }

  /// Tells which ReplicaSet is which, without writing.
  private void sort() {
    newest = DeploymentRevisions.current(deployment, mine);
    old = mine.stream().filter(set -> !newest.equals(Optional.of(set))).toList();
  }

  /// The same, and brings the newest one's number up to date if there is one.
  private void known() {
    sort();
    newest = newest.map(set -> sets.refresh(deployment, set, DeploymentRevisions.next(old)));
    newest.ifPresent(this::adoptRevision);
  }

  /// The newest ReplicaSet, made if there is none.
  private ReplicaSet ensured() {
    known();
    if (newest.isPresent()) {
      return newest.get();
    }
    int size = ReplicaSetSizes.newest(deployment, 0, ReplicaSetSizes.total(old));
    ReplicaSet made;
    try {
      made = sets.create(deployment, DeploymentRevisions.next(old), size);
    } catch (ReplicaSetControl.NameTaken e) {
      ObjectNode status = StatusWriter.copy(deployment.object());
      status.put("collisionCount", deployment.collisions() + 1);
      write(status);
      throw e;
    } catch (ApiException e) {
      ObjectNode status = RolloutStatus.counts(deployment, old, newest, now);
      if (deployment.progressDeadline().isPresent()) {
        RolloutStatus.set(
            status,
            "False",
            "ReplicaSetCreateError",
            "Failed to create new replica set \""
                + ReplicaSetControl.nameFor(deployment)
                + "\": "
                + e.getMessage(),
            now);
      }
      write(status);
      throw e;
    }
    newest = Optional.of(made);
    adoptRevision(made);
    return made;
  }

  /// The Deployment shows the number of its newest ReplicaSet, and from the beginning that it
  /// moves.
  private void adoptRevision(ReplicaSet set) {
    ObjectNode body = deployment.object().body().deepCopy();
    String revision = set.annotation(DeploymentRevisions.REVISION);
    ObjectNode annotations = Json.child(Json.child(body, "metadata"), "annotations");
    boolean changed = !Json.textOr(annotations, "", DeploymentRevisions.REVISION).equals(revision);
    annotations.put(DeploymentRevisions.REVISION, revision);
    ObjectNode status = Json.child(body, "status");
    boolean made = !mine.stream().anyMatch(one -> one.name().equals(set.name()));
    JsonNode condition = StatusConditions.find(status, RolloutStatus.PROGRESSING);
    if (deployment.progressDeadline().isPresent() && (made || condition.isMissingNode())) {
      RolloutStatus.set(
          status,
          "True",
          made ? "NewReplicaSetCreated" : "FoundNewReplicaSet",
          (made ? "Created new replica set \"" : "Found new replica set \"") + set.name() + "\"",
          now);
      changed = true;
    }
    if (changed) {
      deployment = Deployment.of(body);
      statuses.force(deployment.object()).ifPresent(stored -> deployment = Deployment.of(stored));
    }
  }

  private void notePause() {
    if (deployment.progressDeadline().isEmpty()) {
      return;
    }
    JsonNode condition = StatusConditions.find(deployment.status(), RolloutStatus.PROGRESSING);
    String reason = Json.textOr(condition, "", "reason");
    boolean noted = reason.equals(RolloutStatus.PAUSED);
    if (reason.equals(RolloutStatus.TIMED_OUT) || deployment.paused() == noted) {
      return;
    }
    ObjectNode status = StatusWriter.copy(deployment.object());
    if (deployment.paused()) {
      RolloutStatus.set(status, "Unknown", RolloutStatus.PAUSED, "Deployment is paused", now);
    } else {
      RolloutStatus.set(status, "Unknown", "DeploymentResumed", "Deployment is resumed", now);
    }
    write(status);
  }

  private void resizeAll() {
    ReplicaSetSizes.proportional(deployment, newest, old)
        .forEach((set, size) -> sets.resize(deployment, set, size));
  }

  private void prune() {
    DeploymentRevisions.prunable(deployment, old).forEach(sets::delete);
  }

  private Reconciler.Result tell() {
    ObjectNode status = RolloutStatus.rollout(deployment, old, newest, now);
    write(status);
    return RolloutStatus.untilDeadline(deployment, status, now)
        .<Reconciler.Result>map(Reconciler.Result.Again::new)
        .orElse(Reconciler.DONE);
  }

  private void write(ObjectNode status) {
    statuses
        .write(deployment.object(), status)
        .ifPresent(stored -> deployment = Deployment.of(stored));
  }
}
