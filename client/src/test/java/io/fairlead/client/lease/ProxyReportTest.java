package io.fairlead.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What a proxy says of itself, as a Lease and back.
class ProxyReportTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000006Z");

  @Test
  void aLeaseSaysTheSame() {
    ProxyReport report = ProxyReport.now("a", Map.of("IPv4", "12", "IPv6", "9"), NOW);
    assertThat(ProxyReport.of(report.toLease())).isEqualTo(report);
    assertThat(report.toLease().path("metadata").path("name").asString())
        .isEqualTo("fairlead-proxy-a");
    assertThat(report.toLease().path("spec").path("renewTime").asString())
        .isEqualTo("2026-01-02T03:04:05.000006Z");
  }

  @Test
  void whereItsNodeApiIsProvenIsSaidAndTakenBack() {
    ProxyReport report = ProxyReport.now("a", Map.of("IPv4", "12"), NOW);
    assertThat(ProxyReport.of(report.withNodeApi("ab12").toLease()).nodeApi()).isEqualTo("ab12");
    try (FakeApi api = new FakeApi(List.of(ResourceType.LEASES));
        Client client = new Client(api)) {
      ObjectNode namespace = Json.object();
      namespace.putObject("metadata").put("name", ProxyReport.NAMESPACE);
      client.create(ResourceType.NAMESPACES, "", namespace);
      ReportWriter writer = new ReportWriter(client, "not written");
      for (String fingerprint : List.of("", "ab12", "")) {
        writer.write(ProxyReport.key("a"), report.withNodeApi(fingerprint).toLease());
        ObjectNode lease = client.get(ResourceType.LEASES, ProxyReport.key("a"));
        assertThat(ProxyReport.of(lease).nodeApi()).isEqualTo(fingerprint);
        assertThat(
                lease.at("/metadata/annotations").has("fairlead.dev/node-api-certificate-sha256"))
            .isEqualTo(!fingerprint.isEmpty());
      }
    }
  }

  @Test
  void itLivesForFortySeconds() {
    ProxyReport report = ProxyReport.now("a", Map.of(), NOW);
    assertThat(report.lives(NOW.plusSeconds(39))).isTrue();
    assertThat(report.lives(NOW.plusSeconds(40))).isFalse();
  }

  @Test
  void versionsAreNumbersNotTexts() {
    ProxyReport report = ProxyReport.now("a", Map.of("IPv4", "100"), NOW);
    assertThat(report.shows("IPv4", "99")).isTrue();
    assertThat(report.shows("IPv4", "100")).isTrue();
    assertThat(report.shows("IPv4", "101")).isFalse();
    assertThat(report.shows("IPv6", "101")).as("no rules of that family").isTrue();
  }

  @Test
  void aLeaseOfSomebodyElseLivesNever() {
    assertThat(ProxyReport.of(Json.object()).lives(NOW)).isFalse();
  }
}
