package io.fairlead.insight.explain;

import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Times;
import io.fairlead.insight.evidence.ChecksReport;
import io.fairlead.insight.evidence.RulesReport;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Proof;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The row `Rules`: whether the kernels of the nodes do what the API says.
final class RulesRow {
  private static final String NAME = "Rules";

  /// A report may be that old although its proxy is up to date.
  private static final Duration BEHIND = Duration.ofSeconds(30);

  private RulesRow() {}

  static Row of(ServiceCase asked) {
    List<Finding> findings = new ArrayList<>();
    Map<String, RulesReport> seen = new TreeMap<>();
    Unseen<?> blind = Unseen.of(new Why.NoNodeApi());
    for (Map.Entry<String, ServiceEvidence.NodeEvidence> node :
        new TreeMap<>(asked.evidence().nodes()).entrySet()) {
      node.getValue()
          .rules()
          .value()
          .filter(RulesReport::present)
          .ifPresent(report -> seen.put(node.getKey(), report));
      if (node.getValue().rules() instanceof Unseen<?> unseen) {
        blind = unseen;
      }
      node.getValue()
          .checks()
          .value()
          .ifPresent(checks -> machine(asked, node.getKey(), checks, findings));
    }
    int agreeing = kernel(asked, seen, findings);
    List<ProxyReport> reports = asked.objects().reports().value().orElse(List.of());
    int shown = reported(asked, reports, findings);
    new TrafficJudge(asked).judge(findings);
    if (!seen.isEmpty()) {
      int nodes = Math.max(seen.size(), reports.size());
      unseen(asked, reports, seen, findings);
      return Row.of(NAME, RowState.OK, said(asked, agreeing, nodes), Source.KERNEL)
          .withFindings(findings);
    }
    if (!reports.isEmpty()) {
      Sentence said = Sentence.of("row.rules.reported", "count", shown, "nodes", reports.size());
      return Row.of(NAME, RowState.OK, said, Source.API).withFindings(findings);
    }
    return Row.unknown(NAME, Words.unknown(blind)).withFindings(findings);
  }

  private static Sentence said(ServiceCase asked, int agreeing, int nodes) {
    Optional<Long> slowest =
        asked.evidence().nodes().values().stream()
            .flatMap(node -> node.about().value().stream())
            .flatMap(about -> about.lastSyncMillis().stream())
            .max(Long::compare);
    return slowest
        .map(
            millis ->
                new Sentence(
                    "row.rules.applied",
                    Map.of(
                        "count",
                        Integer.toString(agreeing),
                        "nodes",
                        Integer.toString(nodes),
                        "age",
                        Words.duration(Duration.ofMillis(millis)))))
        .orElseGet(() -> Sentence.of("row.rules.agree", "count", agreeing, "nodes", nodes));
  }

  /// Intent against kernel. Returns on how many nodes they agree.
  private static int kernel(
      ServiceCase asked, Map<String, RulesReport> seen, List<Finding> findings) {
    int agreeing = 0;
    int without = (int) seen.values().stream().filter(report -> report.missing() > 0).count();
    for (Map.Entry<String, RulesReport> node : seen.entrySet()) {
      RulesReport report = node.getValue();
      if (report.missing() > 0) {
        // From a node that lacks rules the Service may be unreachable.
        boolean grave = without == seen.size() || isHere(asked, node.getKey());
        findings.add(
            onNode(
                    asked,
                    FindingCode.FL140,
                    Source.KERNEL,
                    node.getKey(),
                    "nodes",
                    node.getKey(),
                    "count",
                    Integer.toString(report.missing()))
                .as(grave ? Severity.FAULT : Severity.WARNING));
      } else if (report.extra() > 0) {
        findings.add(
            onNode(
                asked,
                FindingCode.FL141,
                Source.KERNEL,
                node.getKey(),
                "process",
                "unknown",
                "time",
                "unknown",
                "count",
                Integer.toString(report.extra())));
      }
      if (report.missing() == 0 && report.extra() == 0) {
        agreeing++;
        report.drifts().stream()
            .findFirst()
            .ifPresent(drift -> findings.add(drifted(asked, node.getKey(), drift)));
      }
    }
    return agreeing;
  }

