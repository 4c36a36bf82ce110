package io.fairlead.insight.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.insight.explain.BaseCluster;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.gather.VerifyGathering;
import io.fairlead.insight.testing.FakeSources;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Verifications of the base cluster with one thing wrong.
class NodeVerifierTest {
  private static final String NAME = "kubernetes.default.svc.cluster.local.";
  private static final String ABOUT =
      "{mode: nftables, written: {services: '1', slices: {IPv4: '48213'}}}";
  private static final String AGREES =
      "{services: 214, servicePorts: 220, agreeing: 220, differing: 0, names: []}";

  /// What is changed, and what is found.
  private record Case(
      String name, Consumer<FakeSources> change, List<String> found, Severity gravest) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static FakeSources cluster() {
    FakeSources cluster = BaseCluster.make();
    ((ObjectNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("metadata"))
        .put("resourceVersion", "48213");
    return cluster
        .document("a", "about", ABOUT)
        .document("a", "rules", AGREES)
        .document("a", "flows", "{stale: []}")
        .names(NAME, "NOERROR", List.of("10.0.0.1"));
  }

  private static NodeVerification verify(FakeSources cluster) {
    return new VerifyGathering(
            cluster, InstantSource.fixed(BaseCluster.NOW), System::nanoTime, Duration.ofMinutes(1))
            .gather(
                List.of("a"),
                new VerifyGathering.NameQuestion(Optional.of("10.0.0.10"), NAME, true))
            .stream()
            .map(NodeVerifier::verify)
            .findFirst()
            .orElseThrow();
  }

  private static final String CHECKS =
      "{sysctls: {net.ipv4.ip_forward: '%s'}, conntrack: {count: %d, max: 262144, dropped: %d},"
          + " leftoverTables: [%s]}";

  static Stream<Case> cases() {
    return Stream.of(
        new Case("v119 all agrees", _ -> {}, List.of(), Severity.NOTE),
        new Case(
            "v119 one element deleted",
            one ->
                one.document(
                    "a",
                    "rules",
                    """
                    {services: 214, servicePorts: 220, agreeing: 219, differing: 1,
                     differences: [{namespace: default, service: hostnames, port: default,
                                    family: IPv4, missing: [element], extra: []}]}
                    """),
            List.of("FL140"),
            Severity.FAULT),
        new Case(
            "v120 a trace table was left",
            one -> one.document("a", "checks", CHECKS.formatted("1", 300, 0, "ip fairlead-trace")),
            List.of("FL197"),
            Severity.FAULT),
        new Case(
            "v121 a UDP flow to a deleted pod",
            one ->
                one.document(
                    "a",
                    "flows",
                    """
                    {stale: [{service: 'default/dns:dns', namespace: default, name: dns,
                              protocol: UDP, address: 10.244.9.9, port: 53, active: 1}]}
                    """),
            List.of("FL145"),
            Severity.FAULT),
        new Case(
            "a TCP connection to a deleted pod ends by itself",
            one ->
                one.document(
                    "a",
                    "flows",
                    """
                    {stale: [{service: 'default/web:http', namespace: default, name: web,
                              protocol: TCP, address: 10.244.9.9, port: 80, active: 4}]}
                    """),
            List.of(),
            Severity.NOTE),
        new Case(
            "v138 the DNS Service has no endpoint",
            one ->
                one.with(
                    """
                    kind: EndpointSlice
                    metadata:
                      name: kube-dns-1
                      namespace: kube-system
                      resourceVersion: '40000'
                      labels: {kubernetes.io/service-name: kube-dns}
                    addressType: IPv4
                    endpoints: []
                    """),
            List.of("FL159"),
            Severity.FAULT),
        new Case(
            "v53 the DNS server is silent",
            one -> one.names(NAME, "NO_ANSWER", List.of()),
            List.of("FL150"),
            Severity.FAULT),
        new Case(
            "v137 DNS does not know the cluster",
            one -> one.names(NAME, "NXDOMAIN", List.of()),
            List.of("FL156"),
            Severity.FAULT),
        new Case(
            "v77 conntrack drops packets",
            one -> one.document("a", "checks", CHECKS.formatted("1", 251_000, 12, "")),
            List.of("FL190"),
            Severity.FAULT),
        new Case(
            "v77 conntrack is fuller than four fifths",
            one -> one.document("a", "checks", CHECKS.formatted("1", 215_000, 0, "")),
            List.of("FL190"),
            Severity.WARNING),
        new Case(
            "v50 the node does not forward",
            one -> one.document("a", "checks", CHECKS.formatted("0", 300, 0, "")),
            List.of("FL147"),
            Severity.FAULT),
        new Case(
            "v43 the proxy is behind",
            one -> one.document("a", "about", ABOUT.replace("48213", "48209")),
            List.of("FL143"),
            Severity.FAULT),
        new Case(
            "v43 the proxy is dead",
            one ->
                one.silence("a", "about")
                    .with(BaseCluster.report("a").replace("10:44:50", "10:40:00")),
            List.of("FL143"),
            Severity.FAULT));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void verifies(Case row) {
    FakeSources cluster = cluster();
    row.change().accept(cluster);
    NodeVerification found = verify(cluster);
    assertThat(found.findings())
        .extracting(each -> each.code().name())
        .containsExactlyElementsOf(row.found());
    if (!row.found().isEmpty()) {
      assertThat(found.findings().getFirst().severity()).isEqualTo(row.gravest());
      assertThat(FindingCode.parse(row.found().getFirst())).isPresent();
    }
  }

  @Test
  void aNodeThatDoesNotAnswerIsUnknownAndNoFault() {
    FakeSources cluster = cluster();
    List.of("about", "rules", "checks", "flows").forEach(each -> cluster.silence("a", each));
    cluster.without("Lease", io.fairlead.client.lease.ProxyReport.key("a"));
    NodeVerification found = verify(cluster);
    assertThat(found.findings()).isEmpty();
    assertThat(found.blind()).isPresent();
    assertThat(found.agreeing()).isEmpty();
  }

  @Test
  void theDocumentHasItsFields() {
    FakeSources cluster = cluster();
    cluster.document("a", "checks", CHECKS.formatted("1", 215_000, 0, ""));
    JsonNode document = VerificationDocument.of(List.of(verify(cluster)), BaseCluster.NOW);
    assertThat(document.path("kind").asString()).isEqualTo("Verification");
    assertThat(document.path("warnings").asInt()).isEqualTo(1);
    JsonNode node = document.path("nodes").path(0);
    assertThat(node.properties().stream().map(java.util.Map.Entry::getKey))
        .containsExactly(
            "node",
            "mode",
            "services",
            "servicePorts",
            "agree",
            "differ",
            "findings",
            "millis",
            "unseen");
    assertThat(node.path("findings").path(0).path("code").asString()).isEqualTo("FL190");
  }
}
