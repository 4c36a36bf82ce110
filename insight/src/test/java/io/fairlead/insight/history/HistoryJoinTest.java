package io.fairlead.insight.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.insight.explain.BaseCluster;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.gather.HistoryGathering;
import io.fairlead.insight.history.HistoryChange.NodeTime;
import io.fairlead.insight.testing.FakeSources;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Histories of the base cluster, made of prepared records.
class HistoryJoinTest {
  private static final SentenceCatalog ENGLISH = SentenceCatalog.english();

  private static final String SCALED =
      """
      {apiVersion: fairlead.dev/v1, recorders: [
       {recorder: apiserver, entries: [
         {seq: 1, kind: spec, at: '2026-11-16T10:30:10.900Z', namespace: default,
          resource: deployments, name: hostnames, verb: update, user: alice,
          fields: [{field: replicas, from: '3', to: '4'}]}]},
       {recorder: controllers, entries: [
         {seq: 1, kind: endpoint, at: '2026-11-16T10:30:10.950Z', namespace: default,
          service: hostnames, slice: hostnames-8x4zk, addressType: IPv4, resourceVersion: '99',
          pods: [{pod: hostnames-r7c4m, address: 10.244.3.9, from: absent, to: notReady}]},
         {seq: 2, kind: endpoint, at: '2026-11-16T10:30:11.038Z',
          trigger: '2026-11-16T10:30:11.000Z', namespace: default, service: hostnames,
          slice: hostnames-8x4zk, addressType: IPv4, resourceVersion: '100',
          pods: [{pod: hostnames-r7c4m, address: 10.244.3.9, from: notReady, to: ready}]}]}]}
      """;

  private final FakeSources cluster = BaseCluster.make();

  @BeforeEach
  void records() {
    cluster.document("", "changes", SCALED);
    node("a", "10:30:11.051Z", "0");
    node("b", "10:30:11.049Z", "0");
    node("c", "10:30:11.212Z", "0");
  }

  /// A node whose rules showed version 100 at a time.
  private void node(String name, String applied, String lost) {
    cluster.document(
        name,
        "changes",
        """
        {recorder: proxy, epoch: e, lost: %s, now: %d, entries: [
         {seq: 1, kind: start, at: '2026-11-16T09:00:00Z', mode: nftables},
         {seq: 2, kind: rules, at: '2026-11-16T10:30:10.960Z', family: IPv4, slicesVersion: '99'},
         {seq: 3, kind: rules, at: '2026-11-16T%s', family: IPv4, slicesVersion: '100',
          received: '2026-11-16T10:30:11.040Z'}]}
        """
            .formatted(lost, nanos(Duration.ZERO), applied));
  }

  private static long nanos(Duration off) {
    Instant at = BaseCluster.NOW.plus(off);
    return at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }

  private HistoryEvidence evidence(String service) {
    return new HistoryGathering(
            cluster, InstantSource.fixed(BaseCluster.NOW), Duration.ofMinutes(1))
        .gather(
            new HistoryGathering.Wanted(
                BaseCluster.NOW.minus(Duration.ofHours(1)),
                "default",
                service,
                List.of("a", "b", "c")));
  }

  private List<HistoryChange> history() {
    return HistoryJoin.of(evidence("hostnames"));
  }

  private static String what(HistoryChange change) {
    return ENGLISH.text(change.what()) + " | " + ENGLISH.text(change.why());
  }

  @Test
  void v104ScalingIsOneLineWithUserSliceAndNodes() {
    List<HistoryChange> history = history();
    assertThat(history).hasSize(1);
    HistoryChange line = history.getFirst();
    assertThat(what(line)).isEqualTo("+1 endpoint 10.244.3.9 (…r7c4m) | scaled 3 → 4 by alice");
    assertThat(line.user()).isEqualTo("alice");
    assertThat(line.slice().orElseThrow().after()).isEqualTo(Duration.ofMillis(38));
    assertThat(line.nodes())
        .extracting(node -> node.after().orElseThrow().toMillis())
        .containsExactly(51L, 49L, 212L);
    assertThat(line.nodes())
        .allMatch(
            node -> node.after().orElseThrow().compareTo(line.slice().orElseThrow().after()) >= 0);
  }

