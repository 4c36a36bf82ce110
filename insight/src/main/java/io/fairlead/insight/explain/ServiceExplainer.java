package io.fairlead.insight.explain;

import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.finding.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Judges the evidence about one Service. Pure.
public final class ServiceExplainer {
  /// What makes an endpoint useless although the rules lead to it.
  private static final Set<FindingCode> BLOCKING =
      Set.of(
          FindingCode.FL123,
          FindingCode.FL124,
          FindingCode.FL127,
          FindingCode.FL128,
          FindingCode.FL137);

  private ServiceExplainer() {}

  /// What is wrong with a Service that is not there: FL101 when one of its name is elsewhere, else
  /// FL100.
  public static Finding missing(ServiceEvidence evidence) {
    List<String> others = evidence.namesakes().value().orElse(List.of());
    Map<String, String> values = new TreeMap<>();
    values.put("name", evidence.key().name());
    values.put("namespace", evidence.key().namespace());
    values.put("key", evidence.key().toString());
    values.put("others", Words.list(others));
    values.put("other", others.isEmpty() ? "" : others.getFirst());
    return Finding.of(
        others.isEmpty() ? FindingCode.FL100 : FindingCode.FL101,
        Subject.service(evidence.key().namespace(), evidence.key().name()),
        Source.API,
        values);
  }

  /// A port that the Service does not have; empty when it has it.
  ///
  /// @param port a name or number; empty for all
  public static Optional<Finding> missingPort(ServiceFacts service, String port) {
    boolean there =
        port.isEmpty()
            || service.spec().spec().ports().stream()
                .anyMatch(
                    each -> each.name().equals(port) || Integer.toString(each.port()).equals(port));
    if (there) {
      return Optional.empty();
    }
    List<String> ports =
        service.spec().spec().ports().stream()
            .map(each -> each.name().isEmpty() ? "" + each.port() : each.port() + " " + each.name())
            .toList();
    return Optional.of(
        Finding.of(
            FindingCode.FL125,
            Subject.service(service.key().namespace(), service.key().name()),
            Source.API,
            Map.of(
                "name",
                service.key().name(),
                "namespace",
                service.key().namespace(),
                "port",
                port,
                "ports",
                ports.isEmpty() ? "none" : String.join(", ", ports))));
  }

  /// @param service the one that the evidence is about
  /// @param port a name or number; empty for all ports
  public static Explanation explain(ServiceEvidence evidence, ServiceFacts service, String port) {
    ServiceCase asked = ServiceCase.of(evidence, service, port);
    List<Row> rows = new ArrayList<>();
    rows.add(ServiceRow.of(asked));
    boolean alias = service.externalName();
    if (!alias) {
      rows.add(SelectorRow.of(asked));
      rows.add(EndpointsRow.of(asked));
      ListeningRow.of(asked).ifPresent(rows::add);
      rows.add(SlicesRow.of(asked));
      if (!service.headless() && asked.otherProxy().isEmpty()) {
        rows.add(RulesRow.of(asked));
      }
    }
    rows.addAll(BalancerRows.of(asked));
    rows.add(NameRow.of(asked));
    if (!alias) {
      PolicyRow.of(asked).ifPresent(rows::add);
      rows.add(ReachRow.of(asked));
      EnvironmentRow.of(asked).ifPresent(rows::add);
    }
    return explanation(asked, settled(asked, rows));
  }

  /// The rows with findings about parts made as grave as they are for the whole: a fault only when
  /// some port is left without an endpoint that can answer.
  private static List<Row> settled(ServiceCase asked, List<Row> rows) {
    boolean dead = isDead(asked, rows);
    List<Row> settled = new ArrayList<>();
    for (Row row : rows) {
      settled.add(
          row.withFindings(
              row.findings().stream()
                  .map(
                      finding ->
                          finding.code().scope() != FindingCode.Scope.ENDPOINT
                              ? finding
                              : finding.as(dead ? Severity.FAULT : Severity.WARNING))
                  .toList()));
    }
    return settled;
  }

