package io.fairlead.proxy.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.proxy.iptables.IptablesSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Metrics under kube-proxy's names (spec/proxy.md 6.4).
class ProxyMetricsTest {
  private static final String INVALID = "kubeproxy_iptables_ct_state_invalid_dropped_packets_total";
  private static final String LOCALHOST =
      "kubeproxy_iptables_localhost_nodeports_accepted_packets_total";

  private final ProxyMetrics metrics = new ProxyMetrics();

  @Test
  void namedCountersOfTheKernelAreMetrics() {
    metrics.packetCounters(
        () ->
            Map.of(IptablesSettings.INVALID_COUNTER, 7L, IptablesSettings.LOCALHOST_COUNTER, 12L));
    assertThat(metrics.text())
        .contains("# TYPE " + INVALID + " counter", INVALID + " 7.0", LOCALHOST + " 12.0");
  }

  @Test
  void aCounterTheKernelDoesNotHaveIsNoMetric() {
    metrics.packetCounters(() -> Map.of(IptablesSettings.INVALID_COUNTER, 0L));
    assertThat(metrics.text()).contains(INVALID + " 0.0").doesNotContain(LOCALHOST + " ");
  }
}