  @Test
  void v105AForeignChangeHasACulprit() {
    cluster.document(
        "c",
        "changes",
        """
        {entries: [
         {seq: 1, kind: start, at: '2026-11-16T09:00:00Z', mode: iptables},
         {seq: 2, kind: drift, at: '2026-11-16T10:44:30Z', process: iptables-restore, pid: 8121,
          repairedMillis: 14, family: IPv4}]}
        """);
    assertThat(what(history().getLast()))
        .isEqualTo(
            "rules changed by iptables-restore (pid 8121) on c | not ours; repaired after 14 ms");
  }

  @Test
  void v106AClockThatIsOffIsCorrectedAndTold() {
    cluster.document(
        "c",
        "changes",
        """
        {now: %d, entries: [
         {seq: 1, kind: start, at: '2026-11-16T08:59:57Z', mode: nftables},
         {seq: 2, kind: rules, at: '2026-11-16T10:30:08.212Z', family: IPv4, slicesVersion: '100'}]}
        """
            .formatted(nanos(Duration.ofSeconds(-3))));
    HistoryEvidence evidence = evidence("hostnames");
    assertThat(HistoryJoin.of(evidence).getFirst().nodes().getLast().after())
        .contains(Duration.ofMillis(212));
    List<Finding> findings = ClockFindings.of(evidence.nodes());
    assertThat(findings).extracting(Finding::code).containsExactly(FindingCode.FL194);
    assertThat(ENGLISH.text(findings.getFirst().sentence()))
        .isEqualTo("the clock of c is off by -3.0 s");
  }

  @Test
  void v107AProxyThatWasRestartedDoesNotKnow() {
    cluster.document(
        "b",
        "changes",
        """
        {entries: [
         {seq: 1, kind: start, at: '2026-11-16T10:40:00Z', mode: nftables},
         {seq: 2, kind: rules, at: '2026-11-16T10:40:00.100Z', family: IPv4, slicesVersion: '120'}]}
        """);
    NodeTime b = history().getFirst().nodes().get(1);
    assertThat(b.state()).isEqualTo(NodeTime.State.UNKNOWN);
    assertThat(b.after()).isEmpty();
  }

  @Test
  void v108LostEntriesAreCounted() {
    node("a", "10:30:11.051Z", "12");
    JsonNode document =
        HistoryDocument.of(history(), evidence("hostnames"), List.of(), BaseCluster.NOW);
    assertThat(document.path("lost").toString()).isEqualTo("[{\"node\":\"a\",\"count\":12}]");
  }

  @Test
  void aNodeThatHasNotFollowedYetIsToldFromOneThatNeedNot() {
    String older = "{entries: [{seq: 1, kind: start, at: '2026-11-16T09:00:00Z', mode: nftables}]}";
    cluster.document("b", "changes", older).document("c", "changes", older);
    cluster.document("b", "about", "{written: {slices: {IPv4: '98'}}}");
    cluster.document("c", "about", "{written: {slices: {IPv4: '100'}}}");
    assertThat(history().getFirst().nodes())
        .extracting(NodeTime::state)
        .containsExactly(NodeTime.State.APPLIED, NodeTime.State.NOT_YET, NodeTime.State.NONE);
  }

  @Test
  void whyAPodLeftIsSaid() {
    Map<String, String> cases =
        Map.of(
            "to: notReady, reasons: [{code: NotReady, holdups: [{detail: 'GET :9376/healthz'}]}]",
            "not ready: GET :9376/healthz",
            "to: terminating, reasons: [{code: Terminating}]",
            "is being deleted",
            "to: absent, reasons: []",
            "the pod is gone",
            "to: notReady, reasons: [{code: NodeLost, node: c}]",
            "node c is silent");
    cases.forEach(
        (pod, why) -> {
          cluster.document(
              "",
              "changes",
              """
              {recorders: [{entries: [
               {kind: endpoint, at: '2026-11-16T10:42:07Z', namespace: default,
                service: hostnames, slice: s, addressType: IPv4, resourceVersion: '101',
                pods: [{pod: hostnames-r7c4m, address: 10.244.3.9, from: ready, %s}]}]}]}
              """
                  .formatted(pod));
          assertThat(what(history().getFirst()))
              .isEqualTo("−1 endpoint 10.244.3.9 (…r7c4m) | " + why);
        });
  }

