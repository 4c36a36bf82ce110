package io.fairlead.app.command.inspect;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.FairleadVersion;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.dump.DumpArchive;
import io.fairlead.insight.dump.PodReduction;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.explain.ExplanationDocument;
import io.fairlead.insight.explain.ServiceExplainer;
import io.fairlead.insight.finding.Verdict;
import io.fairlead.insight.gather.HistoryGathering;
import io.fairlead.insight.gather.SurveyGathering;
import io.fairlead.insight.history.ClockFindings;
import io.fairlead.insight.history.HistoryChange;
import io.fairlead.insight.history.HistoryDocument;
import io.fairlead.insight.history.HistoryEvidence;
import io.fairlead.insight.history.HistoryJoin;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills an archive. Secrets are never asked for. What is likely to be large comes last, so that it
/// is what does not fit. Owned by one thread.
final class DumpContents {
  private static final int MANY = 20_000;
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final Duration BETWEEN = Duration.ofMillis(120);
  private static final int MOST_RULES = 100;
  private static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);
  private static final List<ObjectKey> CONFIG_MAPS =
      List.of(new ObjectKey("kube-system", "kube-proxy"), new ObjectKey("kube-system", "coredns"));

  private final InspectSession session;
  private final DumpArchive archive;
  private final String namespace;
  private final List<String> nodes;
  private int services;
  private int changes;

  /// @param namespace empty for all
  DumpContents(InspectSession session, DumpArchive archive, String namespace, List<String> nodes) {
    this.session = session;
    this.archive = archive;
    this.namespace = namespace;
    this.nodes = nodes;
  }

  void collect(Instant since) {
    archive.add(
        "version.json",
        Json.object()
            .put("fairlead", FairleadVersion.current())
            .put("java", Runtime.version().toString())
            .put("at", session.context().clock().instant().toString()));
    ArrayNode found = objects("services", ResourceType.SERVICES, namespace);
    services = found.size();
    objects("endpointslices", ResourceType.ENDPOINT_SLICES, namespace);
    objects("endpoints", ResourceType.ENDPOINTS, namespace);
    objects("nodes", ResourceType.NODES, "");
    objects("leases", ResourceType.LEASES, "kube-public");
    objects("networkpolicies", POLICIES, namespace);
    configuration();
    for (String node : nodes) {
      for (String question : List.of("about", "checks", "rules/summary")) {
        document("nodes/" + node + "/" + question.replace('/', '-'), node, question);
      }
    }
    explanations();
    rules(found);
    history(since);
    objects("pods", ResourceType.PODS, namespace);
    objects("events", ResourceType.EVENTS, namespace);
  }

  int services() {
    return services;
  }

  int changes() {
    return changes;
  }

  /// Of the Services that do not work.
  private void explanations() {
    Instant now = session.context().clock().instant();
    ArrayNode all = Json.array();
    new SurveyGathering(session.sources(), session.context().clock())
        .gather(namespace, "").orElse(List.of()).stream()
            .map(
                evidence ->
                    ServiceExplainer.explain(
                        evidence, evidence.service().value().orElseThrow().orElseThrow(), ""))
            .filter(explanation -> explanation.verdict() == Verdict.BROKEN)
            .forEach(explanation -> all.add(ExplanationDocument.of(explanation, now, 0)));
    archive.add("explanations.json", all);
  }

  private ArrayNode objects(String name, ResourceType type, String in) {
    Evidence<List<ObjectNode>> list =
        session.sources().list(type, in, ListOptions.ALL, MANY, PodReduction::of);
    ArrayNode items = Json.array();
    if (list instanceof Unseen<?> unseen) {
      archive.unseen(name, InspectSession.said(unseen.why()));
      return items;
    }
    list.value().orElse(List.of()).forEach(items::add);
    archive.add("objects/" + name + ".json", items);
    return items;
  }

  /// How the proxy and the DNS server are set up, and no other ConfigMap.
  private void configuration() {
    ResourceType type = new ResourceType("", "v1", "configmaps", "ConfigMap", true);
    for (ObjectKey key : CONFIG_MAPS) {
      session
          .sources()
          .find(type, key)
          .value()
          .flatMap(one -> one)
          .ifPresent(
              map -> {
                ObjectNode data = Json.object();
                map.path("data").properties().stream()
                    .filter(each -> !each.getKey().contains("kubeconfig"))
                    .forEach(each -> data.set(each.getKey(), each.getValue()));
                archive.add("configuration/" + key.name() + ".json", data);
              });
    }
  }

  private void document(String file, String node, String question) {
    Evidence<ObjectNode> answer = session.sources().node(node, question);
    if (answer instanceof Unseen<?> unseen) {
      archive.unseen("node " + node, InspectSession.said(unseen.why()));
      return;
    }
    answer.value().ifPresent(document -> archive.add(file + ".json", document));
  }

  /// The rules of every Service on each node that answers.
  private void rules(ArrayNode found) {
    for (String node : nodes) {
      Map<String, JsonNode> byService = new LinkedHashMap<>();
      for (JsonNode service : found) {
        if (byService.size() == MOST_RULES) {
          archive.unseen("rules of node " + node, "only of " + MOST_RULES + " Services");
          break;
        }
        pause();
        String in = Json.textOr(service, "", "metadata", "namespace");
        String name = Json.textOr(service, "", "metadata", "name");
        Evidence<ObjectNode> rules =
            session.sources().node(node, "rules?namespace=" + in + "&service=" + name);
        if (!rules.isSeen()) {
          // Refused, or asked too often: the summary says what matters.
          break;
        }
        rules.value().ifPresent(document -> byService.put(in + "/" + name, document));
      }
      if (!byService.isEmpty()) {
        ObjectNode all = Json.object();
        byService.forEach(all::set);
        archive.add("nodes/" + node + "/rules.json", all);
      }
    }
  }

  /// A node answers ten questions a second.
  private static void pause() {
    try {
      Pacer.system().pause(BETWEEN);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void history(Instant since) {
    HistoryEvidence evidence =
        new HistoryGathering(session.sources(), session.context().clock(), LIMIT)
            .gather(new HistoryGathering.Wanted(since, namespace, "", nodes));
    List<HistoryChange> lines = HistoryJoin.of(evidence);
    changes = lines.size();
    archive.add(
        "history.json",
        HistoryDocument.of(
            lines,
            evidence,
            ClockFindings.of(evidence.nodes()),
            session.context().clock().instant()));
  }
}
