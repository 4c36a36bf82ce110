package io.fairlead.insight.gather;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReasonFinder;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Owner;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceEvidence.ApiObjects;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the API knows of all Services, by namespace, as evidence about single ones. No node is
/// asked and nothing is sent. Immutable after it is made.
public final class SurveyEvidence {
  /// What makes pods.
  public record Workload(String namespace, Owner owner) {}

  private final Instant now;
  private final Evidence<List<V1EndpointSlice>> slices;
  private final Evidence<List<V1Pod>> pods;
  private final Evidence<List<V1Node>> nodes;
  private final Map<ObjectKey, List<V1EndpointSlice>> slicesByService = new HashMap<>();
  // Most pods have the labels of others: a selector is held against each set once.
  private final Map<String, Map<Map<String, String>, List<V1Pod>>> podsByNamespace =
      new HashMap<>();
  private final Map<String, List<Owner>> ownersByNamespace = new HashMap<>();

  public SurveyEvidence(
      Instant now,
      Evidence<List<V1EndpointSlice>> slices,
      Evidence<List<V1Pod>> pods,
      Evidence<List<V1Node>> nodes,
      Evidence<List<Workload>> owners) {
    this.now = now;
    this.slices = slices;
    this.pods = pods;
    this.nodes = nodes;
    slices
        .value()
        .orElse(List.of())
        .forEach(
            one -> slicesByService.computeIfAbsent(one.service(), _ -> new ArrayList<>()).add(one));
    pods.value()
        .orElse(List.of())
        .forEach(
            one ->
                podsByNamespace
                    .computeIfAbsent(one.metadata().namespace(), _ -> new LinkedHashMap<>())
                    .computeIfAbsent(one.metadata().labels(), _ -> new ArrayList<>())
                    .add(one));
    owners
        .value()
        .orElse(List.of())
        .forEach(
            one ->
                ownersByNamespace
                    .computeIfAbsent(one.namespace(), _ -> new ArrayList<>())
                    .add(one.owner()));
  }

  public List<ServiceEvidence> of(List<ServiceFacts> services) {
    return services.stream().map(this::of).toList();
  }

  public ServiceEvidence of(ServiceFacts service) {
    String namespace = service.key().namespace();
    Map<Map<String, String>, List<V1Pod>> byLabels =
        podsByNamespace.getOrDefault(namespace, Map.of());
    List<V1Pod> picked = new ArrayList<>();
    List<V1Pod> near = new ArrayList<>();
    byLabels.forEach(
        (labels, pods) -> {
          if (service.selecting().selects(labels)) {
            picked.addAll(pods);
          } else if (isNear(service, pods.getFirst())) {
            near.addAll(pods);
          }
        });
    Why off = new Why.SwitchedOff("-A");
    ApiObjects objects =
        new ApiObjects(
            pods.map(_ -> picked.isEmpty() ? near : picked),
            seen(picked.isEmpty() ? elsewhere(service) : List.of()),
            slices.map(_ -> slicesByService.getOrDefault(service.key(), List.of())),
            seen(List.of()),
            seen(Optional.empty()),
            nodes,
            seen(ownersByNamespace.getOrDefault(namespace, List.of())),
            seen(List.<ProxyReport>of()),
            seen(Optional.empty()),
            seen(List.of()),
            seen(List.of()),
            seen(List.of()),
            seen(List.of()),
            seen(List.of()),
            seen(1),
            seen(List.of()));
    return new ServiceEvidence(
        now,
        service.key(),
        seen(Optional.of(service)),
        seen(List.of()),
        objects,
        Map.of(),
        Map.of(),
        Unseen.of(off),
        Unseen.of(off),
        Optional.empty(),
        "");
  }

  private static boolean isNear(ServiceFacts service, V1Pod pod) {
    return !EndpointReasonFinder.of(service.selecting(), List.of(EndpointPod.of(pod)), Map.of())
        .isEmpty();
  }

  private List<String> elsewhere(ServiceFacts service) {
    Set<String> namespaces = new TreeSet<>();
    podsByNamespace.forEach(
        (name, all) -> {
          if (all.keySet().stream().anyMatch(service.selecting()::selects)) {
            namespaces.add(name);
          }
        });
    return List.copyOf(namespaces);
  }

  private <T> Seen<T> seen(T found) {
    return Seen.api(found, now);
  }
}
