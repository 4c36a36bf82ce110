package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.ChecksReport;
import io.fairlead.insight.evidence.MachineEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.finding.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// Judges the evidence about one node: its proxy, its rules, its kernel. Pure.
public final class NodeExplainer {
  private NodeExplainer() {}

  /// @param node the one that the evidence is about
  public static Explanation explain(MachineEvidence evidence, V1Node node) {
    List<Row> rows = new ArrayList<>();
    rows.add(proxy(evidence));
    rows.add(rules(evidence));
    rows.add(conntrack(evidence));
    rows.add(forwarding(evidence));
    List<Finding> findings = new ArrayList<>();
    rows.forEach(row -> findings.addAll(row.findings()));
    findings.sort(Finding.GRAVEST_FIRST);
    List<Explanation.Unknown> unseen = new ArrayList<>();
    Optional<Why> why = Optional.empty();
    if (evidence.checks() instanceof Unseen<?> blind) {
      unseen.add(new Explanation.Unknown("checks", evidence.name(), blind.why()));
      why = Optional.of(blind.why());
    }
    boolean checked = rows.stream().anyMatch(row -> row.shownState() != RowState.UNKNOWN);
    boolean ready = node.condition("Ready").map(V1Condition::isTrue).orElse(false);
    Verdict verdict = Verdict.of(findings, checked);
    return new Explanation(
        Subject.node(evidence.name()),
        Sentence.of(
            ready ? "header.node.ready" : "header.node",
            "name",
            evidence.name(),
            "address",
            String.join(", ", node.addresses("InternalIP"))),
        Json.object().put("ready", ready),
        rows,
        findings,
        verdict,
        verdict == Verdict.UNKNOWN ? why : Optional.empty(),
        unseen);
  }

  private static Row proxy(MachineEvidence evidence) {
    Optional<ProxyReport> report = evidence.report().value().flatMap(found -> found);
    Optional<AboutReport> about = evidence.about().value();
    if (report.isEmpty() && about.isEmpty()) {
      return Row.unknown(
          "Proxy",
          unknown(evidence.about() instanceof Unseen<?> one ? one.why() : new Why.NoNodeApi()));
    }
    if (about.isEmpty() && !report.get().lives(evidence.now())) {
      Map<String, String> values = new TreeMap<>();
      values.put("node", evidence.name());
      values.put("state", "dead");
      values.put("version", String.join(", ", report.get().written().values()));
      values.put("behind", "silent");
      values.put("age", Words.age(Duration.between(report.get().until(), evidence.now())));
      Finding dead =
          Finding.of(FindingCode.FL143, Subject.node(evidence.name()), Source.API, values)
              .as(Severity.FAULT);
      return Row.found("Proxy", RowState.OK, dead);
    }
    return about
        .map(
            one ->
                Row.of(
                    "Proxy",
                    RowState.OK,
                    Sentence.of("row.node.proxy", "mode", one.mode()),
                    Source.KERNEL))
        .orElseGet(() -> Row.of("Proxy", RowState.OK, Sentence.of("row.node.reports"), Source.API));
  }

  private static Row rules(MachineEvidence evidence) {
    if (evidence.rules() instanceof Unseen<?> unseen) {
      return Row.unknown("Rules", Words.unknown(unseen));
    }
    JsonNode summary = evidence.rules().value().orElseThrow();
    int differing = summary.path("differing").asInt(0);
    Sentence said =
        Sentence.of(
            "row.node.rules",
            "agreeing",
            summary.path("agreeing").asInt(0),
            "differing",
            differing);
    Row row = Row.of("Rules", RowState.OK, said, Source.KERNEL);
    return differing == 0
        ? row
        : row.with(
            NodeJudge.kernel(
                FindingCode.FL140,
                evidence.name(),
                Map.of(
                    "nodes",
                    evidence.name(),
                    "count",
                    Integer.toString(differing),
                    "name",
                    summary.path("names").path(0).asString("NAME"),
                    "namespace",
                    "default")));
  }

  private static Row conntrack(MachineEvidence evidence) {
    if (evidence.checks() instanceof Unseen<?> unseen) {
      return Row.unknown("Conntrack", Words.unknown(unseen));
    }
    ChecksReport checks = evidence.checks().value().orElseThrow();
    if (checks.conntrackMax() <= 0) {
      return Row.unknown("Conntrack", unknown(new Why.NotInKernel("conntrack")));
    }
    Sentence said =
        Sentence.of(
            "row.node.conntrack",
            "percent",
            checks.conntrackCount() * 100 / checks.conntrackMax(),
            "max",
            String.format(Locale.ROOT, "%,d", checks.conntrackMax()));
    Row row = Row.of("Conntrack", RowState.OK, said, Source.KERNEL);
    return NodeJudge.conntrack(evidence.name(), checks).map(row::with).orElse(row);
  }

  private static Row forwarding(MachineEvidence evidence) {
    if (evidence.checks() instanceof Unseen<?> unseen) {
      return Row.unknown("Forwarding", Words.unknown(unseen));
    }
    ChecksReport checks = evidence.checks().value().orElseThrow();
    Row row = Row.of("Forwarding", RowState.OK, Sentence.of("row.node.forwards"), Source.KERNEL);
    Optional<Finding> found = NodeJudge.forwarding(evidence.name(), checks, false);
    if (checks.bothVariants()) {
      row =
          row.with(
              NodeJudge.kernel(
                  FindingCode.FL142, evidence.name(), Map.of("node", evidence.name())));
    }
    if (!checks.leftovers().isEmpty()) {
      row =
          row.with(
              NodeJudge.kernel(
                  FindingCode.FL197, evidence.name(), Map.of("node", evidence.name())));
    }
    // That a chain drops by default is no proof that it drops what a Service needs.
    return found
        .map(each -> each.code() == FindingCode.FL146 ? each.as(Severity.WARNING) : each)
        .map(each -> Row.found("Forwarding", RowState.OK, each))
        .orElse(row);
  }

  private static Sentence unknown(Why why) {
    return new Sentence("row.unknown", Words.why(why));
  }
}
