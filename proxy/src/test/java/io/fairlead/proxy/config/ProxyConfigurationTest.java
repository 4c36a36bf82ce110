package io.fairlead.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
          "iptables.localhostNodePorts",
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
                ProxyTestObjects.resource("golden/lifecycle/iptables/configz.json")
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

  /// The ConfigMap `kube-proxy` of a cluster that kubeadm made: every field, most of them zero.
  @Test
  void theFileOfKubeadmMeansTheDefaults() {
    ProxyConfiguration read =
        ProxyConfiguration.read(
            """
            apiVersion: kubeproxy.config.k8s.io/v1alpha1
            bindAddress: 0.0.0.0
            bindAddressHardFail: false
            clientConnection:
              acceptContentTypes: ""
              burst: 0
              contentType: ""
              kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
              qps: 0
            clusterCIDR: 10.244.0.0/16
            configSyncPeriod: 0s
            conntrack:
              maxPerCore: null
              min: null
              tcpBeLiberal: false
              tcpCloseWaitTimeout: null
              tcpEstablishedTimeout: null
              udpStreamTimeout: 0s
              udpTimeout: 0s
            detectLocal:
              bridgeInterface: ""
              interfaceNamePrefix: ""
            detectLocalMode: ""
            enableProfiling: false
            healthzBindAddress: ""
            hostnameOverride: ""
            iptables:
              localhostNodePorts: null
              masqueradeAll: false
              masqueradeBit: null
              minSyncPeriod: 0s
              syncPeriod: 0s
            ipvs:
              excludeCIDRs: null
              minSyncPeriod: 0s
              scheduler: ""
              strictARP: false
              syncPeriod: 0s
              tcpFinTimeout: 0s
              tcpTimeout: 0s
              udpTimeout: 0s
            kind: KubeProxyConfiguration
            logging:
              flushFrequency: 0
              options:
                json:
                  infoBufferSize: "0"
                text:
                  infoBufferSize: "0"
              verbosity: 0
            metricsBindAddress: ""
            mode: ""
            nftables:
              masqueradeAll: false
              masqueradeBit: null
              minSyncPeriod: 0s
              syncPeriod: 0s
            nodePortAddresses: null
            oomScoreAdj: null
            portRange: ""
            showHiddenMetricsForVersion: ""
            winkernel:
              enableDSR: false
              forwardHealthCheckVip: false
              networkName: ""
              rootHnsEndpointName: ""
              sourceVip: ""
            """);
    assertThat(ConfigurationCheck.problems(read)).isEmpty();
    ObjectNode expected = ProxyConfiguration.defaults().tree().deepCopy();
    expected.put("clusterCIDR", "10.244.0.0/16");
    ((ObjectNode) expected.path("clientConnection"))
        .put("kubeconfig", "/var/lib/kube-proxy/kubeconfig.conf");
    expected.set("logging", read.tree().path("logging"));
    expected.set("winkernel", read.tree().path("winkernel"));
    assertThat(read.tree()).isEqualTo(expected);
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