  private static boolean isDead(ServiceCase asked, List<Row> rows) {
    if (!asked.objects().slices().isSeen() || !asked.otherProxy().isEmpty()) {
      return false;
    }
    Set<String> blocked = new HashSet<>();
    for (Row row : rows) {
      for (Finding finding : row.findings()) {
        if (BLOCKING.contains(finding.code())) {
          blocked.add(finding.subject().name());
          blocked.add(finding.values().getOrDefault("address", ""));
        }
      }
    }
    for (String port : asked.endpoints().keySet()) {
      boolean usable =
          asked.used(port).stream()
              .anyMatch(
                  each ->
                      !blocked.contains(each.pod().isEmpty() ? each.place() : each.pod())
                          && !blocked.contains(each.address()));
      if (!usable) {
        return true;
      }
    }
    return false;
  }

  private static Explanation explanation(ServiceCase asked, List<Row> rows) {
    // Rows stand in order, and sorting keeps it among findings of one gravity.
    List<Finding> findings = new ArrayList<>();
    Set<List<Object>> said = new HashSet<>();
    for (Row row : rows) {
      row.findings().stream()
          .sorted(Comparator.comparing(finding -> finding.subject().name()))
          .filter(finding -> said.add(List.of(finding.code(), finding.subject())))
          .forEach(findings::add);
    }
    findings.sort(Comparator.comparing(Finding::severity));
    Optional<Why> blind = blind(asked, rows);
    Verdict verdict = Verdict.of(findings, blind.isEmpty());
    return new Explanation(
        asked.subject(),
        ServiceSummary.header(asked),
        ServiceSummary.document(asked),
        rows,
        findings,
        verdict,
        verdict == Verdict.UNKNOWN ? blind : Optional.empty(),
        unseen(asked));
  }

  /// Why nothing below the API was seen; empty when something was.
  private static Optional<Why> blind(ServiceCase asked, List<Row> rows) {
    boolean reach = isUnknown(rows, "Reach") || (isUnknown(rows, "DNS") && hasNot(rows, "Reach"));
    boolean rules = isUnknown(rows, "Rules") || hasNot(rows, "Rules");
    if (!reach || !rules) {
      return Optional.empty();
    }
    Evidence<?> evidence =
        hasNot(rows, "Reach") ? asked.evidence().name() : asked.evidence().reach();
    return evidence instanceof Unseen<?> unseen
        ? Optional.of(unseen.why())
        : Optional.of(new Why.NoNodeApi());
  }

  private static boolean isUnknown(List<Row> rows, String name) {
    return rows.stream()
        .anyMatch(row -> row.name().equals(name) && row.shownState() == RowState.UNKNOWN);
  }

  private static boolean hasNot(List<Row> rows, String name) {
    return rows.stream().noneMatch(row -> row.name().equals(name));
  }

  private static List<Explanation.Unknown> unseen(ServiceCase asked) {
    List<Explanation.Unknown> all = new ArrayList<>();
    add(all, "pods", asked.objects().pods());
    add(all, "slices", asked.objects().slices());
    add(all, "nodes", asked.objects().nodes());
    add(all, "name", asked.evidence().name());
    add(all, "reach", asked.evidence().reach());
    new TreeMap<>(asked.evidence().nodes())
        .forEach(
            (name, node) -> {
              add(all, "rules", name, node.rules());
              add(all, "checks", name, node.checks());
            });
    return all;
  }

  private static void add(List<Explanation.Unknown> all, String what, Evidence<?> evidence) {
    add(all, what, evidence.node(), evidence);
  }

  private static void add(
      List<Explanation.Unknown> all, String what, String node, @Nullable Evidence<?> evidence) {
    if (evidence instanceof Unseen<?> unseen) {
      all.add(new Explanation.Unknown(what, node, unseen.why()));
    }
  }
}