  /// Rules that another program changed and the proxy has repaired since.
  private static Finding drifted(ServiceCase asked, String node, RulesReport.Drift drift) {
    return onNode(
        asked,
        FindingCode.FL141,
        Source.RECORD,
        node,
        "process",
        drift.process().isEmpty() ? "unknown" : drift.process(),
        "time",
        drift.at().isEmpty() ? "unknown" : drift.at(),
        "count",
        "0");
  }

  private static boolean isHere(ServiceCase asked, String node) {
    return asked.evidence().client().filter(client -> client.node().equals(node)).isPresent();
  }

  /// What proxies say of themselves. Returns how many show the newest endpoints.
  private static int reported(
      ServiceCase asked, List<ProxyReport> reports, List<Finding> findings) {
    List<V1EndpointSlice> slices = asked.objects().slices().value().orElse(List.of());
    Instant newest = Instant.EPOCH;
    for (V1EndpointSlice slice : slices) {
      Instant changed =
          V1Times.parse(slice.annotations().getOrDefault(V1EndpointSlice.TRIGGER_ANNOTATION, ""))
              .orElse(Instant.EPOCH);
      newest = changed.isAfter(newest) ? changed : newest;
    }
    Instant now = asked.evidence().now();
    // Without a time nothing can be said about delay.
    boolean old = newest.isAfter(Instant.EPOCH) && newest.plus(BEHIND).isBefore(now);
    int good = 0;
    for (ProxyReport report : reports) {
      boolean shows =
          slices.stream()
              .allMatch(
                  slice -> report.shows(slice.addressType(), slice.metadata().resourceVersion()));
      if (!report.lives(now)) {
        if (isKnown(asked, report.node())) {
          findings.add(behind(asked, report, "dead", now));
        }
      } else if (!shows && old) {
        findings.add(behind(asked, report, "behind", now));
      } else {
        good++;
      }
    }
    return good;
  }

  /// A report of a node that was removed says nothing.
  private static boolean isKnown(ServiceCase asked, String node) {
    List<V1Node> nodes = asked.objects().nodes().value().orElse(List.of());
    return nodes.isEmpty() || nodes.stream().anyMatch(each -> each.metadata().name().equals(node));
  }

  private static Finding behind(ServiceCase asked, ProxyReport report, String state, Instant now) {
    String version = report.written().values().stream().sorted().findFirst().orElse("–");
    Finding found =
        onNode(
            asked,
            FindingCode.FL143,
            Source.API,
            report.node(),
            "state",
            state,
            "version",
            version,
            "behind",
            state.equals("dead") ? "silent" : "late",
            "age",
            Words.age(Duration.between(report.until(), now)));
    return found.as(isHere(asked, report.node()) ? Severity.FAULT : Severity.WARNING);
  }

  private static void machine(
      ServiceCase asked, String node, ChecksReport checks, List<Finding> findings) {
    if (checks.bothVariants()) {
      findings.add(onNode(asked, FindingCode.FL142, Source.KERNEL, node));
    }
    NodeJudge.conntrack(node, checks).ifPresent(findings::add);
    if (!checks.leftovers().isEmpty()) {
      findings.add(onNode(asked, FindingCode.FL197, Source.KERNEL, node));
    }
  }

  /// Nodes whose proxies live and that could not be asked.
  private static void unseen(
      ServiceCase asked,
      List<ProxyReport> reports,
      Map<String, RulesReport> seen,
      List<Finding> findings) {
    for (ProxyReport report : reports) {
      ServiceEvidence.NodeEvidence node = asked.evidence().nodes().get(report.node());
      Why why =
          node != null && node.rules() instanceof Unseen<?> unseen
              ? unseen.why()
              : new Why.NoNodeApi();
      if (!seen.containsKey(report.node()) && report.lives(asked.evidence().now())) {
        Map<String, String> values = asked.values("node", report.node());
        values.putAll(Words.why(why));
        findings.add(
            Finding.of(FindingCode.FL193, Subject.node(report.node()), Source.API, values));
      }
    }
  }

  static Finding onNode(
      ServiceCase asked, FindingCode code, Source source, String node, String... values) {
    Map<String, String> all = asked.values(values);
    all.put("node", node);
    return new Finding(
        code, code.severity(), Subject.node(node), all, List.of(new Proof(source, node, "")));
  }
}
