package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Service;
import io.fairlead.insight.evidence.ChecksReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ListenersReport;
import io.fairlead.insight.evidence.ReachReport;
import io.fairlead.insight.evidence.ReachReport.Attempt;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.evidence.ReachReport.PortReach;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The row `Reach`: what came of real connections.
final class ReachRow {
  private static final String NAME = "Reach";

  /// A handshake through the front that takes so much longer than a direct one is slow.
  private static final double SLOW_MILLIS = 100;

  private static final double SLOW_RATIO = 5;
  private static final int TRIES = 3;

  private final ServiceCase asked;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, EndpointView> endpoints = new HashMap<>();

  private ReachRow(ServiceCase asked) {
    this.asked = asked;
    asked.used().forEach(each -> endpoints.put(each.place(), each));
  }

  static Row of(ServiceCase asked) {
    return new ReachRow(asked).row();
  }

  private Row row() {
    List<V1Service.Port> tcp =
        asked.asked().stream().filter(port -> port.protocol().equals("TCP")).toList();
    for (V1Service.Port port : asked.asked()) {
      if (!port.protocol().isEmpty() && !port.protocol().equals("TCP")) {
        findings.add(
            Finding.of(
                FindingCode.FL129,
                asked.subject(),
                Source.API,
                asked.values("protocol", port.protocol())));
      }
    }
    if (tcp.isEmpty()) {
      return findings.isEmpty()
          ? Row.of(NAME, RowState.NONE, Sentence.of("row.reach.noport"), Source.API)
          : Row.found(NAME, RowState.NONE, findings.getFirst());
    }
    if (asked.evidence().reach() instanceof Unseen<ReachReport> unseen) {
      return Row.unknown(NAME, Words.unknown(unseen)).withFindings(findings);
    }
    ReachReport report = asked.evidence().reach().value().orElseThrow();
    report.ports().forEach(port -> judge(report, port));
    return Row.of(NAME, state(report), said(report), Source.PROBE).withFindings(findings);
  }

  private RowState state(ReachReport report) {
    return report.ports().stream().allMatch(port -> answered(port.through()) == 0)
            && report.ports().stream().allMatch(port -> port.direct().isEmpty())
        ? RowState.NONE
        : RowState.OK;
  }

  private Sentence said(ReachReport report) {
    int tried = 0;
    int through = 0;
    Set<String> seen = new HashSet<>();
    Set<String> direct = new HashSet<>();
    double fastest = Double.MAX_VALUE;
    for (PortReach port : report.ports()) {
      tried += port.through().size();
      through += answered(port.through());
      for (Attempt attempt : port.through()) {
        if (attempt.outcome() == Outcome.ANSWERED) {
          fastest = Math.min(fastest, attempt.millis());
          if (!attempt.endpoint().isEmpty()) {
            seen.add(attempt.endpoint());
          }
        }
      }
      port.direct()
          .forEach(
              (place, attempt) -> {
                if (attempt.outcome() == Outcome.ANSWERED) {
                  direct.add(place);
                }
              });
    }
    Map<String, String> values = new HashMap<>();
    values.put("count", Integer.toString(asked.used().size()));
    values.put("seen", Integer.toString(seen.size()));
    values.put("direct", Integer.toString(direct.size()));
    values.put("through", Integer.toString(through));
    values.put("tried", Integer.toString(tried));
    values.put("place", report.place());
    values.put("millis", through == 0 ? "–" : Words.millis(fastest));
    Set<String> either = new HashSet<>(seen);
    either.addAll(direct);
    boolean all = either.containsAll(endpoints.keySet());
    if (tried == 0) {
      return new Sentence("row.reach.direct", values);
    }
    if (through == 0) {
      return new Sentence(endpoints.isEmpty() ? "row.reach.refused" : "row.reach.nothing", values);
    }
    if (endpoints.isEmpty()) {
      return new Sentence("row.reach.answers", values);
    }
    if (seen.containsAll(endpoints.keySet())) {
      return new Sentence("row.reach.all", values);
    }
    if (!seen.isEmpty() && all) {
      return new Sentence("row.reach.both", values);
    }
    return new Sentence(all && through == tried ? "row.reach.answered" : "row.reach.some", values);
  }

  private static int answered(List<Attempt> attempts) {
    return (int) attempts.stream().filter(attempt -> attempt.outcome() == Outcome.ANSWERED).count();
  }

  private void judge(ReachReport report, PortReach port) {
    port.direct()
        .forEach(
            (place, attempt) -> {
              EndpointView endpoint = endpoints.get(place);
              if (endpoint != null) {
                direct(endpoint, attempt);
              }
            });
    if (asked.used(port.port()).isEmpty() || port.through().isEmpty()) {
      return;
    }
    own(port).ifPresent(findings::add);
    int good = answered(port.through());
    long refused = count(port, Outcome.REFUSED);
    long silent = count(port, Outcome.NO_ANSWER);
    boolean reachable =
        port.direct().values().stream().anyMatch(each -> each.outcome() == Outcome.ANSWERED);
    if (count(port, Outcome.UNREACHABLE) == port.through().size()) {
      findings.add(found(FindingCode.FL191, "place", report.place(), "address", port.front()));
    } else if (good == 0 && (reachable || port.direct().isEmpty())) {
      lost(port, refused, silent);
    } else if (good > 0) {
      slow(port);
    }
  }