  @Test
  void aChangedSelectorIsALineAndTheReasonOfTheNext() {
    cluster.document(
        "",
        "changes",
        """
        {recorders: [{entries: [
         {kind: spec, at: '2026-11-16T10:42:07Z', namespace: default, service: hostnames,
          name: hostnames, resource: services, verb: update, user: bob, resourceVersion: '90',
          fields: [{field: selector, from: '{"app":"a"}', to: '{"app":"b"}'}]},
         {kind: endpoint, at: '2026-11-16T10:42:07.300Z', namespace: default,
          service: hostnames, slice: s, addressType: IPv4, resourceVersion: '100',
          pods: [{pod: x, address: 10.244.3.9, from: ready, to: absent}]}]}]}
        """);
    assertThat(history())
        .extracting(HistoryJoinTest::what)
        .containsExactly(
            "Service changed: selector {\"app\":\"a\"} → {\"app\":\"b\"} | by bob",
            "−1 endpoint 10.244.3.9 (x) | selector {\"app\":\"a\"} → {\"app\":\"b\"} by bob");
  }

  private String whyAfterTheServiceWasMade(String trigger) {
    cluster.document(
        "",
        "changes",
        """
        {recorders: [{entries: [
         {kind: spec, at: '2026-11-16T10:42:07.500Z', namespace: default, service: hostnames,
          name: hostnames, resource: services, verb: create, user: bob, resourceVersion: '90',
          fields: [{field: selector, from: '', to: '{"app":"b"}'}]},
         {kind: endpoint, at: '2026-11-16T10:42:09.300Z', namespace: default, trigger: '%s',
          service: hostnames, slice: s, addressType: IPv4, resourceVersion: '100',
          pods: [{pod: x, address: 10.244.3.9, from: absent, to: ready}]}]}]}
        """
            .formatted(trigger));
    return history().stream()
        .filter(each -> each.kind().equals("endpoint"))
        .map(each -> ENGLISH.text(each.why()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPodThatBecameReadyLaterIsItsOwnReason() {
    assertThat(whyAfterTheServiceWasMade("2026-11-16T10:42:07Z")).isEqualTo("Service made by bob");
    assertThat(whyAfterTheServiceWasMade("2026-11-16T10:42:09Z")).isEqualTo("became ready");
  }

  @Test
  void otherServicesAreLeftOut() {
    assertThat(HistoryJoin.of(evidence("other"))).isEmpty();
  }

  @Test
  void withoutAnyRecordTheEventsOfTheApiAreLeft() {
    cluster.silence("", "changes");
    List.of("a", "b", "c").forEach(node -> cluster.silence(node, "changes"));
    cluster.with(
        """
        kind: Event
        metadata: {name: e1, namespace: default}
        lastTimestamp: '2026-11-16T10:41:00Z'
        reason: Unhealthy
        message: 'Readiness probe failed'
        involvedObject: {kind: Pod, name: hostnames-1}
        """);
    HistoryEvidence evidence = evidence("hostnames");
    assertThat(evidence.isApiAlone()).isTrue();
    assertThat(HistoryJoin.of(evidence))
        .extracting(HistoryJoinTest::what)
        .containsExactly("Unhealthy hostnames-1 | Readiness probe failed");
  }

  @Test
  void theDocumentHasItsFields() {
    JsonNode document =
        HistoryDocument.of(history(), evidence("hostnames"), List.of(), BaseCluster.NOW);
    JsonNode change = document.path("changes").path(0);
    assertThat(Json.textOr(document, "", "kind")).isEqualTo("History");
    assertThat(change.properties().stream().map(Map.Entry::getKey))
        .containsExactly("at", "kind", "what", "why", "service", "slice", "nodes");
    assertThat(change.path("nodes").path(0).toString())
        .isEqualTo(
            "{\"node\":\"a\",\"millis\":51,\"state\":\"applied\","
                + "\"received\":\"2026-11-16T10:30:11.040Z\","
                + "\"applied\":\"2026-11-16T10:30:11.051Z\"}");
  }
}
