package io.fairlead.controller.deployment;

import io.fairlead.api.json.Json;
import io.fairlead.api.patch.JsonEquality;
import io.fairlead.controller.replicaset.ReplicaSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which ReplicaSet belongs to which version of a Deployment, and the annotations that say so.
final class DeploymentRevisions {
  static final String HASH = "pod-template-hash";
  static final String REVISION = "deployment.kubernetes.io/revision";
  static final String HISTORY = "deployment.kubernetes.io/revision-history";
  static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
  static final String MAX = "deployment.kubernetes.io/max-replicas";
  private static final Set<String> NOT_COPIED =
      Set.of(
          "kubectl.kubernetes.io/last-applied-configuration",
          REVISION,
          HISTORY,
          DESIRED,
          MAX,
          "deprecated.deployment.rollback.to");
  private static final int HISTORY_LENGTH = 2000;

  static final Comparator<ReplicaSet> OLDEST_FIRST =
      Comparator.comparing(ReplicaSet::created).thenComparing(ReplicaSet::name);

  private DeploymentRevisions() {}

  /// The ReplicaSet with the Deployment's template: of several the oldest. Templates are compared
  /// as they are, never by their hashes.
  static Optional<ReplicaSet> current(Deployment deployment, Collection<ReplicaSet> sets) {
    JsonNode wanted = withoutHash(deployment.template());
    return sets.stream()
        .sorted(OLDEST_FIRST)
        .filter(set -> JsonEquality.value(withoutHash(set.template()), wanted))
        .findFirst();
  }

  static boolean sameTemplate(Deployment deployment, ReplicaSet set) {
    return JsonEquality.value(withoutHash(set.template()), withoutHash(deployment.template()));
  }

  private static ObjectNode withoutHash(ObjectNode template) {
    if (Json.at(template, "metadata", "labels") instanceof ObjectNode labels) {
      labels.remove(HASH);
      if (labels.isEmpty()) {
        Json.child(template, "metadata").remove("labels");
      }
    }
    if (template.path("metadata").path("creationTimestamp").isNull()) {
      Json.child(template, "metadata").remove("creationTimestamp");
    }
    if (template.path("metadata").isEmpty()) {
      template.remove("metadata");
    }
    return template;
  }

  static long number(ReplicaSet set) {
    return number(set.annotation(REVISION));
  }

  private static long number(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  /// The number the newest version gets.
  static long next(Collection<ReplicaSet> old) {
    return 1 + old.stream().mapToLong(DeploymentRevisions::number).max().orElse(0);
  }

  /// Brings the annotations of the newest ReplicaSet up to date: those of the Deployment, its
  /// number, and the numbers it had before. Changes `body`; says whether anything changed.
  ///
  /// @param exists whether it is there already
  static boolean annotate(ObjectNode body, Deployment deployment, long revision, boolean exists) {
    ObjectNode annotations = Json.child(Json.child(body, "metadata"), "annotations");
    ObjectNode before = annotations.deepCopy();
    Json.at(deployment.object().body(), "metadata", "annotations")
        .properties()
        .forEach(
            entry -> {
              if (!NOT_COPIED.contains(entry.getKey())) {
                annotations.set(entry.getKey(), entry.getValue());
              }
            });
    String old = Json.textOr(annotations, "", REVISION);
    if (number(old) < revision) {
      annotations.put(REVISION, Long.toString(revision));
      if (exists && !old.isEmpty()) {
        annotations.put(HISTORY, history(Json.textOr(annotations, "", HISTORY), old));
      }
    }
    if (!exists) {
      size(annotations, deployment);
    }
    return !annotations.equals(before);
  }

  /// What the Deployment wanted when the ReplicaSet got its size, so that a later change of it can
  /// be told from a roll-out.
  static void size(ObjectNode annotations, Deployment deployment) {
    annotations.put(DESIRED, Integer.toString(deployment.replicas()));
    annotations.put(MAX, Integer.toString(deployment.replicas() + deployment.maxSurge()));
  }

  private static String history(String earlier, String added) {
    List<String> numbers =
        new ArrayList<>(earlier.isEmpty() ? List.of() : List.of(earlier.split(",", -1)));
    numbers.add(added);
    while (String.join(",", numbers).length() > HISTORY_LENGTH) {
      numbers.removeFirst();
    }
    return String.join(",", numbers);
  }

  /// Those of the old ones that are not needed any more: beyond the limit the lowest numbers, of
  /// which none may have pods.
  static List<ReplicaSet> prunable(Deployment deployment, Collection<ReplicaSet> old) {
    List<ReplicaSet> there = old.stream().filter(set -> !set.metadata().beingDeleted()).toList();
    int beyond = there.size() - deployment.historyLimit();
    if (beyond <= 0) {
      return List.of();
    }
    return there.stream()
        .sorted(
            Comparator.<ReplicaSet>comparingLong(DeploymentRevisions::number)
                .thenComparing(OLDEST_FIRST))
        .limit(beyond)
        .filter(set -> set.replicas() == 0 && set.statusReplicas() == 0)
        .filter(set -> set.metadata().generation() <= set.observedGeneration())
        .toList();
  }
}
