package io.fairlead.insight.gather;

import io.fairlead.client.objects.V1Pod;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.ChecksReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ListenersReport;
import io.fairlead.insight.evidence.RulesReport;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// Asks nodes about a Service.
final class NodeApiQuestions {
  private static final int MOST_NODES = 20;
  private static final int MOST_PODS = 32;

  private final Sources sources;
  private final Questions questions;
  private final ServiceFacts service;
  private final List<ObjectNode> slices;

  NodeApiQuestions(
      Sources sources, Questions questions, ServiceFacts service, List<ObjectNode> slices) {
    this.sources = sources;
    this.questions = questions;
    this.service = service;
    this.slices = slices;
  }

  /// What is being asked of one node.
  private record Asked(
      Questions.Pending<AboutReport> about,
      Questions.Pending<RulesReport> rules,
      Questions.Pending<ChecksReport> checks) {}

  /// @param live nodes whose proxies live
  /// @param client the node of the client
  Map<String, ServiceEvidence.NodeEvidence> nodes(List<String> live, Optional<String> client) {
    Set<String> asked = new LinkedHashSet<>();
    sources.localNode().ifPresent(asked::add);
    client.filter(node -> !node.isEmpty()).ifPresent(asked::add);
    // Those with an endpoint matter most.
    for (ObjectNode slice : slices) {
      slice
          .path("endpoints")
          .forEach(
              endpoint -> {
                String node = endpoint.path("nodeName").asString("");
                if (live.contains(node)) {
                  asked.add(node);
                }
              });
    }
    asked.addAll(live);
    Map<String, Asked> pending = new TreeMap<>();
    asked.stream().limit(MOST_NODES).forEach(node -> pending.put(node, ask(node)));
    Map<String, ServiceEvidence.NodeEvidence> answers = new TreeMap<>();
    pending.forEach(
        (node, each) ->
            answers.put(
                node,
                new ServiceEvidence.NodeEvidence(
                    each.about().await(), each.rules().await(), each.checks().await())));
    return answers;
  }

  private Asked ask(String node) {
    return new Asked(
        questions.ask(() -> sources.node(node, "about").map(AboutReport::of)),
        questions.ask(() -> rules(node)),
        questions.ask(() -> sources.node(node, "checks").map(ChecksReport::of)));
  }

  /// From the node API, else from the kernel of this machine.
  private Evidence<RulesReport> rules(String node) {
    Evidence<RulesReport> answer =
        sources
            .node(
                node,
                "rules?namespace=" + service.key().namespace() + "&service=" + service.key().name())
            .map(RulesReport::of);
    boolean here = sources.localNode().filter(node::equals).isPresent();
    return answer instanceof Unseen<?> && here ? sources.localRules(service, slices) : answer;
  }

  /// The sockets of pods, by the pods' names.
  Map<String, Evidence<ListenersReport>> listeners(List<V1Pod> pods) {
    Map<String, Questions.Pending<ListenersReport>> pending = new TreeMap<>();
    pods.stream()
        .filter(pod -> service.selecting().selects(pod.metadata().labels()))
        .filter(pod -> !pod.spec().nodeName().isEmpty() && !pod.status().addresses().isEmpty())
        .limit(MOST_PODS)
        .forEach(
            pod ->
                pending.put(
                    pod.metadata().name(),
                    questions.ask(
                        () ->
                            sources
                                .node(
                                    pod.spec().nodeName(), "listeners?pod=" + pod.metadata().uid())
                                .map(ListenersReport::of))));
    Map<String, Evidence<ListenersReport>> answers = new TreeMap<>();
    pending.forEach((pod, each) -> answers.put(pod, each.await()));
    return answers;
  }
}
