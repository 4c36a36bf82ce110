package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Owner;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;

/// Asks for the pods of a Service, and when there are none, for what explains it.
final class PodQuestions {
  /// Not what decides where a pod may be, and no annotations: there may be thousands of pods.
  private static final FieldMask FIELDS =
      FieldMask.of(
              FieldMask.Part.IDENTITY,
              FieldMask.Part.OWNERS,
              FieldMask.Part.CONDITIONS,
              FieldMask.Part.CONTAINERS)
          .allLabels();

  private static final int MOST = 10_000;
  private static final int FEW = 20;
  private static final int MANY = 1000;

  private final Sources sources;
  private final Questions questions;
  private final ServiceFacts service;

  PodQuestions(Sources sources, Questions questions, ServiceFacts service) {
    this.sources = sources;
    this.questions = questions;
    this.service = service;
  }

  ServiceGathering.PodEvidence ask() {
    if (!service.selecting().selectsPods()) {
      return new ServiceGathering.PodEvidence(
          questions.ask(() -> Seen.api(List.of(), Instant.EPOCH)),
          questions.ask(() -> Seen.api(List.of(), Instant.EPOCH)),
          questions.ask(() -> Seen.api(List.of(), Instant.EPOCH)));
    }
    var picked =
        questions.ask(
            () ->
                sources.listTyped(
                    ResourceType.PODS,
                    service.key().namespace(),
                    ListOptions.ALL.labelled(service.selector()),
                    MOST,
                    PodQuestions::pod));
    var pods = questions.ask(() -> orAll(picked.await()));
    return new ServiceGathering.PodEvidence(
        pods,
        questions.ask(() -> isNone(picked.await()) ? elsewhere() : nothing()),
        questions.ask(() -> isNone(picked.await()) ? owners() : nothing()));
  }

  static V1Pod pod(JsonParser in) {
    return V1Pod.read(in, FIELDS);
  }

  private static boolean isNone(Evidence<List<V1Pod>> pods) {
    return pods.value().filter(List::isEmpty).isPresent();
  }

  private static <T> Evidence<List<T>> nothing() {
    return Seen.api(List.of(), Instant.EPOCH);
  }

  /// Without a picked pod, the others tell whether the selector is nearly right. Their labels are
  /// enough for that.
  private Evidence<List<V1Pod>> orAll(Evidence<List<V1Pod>> picked) {
    return isNone(picked)
        ? sources.listTypedMetadata(
            ResourceType.PODS, service.key().namespace(), ListOptions.ALL, MOST, PodQuestions::pod)
        : picked;
  }

  private Evidence<List<String>> elsewhere() {
    return sources
        .listMetadata(
            ResourceType.PODS,
            "",
            ListOptions.ALL.labelled(service.selector()),
            FEW,
            pod -> Json.textOr(pod, "", "metadata", "namespace"))
        .map(all -> all.stream().distinct().sorted().toList());
  }

  private Evidence<List<Owner>> owners() {
    List<Owner> all = new ArrayList<>();
    Why why = null;
    for (ResourceType type :
        List.of(ResourceType.DEPLOYMENTS, ResourceType.STATEFUL_SETS, ResourceType.REPLICA_SETS)) {
      Evidence<List<Owner>> found =
          sources.list(
              type,
              service.key().namespace(),
              ListOptions.ALL,
              MANY,
              one -> Owner.of(type.kind(), one));
      if (found instanceof Unseen<?> unseen) {
        why = unseen.why();
      }
      all.addAll(found.value().orElse(List.of()));
    }
    return all.isEmpty() && why != null ? Unseen.of(why) : Seen.api(all, Instant.EPOCH);
  }
}
