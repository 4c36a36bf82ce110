package io.fairlead.http.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.work.Backoff;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopStatus;
import io.fairlead.work.SupervisedLoop;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopMetricsTest {
  private static String scrape(PrometheusRegistry registry) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
    return out.toString(UTF_8);
  }

  @Test
  void aFailedStepShowsInTheNumbersOfItsKind() throws Exception {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(new LoopMetrics());
    Duration pause = Duration.ofMillis(1);
    try (SupervisedLoop loop =
        SupervisedLoop.of("metrics-test")
            .every(pause)
            .backoff(new Backoff(pause, pause))
            .start(() -> {})) {
      assertThat(loop.isClosing()).isFalse();
      assertThat(LoopFaults.failOnce("metrics-test")).isEqualTo(1);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(scrape(registry))
                      .contains("fairlead_loop_restarts_total{loop=\"metrics-test\"} 1.0")
                      .contains("fairlead_loops_running{loop=\"metrics-test\"} 1.0")
                      .containsPattern("fairlead_loop_steps_total\\{loop=\"metrics-test\"} [1-9]")
                      .containsPattern(
                          "fairlead_loop_last_failure_timestamp_seconds"
                              + "\\{loop=\"metrics-test\"} [1-9]"));
    }
    assertThat(scrape(registry)).contains("fairlead_loops_running{loop=\"metrics-test\"} 0.0");
  }

  @Test
  void healthNamesTheLoopAndTheTypeOfItsFailureOnly() {
    Instant since = Instant.parse("2026-01-02T03:04:05Z");
    LoopStatus failing =
        new LoopStatus(
            "proxy-sync", 1, 5, 3, "java.io.IOException: /secret/path\nmore", since, since);
    assertThat(LoopHealth.problem(List.of(failing)))
        .contains("proxy-sync fails since 2026-01-02T03:04:05Z (java.io.IOException)");
    assertThat(LoopHealth.problem(List.of())).isEmpty();
    assertThat(LoopHealth.line()).isEqualTo("[+]loops ok");
  }
}
