package io.fairlead.ui.model;

import io.fairlead.client.Client;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.insight.evidence.Owner;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.gather.SurveyEvidence;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// The objects that the model is made of, followed as long as a session shows something.
///
/// @param reports Leases in which proxies say how far they are
record ModelInformers(
    Informer<Followed<ServiceFacts>> services,
    Informer<V1EndpointSlice> slices,
    Informer<V1Pod> pods,
    Informer<V1Node> nodes,
    Informer<Followed<SurveyEvidence.Workload>> owners,
    Informer<Followed<ProxyReport>> reports)
    implements AutoCloseable {
  /// Something that does not know its own metadata.
  record Followed<T>(ObjectMeta metadata, T object) implements HasMetadata {
    static <T> Followed<T> of(ObjectNode tree, Function<ObjectNode, T> reader) {
      return new Followed<>(ObjectMeta.of(tree), reader.apply(tree));
    }
  }

  static ModelInformers of(Client client) {
    TimingSources pacing = TimingSources.system();
    return new ModelInformers(
        informer(client, ResourceType.SERVICES, ServiceFacts::of, pacing),
        typed(
            client,
            ResourceType.ENDPOINT_SLICES,
            body -> body.read(in -> V1EndpointSlice.read(in, FieldMask.ALL)),
            pacing),
        typed(client, ResourceType.PODS, V1Pod::of, pacing),
        typed(client, ResourceType.NODES, V1Node::of, pacing),
        informer(
            client,
            ResourceType.DEPLOYMENTS,
            tree ->
                new SurveyEvidence.Workload(
                    ObjectKey.of(tree).namespace(), Owner.of("Deployment", tree)),
            pacing),
        new Informer<>(
            ListWatchFactory.objects(
                client, ResourceType.LEASES, ProxyReport.NAMESPACE, ProxyReport.LABEL + "=true"),
            tree -> Followed.of(tree, ProxyReport::of),
            pacing));
  }

  private static <T> Informer<Followed<T>> informer(
      Client client, ResourceType type, Function<ObjectNode, T> reader, TimingSources pacing) {
    return new Informer<>(
        ListWatchFactory.objects(client, type, "", ""), tree -> Followed.of(tree, reader), pacing);
  }

  private static <T extends HasMetadata> Informer<T> typed(
      Client client, ResourceType type, Function<RawObject, T> reader, TimingSources pacing) {
    return Informer.decoding(ListWatchFactory.objects(client, type, "", ""), reader, pacing);
  }

  void start() {
    all().forEach(Informer::start);
  }

  boolean hasSynced() {
    return all().stream().allMatch(Informer::hasSynced);
  }

  private List<Informer<?>> all() {
    return List.of(services, slices, pods, nodes, owners, reports);
  }

  /// Everything as it is now, as evidence.
  SurveyEvidence survey(Instant now) {
    return new SurveyEvidence(
        now,
        Seen.api(slices.list(), now),
        Seen.api(pods.list(), now),
        Seen.api(nodes.list(), now),
        Seen.api(owners.list().stream().map(Followed::object).toList(), now));
  }

  @Override
  public void close() {
    all().forEach(Informer::close);
  }
}
