package io.fairlead.insight.gather;

import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.Owner;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Gathers what the API knows about many Services, with one list for each kind. No node is asked
/// and nothing is sent.
public final class SurveyGathering {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int MOST = 100_000;

  private final Sources sources;
  private final InstantSource clock;

  public SurveyGathering(Sources sources, InstantSource clock) {
    this.sources = sources;
    this.clock = clock;
  }

  /// @param namespace empty for all
  /// @param selector of labels of Services; empty for all
  /// @return empty when Services cannot be listed
  public Optional<List<ServiceEvidence>> gather(String namespace, String selector) {
    try (Questions questions = new Questions(Ticker.system(), LIMIT)) {
      var services =
          questions.ask(
              () ->
                  sources.list(
                      ResourceType.SERVICES,
                      namespace,
                      ListOptions.ALL.labelled(selector),
                      MOST,
                      ServiceFacts::of));
      var slices =
          questions.ask(
              () ->
                  sources.list(
                      ResourceType.ENDPOINT_SLICES,
                      namespace,
                      ListOptions.ALL,
                      MOST,
                      one ->
                          RawObject.of(one).read(in -> V1EndpointSlice.read(in, FieldMask.ALL))));
      var pods =
          questions.ask(
              () ->
                  sources.listTyped(
                      ResourceType.PODS, namespace, ListOptions.ALL, MOST, PodQuestions::pod));
      var nodes =
          questions.ask(
              () -> sources.list(ResourceType.NODES, "", ListOptions.ALL, MOST, V1Node::of));
      var owners =
          questions.ask(
              () ->
                  sources.list(
                      ResourceType.DEPLOYMENTS,
                      namespace,
                      ListOptions.ALL,
                      MOST,
                      one ->
                          new SurveyEvidence.Workload(
                              ObjectKey.of(one).namespace(), Owner.of("Deployment", one))));
      return services
          .await()
          .value()
          .map(
              all ->
                  new SurveyEvidence(
                          clock.instant(),
                          slices.await(),
                          pods.await(),
                          nodes.await(),
                          owners.await())
                      .of(all));
    }
  }
}
