package io.fairlead.insight.explain;

import static io.fairlead.insight.explain.BaseCluster.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.PolicyEvidence;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Verdict;
import io.fairlead.insight.gather.PolicyGathering;
import io.fairlead.insight.testing.FakeSources;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What `explain netpol/NAME` finds: each row is one change away from a policy that is in force.
class PolicyExplainerTest {
  private record Case(
      String name,
      Consumer<FakeSources> change,
      Verdict verdict,
      String codes,
      List<String> texts) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String POLICY =
      """
      kind: NetworkPolicy
      metadata: {name: web, namespace: default, resourceVersion: "4711"}
      spec:
        podSelector: {matchLabels: {app: %s}}
        ingress:
        - from:
          - podSelector: {matchLabels: {app: client}}
          ports: [{port: 9376}]
        %s
      """;

  private static String report(String node, String renewed, String shown) {
    return """
    kind: Lease
    metadata:
      name: fairlead-policy-%s
      namespace: kube-public
      labels: {fairlead.dev/policy: "true"}
      annotations: {fairlead.dev/enforced-networkpolicies: "%s", fairlead.dev/gate: "on"}
    spec: {holderIdentity: %s, leaseDurationSeconds: 40, renewTime: "%s"}
    """
        .formatted(node, shown, node, renewed);
  }

  private static final String FRESH = "2026-11-16T10:44:50.000000Z";
  private static final String STALE = "2026-11-16T10:30:00.000000Z";

  private static FakeSources cluster() {
    FakeSources cluster = BaseCluster.make();
    cluster.with("kind: Namespace\nmetadata: {name: default}\n");
    cluster.with(POLICY.formatted("hostnames", ""));
    for (String node : BaseCluster.NODES) {
      cluster.with(report(node, FRESH, "4711"));
    }
    return cluster;
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "in force on every node that has a pod of it",
            _ -> {},
            Verdict.WORKS,
            "",
            List.of(
                "NetworkPolicy default/web   ingress   applies to 3 pods   rules: 1   in force on"
                    + " 3 of 3 nodes",
                "✓ Selector: app=hostnames selects 3 pods (api)",
                "✓ Ingress 1: from app=client of namespace default (1); 9376/TCP (api)",
                "✓ Nodes: in the kernel of a, b, c (api)")),
        new Case(
            "PV101 the selector has a typo: the label that comes near is named",
            cluster -> cluster.with(POLICY.formatted("hostname", "")),
            Verdict.WARNINGS,
            "FL166",
            List.of(
                "applies to 0 pods",
                "! Selector: podSelector matches nothing: app=hostname (app=hostnames: 3) (api)"
                    + " FL166")),
        new Case(
            "PV25 a peer matches no namespace",
            cluster ->
                cluster.with(
                    POLICY.formatted(
                        "hostnames", "- from: [{namespaceSelector: {matchLabels: {team: ops}}}]")),
            Verdict.WARNINGS,
            "FL166",
            List.of(
                "! Ingress 2: from all pods of namespaces with team=ops (0); every port (api)",
                "ingress[1].from[0] matches nothing: all pods of namespaces with team=ops")),
        new Case(
            "PV43 a port name that no selected pod has",
            cluster -> cluster.with(POLICY.formatted("hostnames", "- ports: [{port: metrics}]")),
            Verdict.WARNINGS,
            "FL167",
            List.of("no container of the 3 selected pods has a port named metrics/TCP")),
        new Case(
            "PV11 an entry that an older API server let in matches nothing",
            cluster -> cluster.with(POLICY.formatted("hostnames", "- from: [{}]")),
            Verdict.WARNINGS,
            "FL166",
            List.of("! Entries: entries that match nothing: 1", "spec.ingress[1].from[0]")),
        new Case(
            "a node without a report enforces nothing",
            cluster -> cluster.with(report("b", STALE, "4711")),
            Verdict.BROKEN,
            "FL169",
            List.of("✗ Nodes: not enforced on b: no policy component reports there", "2 of 3")),
        new Case(
            "a node that has not yet reported this version is no fault",
            cluster -> cluster.with(report("c", FRESH, "4710")),
            Verdict.WORKS,
            "FL169",
            List.of("Nodes: not enforced on c: the rules do not show this version yet")),
        new Case(
            "drops of a node are named with pods, and are no fault",
            cluster ->
                cluster.document(
                    "a",
                    "drops",
                    """
                    {drops: [
                      {time: "2026-11-16T10:42:07Z", direction: ingress, source: 10.244.1.20,
                       destination: 10.244.1.7, protocol: TCP, port: 8081, count: 14,
                       policies: [default/web]},
                      {time: "2026-11-16T10:41:00Z", direction: ingress, source: 192.0.2.9,
                       destination: 10.244.1.7, protocol: ICMP, port: 0, count: 2,
                       policies: [default/other]}]}
                    """),
            Verdict.WORKS,
            "FL160",
            List.of(
                "– Drops: 14 packets dropped, of 1 sorts, the last at 10:42:07 (kernel)",
                "policy default/web does not let default/client-0 reach"
                    + " default/hostnames-1:8081/TCP")),
        new Case(
            "nodes that dropped nothing say so",
            cluster -> cluster.document("a", "drops", "{drops: []}"),
            Verdict.WORKS,
            "",
            List.of("– Drops: nothing dropped because of it (kernel)")),
        new Case(
            "without the right to list pods nothing is guessed",
            cluster -> cluster.forbid("pods"),
            Verdict.UNKNOWN,
            "",
            List.of("– Selector: unknown: may not list pods")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void says(Case row) {
    FakeSources cluster = cluster();
    row.change().accept(cluster);
    Explanation explanation = explain(cluster);
    String text = ExplainVectorsTest.text(explanation, SentenceCatalog.english());
    assertThat(explanation.verdict()).as(text).isEqualTo(row.verdict());
    assertThat(
            explanation.findings().stream()
                .map(Finding::code)
                .map(FindingCode::name)
                .distinct()
                .sorted())
        .as(text)
        .containsExactlyElementsOf(
            row.codes().isEmpty() ? List.of() : List.of(row.codes().split(" ")));
    assertThat(row.texts()).allSatisfy(line -> assertThat(text).contains(line));
    assertThat(text).doesNotContainPattern("\\{[a-z]+}");
    assertThat(ExplainVectorsTest.text(explanation, SentenceCatalog.chinese()))
        .doesNotContainPattern("\\{[a-z]+}");
  }

  @Test
  void theDocumentNamesTheKind() {
    assertThat(ExplanationDocument.of(explain(cluster()), NOW, 7).at("/subject/kind").asString())
        .isEqualTo("NetworkPolicy");
  }

  private static Explanation explain(FakeSources cluster) {
    PolicyEvidence evidence =
        new PolicyGathering(cluster, InstantSource.fixed(NOW), Duration.ofSeconds(60))
            .gather(new ObjectKey("default", "web"));
    return PolicyExplainer.explain(evidence, evidence.policy().value().orElseThrow().orElseThrow());
  }
}
