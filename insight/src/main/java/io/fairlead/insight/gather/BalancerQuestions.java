package io.fairlead.insight.gather;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.AnnouncerLeaseNames;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.proxy.announce.AnnouncementOverview;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Asks which nodes announce the load balancer addresses of a Service.
final class BalancerQuestions {
  private static final int MANY = 10_000;
  private static final ObjectKey POOLS =
      new ObjectKey(LoadBalancerPools.PUBLISHED_NAMESPACE, LoadBalancerPools.PUBLISHED_NAME);

  private final Sources sources;
  private final Instant now;

  BalancerQuestions(Sources sources, Instant now) {
    this.sources = sources;
    this.now = now;
  }

  /// Its addresses; none when Fairlead gave it none.
  Evidence<List<AnnouncementOverview.Row>> ask(Optional<ObjectNode> service) {
    Optional<ObjectNode> ours =
        service
            .filter(one -> Json.textOr(one, "", "spec", "type").equals("LoadBalancer"))
            .filter(one -> !one.at("/status/loadBalancer/ingress").isEmpty())
            .filter(
                one ->
                    !Json.textOr(one, "", "metadata", "annotations", "fairlead.dev/allocated-from")
                        .isEmpty());
    if (ours.isEmpty()) {
      return Seen.api(List.of(), now);
    }
    Evidence<LoadBalancerPools> pools =
        sources.find(ResourceType.CONFIG_MAPS, POOLS).map(BalancerQuestions::pools);
    List<ObjectNode> nodes =
        sources
            .list(ResourceType.NODES, "", ListOptions.ALL, MANY, one -> one)
            .value()
            .orElse(List.of());
    return sources
        .list(
            ResourceType.LEASES,
            AnnouncerLeaseNames.NAMESPACE,
            ListOptions.ALL.labelled(AnnouncerLeaseNames.LABEL),
            MANY,
            one -> one)
        .map(
            leases ->
                AnnouncementOverview.of(
                    List.of(ours.get()),
                    leases,
                    nodes,
                    pools.value().orElse(LoadBalancerPools.NONE),
                    now));
  }

  private static LoadBalancerPools pools(Optional<ObjectNode> map) {
    try {
      return map.map(one -> Json.textOr(one, "", "data", LoadBalancerPools.PUBLISHED_FILE))
          .map(PoolFileReader::read)
          .orElse(LoadBalancerPools.NONE);
    } catch (DecodeException _) {
      // Of a newer version: addresses are shown without their pools.
      return LoadBalancerPools.NONE;
    }
  }
}
