package io.fairlead.client.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
