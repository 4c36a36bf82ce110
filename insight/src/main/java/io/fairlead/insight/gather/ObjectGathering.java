package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.ChecksReport;
import io.fairlead.insight.evidence.ListenersReport;
import io.fairlead.insight.evidence.MachineEvidence;
import io.fairlead.insight.evidence.PodEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;

/// Gathers what is known about one pod or node, all questions at once.
public final class ObjectGathering {
  private static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);
  private static final int MANY = 5000;

  private final Sources sources;
  private final InstantSource clock;
  private final Duration limit;

  public ObjectGathering(Sources sources, InstantSource clock, Duration limit) {
    this.sources = sources;
    this.clock = clock;
    this.limit = limit;
  }

  public PodEvidence pod(ObjectKey key) {
    try (Questions questions = new Questions(Ticker.system(), limit)) {
      var pod = questions.ask(() -> sources.find(ResourceType.PODS, key));
      var services =
          questions.ask(
              () ->
                  sources.list(
                      ResourceType.SERVICES,
                      key.namespace(),
                      ListOptions.ALL,
                      MANY,
                      ServiceFacts::of));
      var nodes =
          questions.ask(
              () -> sources.list(ResourceType.NODES, "", ListOptions.ALL, MANY, V1Node::of));
      var policies =
          questions.ask(
              () -> sources.list(POLICIES, key.namespace(), ListOptions.ALL, MANY, one -> one));
      var found = pod.await();
      var listeners =
          questions.ask(
              () ->
                  found
                      .value()
                      .flatMap(one -> one)
                      .map(
                          one ->
                              sources
                                  .node(
                                      Json.textOr(one, "", "spec", "nodeName"),
                                      "listeners?pod=" + Json.textOr(one, "", "metadata", "uid"))
                                  .map(ListenersReport::of))
                      .orElseGet(() -> Unseen.of(new Why.NoNodeApi())));
      return new PodEvidence(
          clock.instant(),
          key,
          found,
          services.await(),
          nodes.await(),
          policies.await(),
          listeners.await());
    }
  }

  public MachineEvidence node(String name) {
    try (Questions questions = new Questions(Ticker.system(), limit)) {
      var node = questions.ask(() -> sources.find(ResourceType.NODES, new ObjectKey("", name)));
      var report = questions.ask(() -> sources.find(ResourceType.LEASES, ProxyReport.key(name)));
      var about = questions.ask(() -> sources.node(name, "about").map(AboutReport::of));
      var rules =
          questions.ask(() -> sources.node(name, "rules/summary").map(one -> (JsonNode) one));
      var checks = questions.ask(() -> sources.node(name, "checks").map(ChecksReport::of));
      return new MachineEvidence(
          clock.instant(),
          name,
          node.await().map(found -> found.map(V1Node::of)),
          report.await().map(found -> found.map(ProxyReport::of)),
          about.await(),
          rules.await(),
          checks.await());
    }
  }
}
