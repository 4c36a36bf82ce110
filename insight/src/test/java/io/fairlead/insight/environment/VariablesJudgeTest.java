package io.fairlead.insight.environment;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.explain.BaseCluster;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.gather.VariablesGathering;
import io.fairlead.insight.testing.FakeSources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// The Service variables of the base cluster's client.
class VariablesJudgeTest {
  private static final ObjectKey CLIENT = new ObjectKey("default", "client-0");
  private final FakeSources cluster = BaseCluster.make();

  @BeforeEach
  void startedAfterTheService() {
    service("redis-primary", "2026-11-16T10:44:00Z", "10.0.3.3");
  }

  private void service(String name, String made, String address) {
    cluster.with(
        """
        kind: Service
        metadata: {name: %s, namespace: default, creationTimestamp: "%s"}
        spec:
          type: ClusterIP
          clusterIP: %s
          clusterIPs: [%s]
          ports: [{port: 80, protocol: TCP, targetPort: 9376}]
        """
            .formatted(name, made, address, address));
  }

  private VariablesReport judge(String only) {
    return new VariablesGathering(cluster)
        .gather(CLIENT)
        .value()
        .flatMap(found -> found)
        .map(evidence -> VariablesJudge.judge(evidence, only))
        .orElseThrow();
  }

  private void recorded(String variables) {
    cluster.document("a", "env", "{containers: [{name: shell, variables: [" + variables + "]}]}");
  }

  @Test
  void v126SevenVariablesForEachOlderServiceAndMissingOnesNamed() {
    VariablesReport report = judge("");
    assertThat(report.source()).isEqualTo(Source.MODEL);
    assertThat(report.variables())
        .extracting(each -> each.name() + "=" + each.value())
        .containsExactlyInAnyOrder(
            "HOSTNAMES_SERVICE_HOST=10.0.1.175",
            "HOSTNAMES_SERVICE_PORT=80",
            "HOSTNAMES_SERVICE_PORT_DEFAULT=80",
            "HOSTNAMES_PORT=tcp://10.0.1.175:80",
            "HOSTNAMES_PORT_80_TCP=tcp://10.0.1.175:80",
            "HOSTNAMES_PORT_80_TCP_PROTO=tcp",
            "HOSTNAMES_PORT_80_TCP_PORT=80",
            "HOSTNAMES_PORT_80_TCP_ADDR=10.0.1.175");
    assertThat(report.missing())
        .containsExactly(new VariablesReport.Missing("redis-primary", 7, FindingCode.FL170));
    assertThat(report.isFault()).isFalse();
  }

  @Test
  void v126OneServiceAlone() {
    assertThat(judge("hostnames").missing()).isEmpty();
    assertThat(judge("redis-primary").variables()).isEmpty();
  }

  @Test
  void whatTheAgentRecordedCountsMoreThanTheModel() {
    recorded("{name: REDIS_PRIMARY_SERVICE_HOST, value: 10.0.3.3}");
    VariablesReport report = judge("");
    assertThat(report.source()).isEqualTo(Source.RECORD);
    assertThat(report.variables())
        .containsExactly(
            new VariablesReport.Variable(
                "REDIS_PRIMARY_SERVICE_HOST", "10.0.3.3", "redis-primary"));
    assertThat(report.missing())
        .extracting(VariablesReport.Missing::service)
        .containsExactly("hostnames");
  }

  @Test
  void v65AServiceMadeAnewHasAnotherAddress() {
    recorded("{name: HOSTNAMES_SERVICE_HOST, value: 10.0.0.9}");
    VariablesReport report = judge("");
    assertThat(report.wrong())
        .containsExactly(
            new VariablesReport.Wrong(
                "HOSTNAMES_SERVICE_HOST", "10.0.0.9", "10.0.1.175", FindingCode.FL173));
    assertThat(report.isFault()).isTrue();
  }

  @Test
  void v66TwoServicesClaimOneVariable() {
    service("x", "2026-11-16T10:00:00Z", "10.0.3.4");
    service("x-service", "2026-11-16T10:00:00Z", "10.0.3.5");
    assertThat(judge("").findings())
        .filteredOn(each -> each.code() == FindingCode.FL174)
        .extracting(each -> each.values().get("variable") + ": " + each.values().get("claims"))
        .containsExactly("X_SERVICE_PORT: x, x-service");
  }

  @Test
  void v66AContainerSetsItItself() {
    ((ObjectNode) cluster.object("Pod", "client-0").path("spec").path("containers").path(0))
        .putArray("env")
        .addObject()
        .put("name", "HOSTNAMES_PORT")
        .put("value", "1");
    assertThat(judge("").findings())
        .filteredOn(each -> each.code() == FindingCode.FL174)
        .extracting(each -> each.values().get("claims"))
        .containsExactly("env of shell, hostnames");
  }

  @Test
  void v139SixteenHundredServicesTakeTooMuch() {
    for (int i = 0; i < 1600; i++) {
      service("service-number-" + i, "2026-11-16T10:00:00Z", "10.0.9.9");
    }
    VariablesReport report = judge("");
    assertThat(report.findings()).extracting(each -> each.code()).contains(FindingCode.FL171);
    assertThat(report.isFault()).isTrue();
    assertThat(report.bytes()).isGreaterThan(64 << 10);
  }

  @Test
  void v140APodThatWantsNoLinks() {
    ((ObjectNode) cluster.object("Pod", "client-0").path("spec")).put("enableServiceLinks", false);
    VariablesReport report = judge("");
    assertThat(report.variables()).isEmpty();
    assertThat(report.missing()).isEmpty();
    assertThat(report.findings())
        .extracting(each -> each.code())
        .containsExactly(FindingCode.FL172);
  }

  @Test
  void theDocumentHasItsFields() {
    assertThat(
            VariablesDocument.of(judge(""), BaseCluster.NOW).properties().stream()
                .map(java.util.Map.Entry::getKey))
        .containsExactly(
            "apiVersion",
            "kind",
            "pod",
            "containers",
            "variables",
            "missing",
            "wrong",
            "bytes",
            "limitBytes",
            "findings");
    assertThat(Json.textOr(VariablesDocument.of(judge(""), BaseCluster.NOW), "", "kind"))
        .isEqualTo("Variables");
  }
}
