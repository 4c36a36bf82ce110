package io.fairlead.insight.explain;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ListenersReport;
import io.fairlead.insight.evidence.ListenersReport.Listener;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The row `Listening`: whether a process waits where the rules lead.
final class ListeningRow {
  private static final String NAME = "Listening";

  private ListeningRow() {}

  static Optional<Row> of(ServiceCase asked) {
    List<EndpointView> endpoints =
        asked.used().stream().filter(each -> !each.pod().isEmpty() && each.port() > 0).toList();
    if (endpoints.isEmpty()) {
      return Optional.empty();
    }
    List<Finding> findings = new ArrayList<>();
    int looked = 0;
    Unseen<?> blind = Unseen.of(new Why.NoNodeApi());
    for (EndpointView each : endpoints) {
      Evidence<ListenersReport> sockets = asked.evidence().listeners().get(each.pod());
      switch (sockets) {
        case Seen<ListenersReport> seen -> {
          looked++;
          judge(asked, each, seen.found()).ifPresent(findings::add);
        }
        case Unseen<ListenersReport> unseen -> blind = unseen;
        case null -> {}
      }
    }
    if (looked == 0) {
      return Optional.of(Row.unknown(NAME, Words.unknown(blind)));
    }
    undeclared(asked, findings);
    String ports =
        endpoints.stream()
            .map(each -> each.port() + "/" + each.protocol())
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    long faulty = findings.stream().filter(each -> each.code() != FindingCode.FL122).count();
    Sentence said =
        faulty == 0 && looked == endpoints.size()
            ? Sentence.of("row.listening.all", "ports", ports, "count", looked)
            : new Sentence(
                "row.listening.some",
                Map.of(
                    "ports",
                    ports,
                    "good",
                    Long.toString(looked - faulty),
                    "count",
                    Integer.toString(endpoints.size())));
    return Optional.of(Row.of(NAME, RowState.OK, said, Source.KERNEL).withFindings(findings));
  }

  private static Optional<Finding> judge(
      ServiceCase asked, EndpointView endpoint, ListenersReport sockets) {
    List<Listener> there =
        sockets.listeners().stream()
            .filter(each -> each.port() == endpoint.port())
            .filter(each -> each.protocol().equals(endpoint.protocol()))
            .toList();
    if (there.isEmpty()) {
      return Optional.of(
          found(asked, FindingCode.FL123, endpoint, "open", open(sockets, endpoint.protocol())));
    }
    if (there.stream().allMatch(each -> isLoopback(each.address()))) {
      Listener only = there.getFirst();
      return Optional.of(
          found(
              asked,
              FindingCode.FL124,
              endpoint,
              "address",
              only.address(),
              "process",
              only.process().isEmpty() ? "unknown" : only.process()));
    }
    boolean six = endpoint.address().indexOf(':') >= 0;
    if (there.stream().noneMatch(each -> takes(each.address(), six))) {
      return Optional.of(
          found(
              asked,
              FindingCode.FL127,
              endpoint,
              "has",
              six ? "IPv4" : "IPv6",
              "wanted",
              six ? "IPv6" : "IPv4"));
    }
    return there.stream()
        .filter(each -> each.backlog() > 0 && each.waiting() >= each.backlog())
        .findFirst()
        .map(
            full ->
                found(
                    asked,
                    FindingCode.FL126,
                    endpoint,
                    "waiting",
                    Integer.toString(full.waiting()),
                    "backlog",
                    Integer.toString(full.backlog())));
  }

  /// `9376, 8080`; the word `none` without any.
  static String open(ListenersReport sockets, String protocol) {
    TreeSet<Integer> ports = new TreeSet<>();
    sockets.listeners().stream()
        .filter(each -> each.protocol().equals(protocol))
        .forEach(each -> ports.add(each.port()));
    return ports.isEmpty()
        ? "none"
        : ports.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static boolean isLoopback(String address) {
    IpAddress parsed = IpAddress.parseOrNull(address);
    return parsed != null && parsed.isLoopback();
  }

  /// A socket bound to `::` takes both families unless it says otherwise; the node then shows it as
  /// bound to `[::]` only.
  private static boolean takes(String address, boolean six) {
    if (address.equals("::")) {
      return true;
    }
    return (address.replace("[", "").indexOf(':') >= 0) == six;
  }

  /// Numbers that the pods do not declare, where something listens all the same.
  private static void undeclared(ServiceCase asked, List<Finding> findings) {
    if (!findings.isEmpty()) {
      return;
    }
    Map<String, V1Pod> pods = new HashMap<>();
    asked
        .objects()
        .pods()
        .value()
        .orElse(List.of())
        .forEach(pod -> pods.put(pod.metadata().name(), pod));
    for (EndpointView each : asked.used()) {
      V1Pod pod = pods.get(each.pod());
      if (pod != null && !declares(pod, each.port())) {
        findings.add(found(asked, FindingCode.FL122, each));
        return;
      }
    }
  }

  /// A pod that declares no port at all documents nothing, which is not worth a word.
  private static boolean declares(V1Pod pod, int port) {
    List<V1Pod.Port> declared =
        pod.spec().containers().stream().flatMap(each -> each.ports().stream()).toList();
    return declared.isEmpty() || declared.stream().anyMatch(each -> each.containerPort() == port);
  }

  static Finding found(
      ServiceCase asked, FindingCode code, EndpointView endpoint, String... values) {
    Map<String, String> all = asked.values(values);
    all.put("pod", endpoint.pod());
    all.put("port", Integer.toString(endpoint.port()));
    all.put("protocol", endpoint.protocol());
    return Finding.of(code, asked.pod(endpoint.pod()), Source.KERNEL, all);
  }
}