  /// The client's own endpoint, when connections that were led to it fail and it answers otherwise:
  /// to others, or when it is asked directly.
  private Optional<Finding> own(PortReach port) {
    Set<String> addresses = new HashSet<>();
    asked
        .evidence()
        .client()
        .flatMap(ServiceEvidence.Client::pod)
        .ifPresent(
            pod ->
                pod.path("status")
                    .path("podIPs")
                    .forEach(each -> addresses.add(Json.textOr(each, "", "ip"))));
    for (EndpointView endpoint : asked.used(port.port())) {
      List<Attempt> toItself =
          port.through().stream().filter(each -> each.endpoint().equals(endpoint.place())).toList();
      Attempt direct = port.direct().get(endpoint.place());
      boolean answersOtherwise =
          answered(port.through()) > 0 || (direct != null && direct.outcome() == Outcome.ANSWERED);
      if (addresses.contains(endpoint.address())
          && !toItself.isEmpty()
          && answered(toItself) == 0
          && answersOtherwise) {
        return Optional.of(probed(FindingCode.FL148, endpoint));
      }
    }
    return Optional.empty();
  }

  private static long count(PortReach port, Outcome outcome) {
    return port.through().stream().filter(each -> each.outcome() == outcome).count();
  }

  /// No connection through the front, although endpoints are there.
  private void lost(PortReach port, long refused, long silent) {
    Optional<Finding> machine =
        asked.evidence().nodes().entrySet().stream()
            .flatMap(node -> machine(node, port.front()).stream())
            .findFirst();
    if (silent > 0 && machine.isPresent()) {
      findings.add(machine.get());
      return;
    }
    findings.add(
        found(
            FindingCode.FL188, "count", Long.toString(refused + silent), "endpoint", port.front()));
  }

  private static Optional<Finding> machine(
      Map.Entry<String, ServiceEvidence.NodeEvidence> node, String front) {
    Optional<ChecksReport> checks = node.getValue().checks().value();
    return checks.flatMap(each -> NodeJudge.forwarding(node.getKey(), each, front.startsWith("[")));
  }

  private void direct(EndpointView endpoint, Attempt attempt) {
    Evidence<ListenersReport> sockets = asked.evidence().listeners().get(endpoint.pod());
    Optional<ListenersReport> known = sockets == null ? Optional.empty() : sockets.value();
    switch (attempt.outcome()) {
      case ANSWERED -> {}
      case REFUSED -> {
        // What the sockets say is said in their row.
        if (known.isEmpty()) {
          findings.add(probed(FindingCode.FL123, endpoint, "open", "unknown"));
        }
      }
      case NO_ANSWER ->
          findings.add(
              known.filter(open -> listens(open, endpoint)).isPresent()
                  ? probed(FindingCode.FL128, endpoint)
                  : probed(FindingCode.FL188, endpoint, "count", "1").as(Severity.WARNING));
      case UNREACHABLE ->
          findings.add(
              probed(FindingCode.FL191, endpoint, "place", "node", "address", endpoint.address()));
    }
  }

  private static boolean listens(ListenersReport sockets, EndpointView endpoint) {
    return sockets.listeners().stream().anyMatch(each -> each.port() == endpoint.port());
  }

  private void slow(PortReach port) {
    Map<String, List<Attempt>> byEndpoint = new HashMap<>();
    for (Attempt attempt : port.through()) {
      if (attempt.outcome() == Outcome.ANSWERED && !attempt.endpoint().isEmpty()) {
        byEndpoint.computeIfAbsent(attempt.endpoint(), _ -> new ArrayList<>()).add(attempt);
      }
    }
    byEndpoint.forEach(
        (place, attempts) -> {
          Attempt direct = port.direct().get(place);
          EndpointView endpoint = endpoints.get(place);
          if (direct == null || endpoint == null || attempts.size() < TRIES) {
            return;
          }
          double least = attempts.stream().mapToDouble(Attempt::millis).min().orElse(0);
          if (least > SLOW_MILLIS && least > SLOW_RATIO * direct.millis()) {
            findings.add(
                probed(
                    FindingCode.FL199,
                    endpoint,
                    "millis",
                    Words.millis(least),
                    "direct",
                    Words.millis(direct.millis())));
          }
        });
  }

  private Finding probed(FindingCode code, EndpointView endpoint, String... values) {
    Map<String, String> all = asked.values(values);
    all.put("pod", endpoint.pod());
    all.put("port", Integer.toString(endpoint.port()));
    all.put("protocol", endpoint.protocol());
    all.put("endpoint", endpoint.place());
    return Finding.of(
        code,
        asked.pod(endpoint.pod().isEmpty() ? endpoint.place() : endpoint.pod()),
        Source.PROBE,
        all);
  }

  private Finding found(FindingCode code, String... values) {
    return Finding.of(code, asked.subject(), Source.PROBE, asked.values(values));
  }
}
