package io.fairlead.proxy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress.Family;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// When the proxy calls itself healthy (spec/proxy.md 7.8, H1-H4).
class ProxyHealthTest {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final ProxyHealth health = new ProxyHealth(() -> now, Duration.ofSeconds(60));

  private void pass(long seconds) {
    now = now.plusSeconds(seconds);
  }

  @Test
  void h1AQuietHourIsHealthy() {
    health.started(Family.IPV4);
    pass(3600);
    assertThat(health.isHealthy()).isTrue();
  }

  @Test
  void h2AChangeThatWaitsAMinuteIsNot() {
    health.started(Family.IPV4);
    health.queued(Family.IPV4);
    pass(30);
    health.queued(Family.IPV4);
    pass(31);
    assertThat(health.isHealthy()).isFalse();
    health.updated(Family.IPV4);
    assertThat(health.isHealthy()).isTrue();
  }

  @Test
  void h3OneFamilyDoesNotHealTheOther() {
    health.started(Family.IPV4);
    health.started(Family.IPV6);
    health.queued(Family.IPV4);
    health.queued(Family.IPV6);
    pass(61);
    health.updated(Family.IPV4);
    assertThat(health.isHealthy()).isFalse();
    assertThat(health.body(false).path("status").path("IPv4").path("healthy").asBoolean()).isTrue();
  }

  @Test
  void h4ANodeThatIsDrainedIsHealthyButNotEligible() {
    health.started(Family.IPV4);
    health.eligible(false);
    assertThat(health.body(true).path("nodeEligible").asBoolean()).isFalse();
    assertThat(health.body(true).path("healthy").asBoolean()).isTrue();
    assertThat(health.body(false).has("nodeEligible")).isFalse();
  }

  @Test
  void readyMeansThatRulesWereWrittenInEveryFamily() {
    health.started(Family.IPV4);
    health.started(Family.IPV6);
    health.updated(Family.IPV4);
    assertThat(health.isReady()).isFalse();
    health.updated(Family.IPV6);
    assertThat(health.isReady()).isTrue();
  }
}
