package io.fairlead.insight.explain;

import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.ExcludedPod;
import io.fairlead.controller.serving.PodAddress;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ReachReport;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The row `Endpoints`: which pods get connections, and which are left out and why.
final class EndpointsRow {
  private static final String NAME = "Endpoints";

  private EndpointsRow() {}

  static Row of(ServiceCase asked) {
    Evidence<?> slices = asked.objects().slices();
    if (slices instanceof Unseen<?> unseen) {
      return Row.unknown(NAME, Words.unknown(unseen));
    }
    List<EndpointView> serving = asked.serving();
    Map<String, V1Pod> pods = new HashMap<>();
    asked
        .objects()
        .pods()
        .value()
        .orElse(List.of())
        .forEach(pod -> pods.put(pod.metadata().name(), pod));
    List<RowItem> items = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (EndpointView each : serving) {
      items.add(used(asked, each, pods));
      named.add(each.pod());
    }
    List<Finding> findings = new ArrayList<>();
    for (ExcludedPod each : asked.excluded()) {
      List<Finding> found =
          PodReasons.of(
              each.pod(), Optional.ofNullable(pods.get(each.pod().key().name())), each.reasons());
      findings.addAll(found);
      // One that serves to its end has a line already.
      if (!each.pod().terminating() || !named.contains(each.pod().key().name())) {
        items.add(excluded(each.pod(), found.getFirst()));
      }
    }
    return new Row(
        NAME,
        serving.isEmpty() ? RowState.NONE : RowState.OK,
        said(asked, serving),
        Optional.of(serving.isEmpty() ? emptySource(asked) : Source.API),
        items,
        findings);
  }

  private static Sentence said(ServiceCase asked, List<EndpointView> serving) {
    Set<String> names = new HashSet<>();
    serving.forEach(each -> names.add(each.pod()));
    int partly =
        (int)
            asked.excluded().stream()
                .filter(each -> names.contains(each.pod().key().name()))
                .filter(each -> !each.pod().terminating())
                .count();
    int out =
        (int)
            asked.excluded().stream()
                .filter(each -> !names.contains(each.pod().key().name()))
                .count();
    if (serving.isEmpty() && !asked.otherProxy().isEmpty()) {
      return Sentence.of("row.endpoints.none");
    }
    if (serving.isEmpty()) {
      return Sentence.of(
          asked.service().headless() ? "row.endpoints.noname" : "row.endpoints.refused");
    }
    int ready = serving.size();
    if (serving.stream().allMatch(EndpointView::terminating)) {
      return Sentence.of("row.endpoints.terminating", "count", ready);
    }
    if (partly > 0) {
      return Sentence.of("row.endpoints.partly", "ready", ready, "partly", partly);
    }
    return out > 0
        ? Sentence.of("row.endpoints.some", "ready", ready, "out", out)
        : Sentence.of("row.endpoints.all", "ready", ready);
  }

  /// That connections are refused is seen when one was; otherwise the proxy's rules say so.
  private static Source emptySource(ServiceCase asked) {
    boolean tried =
        asked.evidence().reach().value().stream()
            .flatMap(report -> report.ports().stream())
            .flatMap(port -> port.through().stream())
            .anyMatch(attempt -> attempt.outcome() == ReachReport.Outcome.REFUSED);
    return tried ? Source.PROBE : Source.MODEL;
  }

  private static RowItem used(ServiceCase asked, EndpointView each, Map<String, V1Pod> pods) {
    Optional<Duration> age =
        Optional.ofNullable(pods.get(each.pod()))
            .flatMap(pod -> pod.status().condition("Ready"))
            .flatMap(condition -> condition.transitionTime())
            .map(since -> Duration.between(since, asked.evidence().now()));
    Sentence text =
        each.terminating()
            ? Sentence.of("item.terminating")
            : age.map(ready -> Sentence.of("item.ready.for", "age", Words.age(ready)))
                .orElseGet(() -> Sentence.of("item.ready"));
    return new RowItem(
        RowState.OK,
        each.pod(),
        each.address(),
        each.port(),
        each.node(),
        each.terminating() ? "terminating" : "ready",
        text,
        Optional.empty());
  }

  private static RowItem excluded(EndpointPod pod, Finding finding) {
    return new RowItem(
        RowState.FAULT,
        pod.key().name(),
        pod.addresses().stream().map(PodAddress::text).findFirst().orElse(""),
        0,
        pod.nodeName(),
        pod.terminating() ? "terminating" : pod.addresses().isEmpty() ? "leftOut" : "notReady",
        finding.sentence(),
        Optional.of(finding.code()));
  }
}
