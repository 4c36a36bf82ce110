package io.fairlead.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.proxy.fixture.Objects;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The proxy's configuration.
class ProxyConfigurationTest {
  /// What was set by flags when the original was recorded, and what we do differently.
  private static final Set<String> OTHER =
      Set.of(
          "clientConnection.contentType",
          "clientConnection.kubeconfig",
          "clusterCIDR",
          "conntrack.maxPerCore",
          "conntrack.tcpCloseWaitTimeout",
          "conntrack.tcpEstablishedTimeout",
          "detectLocalMode",
          "hostnameOverride",
          "ipvs.syncPeriod",
          "mode",
          "nftables.syncPeriod");

  private static void flatten(String path, JsonNode node, Map<String, String> into) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              member ->
                  flatten(
                      path.isEmpty() ? member.getKey() : path + "." + member.getKey(),
                      member.getValue(),
                      into));
    } else {
      into.put(path, node.isNull() || (node.isEmpty() && node.isArray()) ? "" : node.asString());
    }
  }

  @Test
  void defaultsAreThoseOfTheOriginal() {
    Map<String, String> ours = new TreeMap<>();
    flatten("", ProxyConfiguration.defaults().tree(), ours);
    Map<String, String> theirs = new TreeMap<>();
    flatten(
        "",
        Json.parse(
                Objects.resource("golden/lifecycle/iptables/configz.json")
                    .getBytes(StandardCharsets.UTF_8))
            .path("kubeproxy.config.k8s.io"),
        theirs);
    theirs.keySet().removeIf(key -> key.startsWith("logging.") || key.startsWith("winkernel."));
    theirs.keySet().removeAll(OTHER);
    assertThat(ours).containsAllEntriesOf(theirs);
  }

  @Test
  void aWrittenConfigurationReadsBack() {
    ProxyConfiguration some =
        ProxyConfiguration.defaults()
            .with(ProxyFlag.find("cluster-cidr").orElseThrow(), "10.0.0.0/8,fd00::/8")
            .with(ProxyFlag.find("iptables-masquerade-bit").orElseThrow(), "7");
    assertThat(ProxyConfiguration.read(Yaml.write(some.tree())).tree()).isEqualTo(some.tree());
    assertThat(some.number("nftables", "masqueradeBit")).as("nftables follows").isEqualTo(7);
  }

  @Test
  void anIpv6BindAddressMovesTheServers() {
    ProxyConfiguration read =
        ProxyConfiguration.read(
            "{apiVersion: kubeproxy.config.k8s.io/v1alpha1, kind: KubeProxyConfiguration,"
                + " bindAddress: \"::\"}");
    assertThat(read.text("healthzBindAddress")).isEqualTo("[::]:10256");
    assertThat(read.text("metricsBindAddress")).isEqualTo("[::1]:10249");
  }

  @Test
  void anotherKindIsRefused() {
    assertThatThrownBy(() -> ProxyConfiguration.read("{kind: Pod, apiVersion: v1}"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("KubeProxyConfiguration");
  }

  @ParameterizedTest(name = "--{0}={1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "proxy-mode|magic|is not one of",
        "iptables-masquerade-bit|32|is not between 0 and 31",
        "iptables-sync-period|0s|must be a time greater than zero",
        "iptables-min-sync-period|1h|is longer than",
        "oom-score-adj|-2000|is not between",
        "healthz-bind-address|host:1|is not of the form ADDRESS:PORT",
        "cluster-cidr|10.0.0.0/8,10.1.0.0/16|two ranges of IPv4",
        "nodeport-addresses|primary,primary|is given twice",
        "detect-local-mode|BridgeInterface|is needed with detectLocalMode BridgeInterface"
      })
  void whatCannotBeMeantIsNamed(String flag, String value, String says) {
    ProxyConfiguration configuration =
        ProxyConfiguration.defaults().with(ProxyFlag.find(flag).orElseThrow(), value);
    assertThat(String.join("; ", ConfigurationCheck.problems(configuration))).contains(says);
  }

  @Test
  void theDefaultsAreFine() {
    assertThat(ConfigurationCheck.problems(ProxyConfiguration.defaults())).isEmpty();
  }
}
