package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.ChecksReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.MachineEvidence;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.verify.VerifyEvidence;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gathers what a verification of nodes rests on: about the cluster once, about all nodes at once.
public final class VerifyGathering {
  /// What proxies read.
  private static final String PROXIED =
      "!service.kubernetes.io/service-proxy-name,!service.kubernetes.io/headless";

  private static final int MANY = 100_000;

  /// How far behind rules may be.
  private static final int LATE_SECONDS = 10;

  private final Sources sources;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Duration limit;

  /// @param limit how long all answers may take together
  public VerifyGathering(Sources sources, InstantSource clock, Ticker ticker, Duration limit) {
    this.sources = sources;
    this.clock = clock;
    this.ticker = ticker;
    this.limit = limit;
  }

  /// @param server the DNS server's address; empty when there is none
  /// @param certain whether silence of that server means something: this machine is a node, or the
  ///   user named it
  public record NameQuestion(Optional<String> server, String name, boolean certain) {}

  public List<VerifyEvidence> gather(List<String> nodes, NameQuestion question) {
    try (Questions questions = new Questions(ticker, limit)) {
      var versions = questions.ask(this::newestSlice);
      var name = questions.ask(() -> resolve(question));
      var servers = questions.ask(this::readyDnsServers);
      Evidence<String> newest = versions.await();
      List<PendingNode> asked =
          nodes.stream().map(node -> ask(questions, node, newest.value().orElse(""))).toList();
      List<VerifyEvidence> all = new ArrayList<>();
      for (PendingNode node : asked) {
        all.add(node.await(newest, name.await(), servers.await()));
      }
      return all;
    }
  }

  private PendingNode ask(Questions questions, String node, String newest) {
    String about =
        newest.isEmpty() ? "about" : "about?slicesAfter=" + newest + "&wait=" + LATE_SECONDS;
    return new PendingNode(
        node,
        ticker.nanos(),
        questions.ask(() -> sources.find(ResourceType.NODES, new ObjectKey("", node))),
        questions.ask(() -> sources.find(ResourceType.LEASES, ProxyReport.key(node))),
        questions.ask(() -> sources.node(node, about).map(AboutReport::of)),
        questions.ask(() -> sources.node(node, "rules/summary").map(one -> (JsonNode) one)),
        questions.ask(() -> sources.node(node, "checks").map(ChecksReport::of)),
        questions.ask(() -> sources.node(node, "flows").map(one -> (JsonNode) one)));
  }

  /// Questions to one node that are under way.
  private final class PendingNode {
    private final String name;
    private final long start;
    private final Questions.Pending<Optional<ObjectNode>> node;
    private final Questions.Pending<Optional<ObjectNode>> report;
    private final Questions.Pending<AboutReport> about;
    private final Questions.Pending<JsonNode> rules;
    private final Questions.Pending<ChecksReport> checks;
    private final Questions.Pending<JsonNode> flows;

    PendingNode(
        String name,
        long start,
        Questions.Pending<Optional<ObjectNode>> node,
        Questions.Pending<Optional<ObjectNode>> report,
        Questions.Pending<AboutReport> about,
        Questions.Pending<JsonNode> rules,
        Questions.Pending<ChecksReport> checks,
        Questions.Pending<JsonNode> flows) {
      this.name = name;
      this.start = start;
      this.node = node;
      this.report = report;
      this.about = about;
      this.rules = rules;
      this.checks = checks;
      this.flows = flows;
    }

    VerifyEvidence await(
        Evidence<String> newest, Evidence<NameAnswer> answer, Evidence<Integer> servers) {
      MachineEvidence machine =
          new MachineEvidence(
              clock.instant(),
              name,
              node.await().map(found -> found.map(V1Node::of)),
              report.await().map(found -> found.map(ProxyReport::of)),
              about.await(),
              rules.await(),
              checks.await());
      Evidence<JsonNode> seen = flows.await();
      return new VerifyEvidence(
          machine, seen, newest, answer, servers, (ticker.nanos() - start) / 1_000_000);
    }
  }

  private Evidence<String> newestSlice() {
    return sources
        .listMetadata(
            ResourceType.ENDPOINT_SLICES,
            "",
            ListOptions.ALL.labelled(PROXIED),
            MANY,
            one -> Json.textOr(one, "", "metadata", "resourceVersion"))
        .map(
            all ->
                all.stream()
                    .filter(one -> !one.isEmpty())
                    .reduce(
                        "",
                        (left, right) ->
                            left.isEmpty() || ResourceVersions.compare(left, right) < 0
                                ? right
                                : left));
  }

  private Evidence<NameAnswer> resolve(NameQuestion question) {
    if (question.server().isEmpty()) {
      return Unseen.of(new Why.NoAnswer("there is no Service kube-system/kube-dns"));
    }
    Evidence<NameAnswer> answer = sources.resolve(question.server().get(), question.name());
    boolean silent =
        answer.value().filter(one -> one.rcode().equals(NameAnswer.NO_ANSWER)).isPresent();
    return silent && !question.certain() ? Unseen.of(new Why.NoNodeApi()) : answer;
  }

  /// A cluster without slices for it has its DNS elsewhere.
  private Evidence<Integer> readyDnsServers() {
    return sources
        .list(
            ResourceType.ENDPOINT_SLICES,
            "kube-system",
            ListOptions.ALL.labelled(V1EndpointSlice.SERVICE_LABEL + "=kube-dns"),
            MANY,
            one -> RawObject.of(one).read(in -> V1EndpointSlice.read(in, FieldMask.ALL)))
        .map(
            all ->
                all.isEmpty()
                    ? 1
                    : (int)
                        all.stream()
                            .flatMap(one -> one.endpoints().stream())
                            .filter(one -> !Boolean.FALSE.equals(one.ready()))
                            .count());
  }
}
