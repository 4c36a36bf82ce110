package io.fairlead.proxy.config;

import java.util.List;
import java.util.Optional;

/// One of kube-proxy's flags that sets a field of the configuration.
///
/// @param name without dashes
/// @param path where in the configuration its value goes
public record ProxyFlag(String name, List<String> path, Kind kind) {

  /// What a value looks like.
  public enum Kind {
    TEXT,
    NUMBER,
    SWITCH,
    DURATION,
    LIST
  }

  private static final List<ProxyFlag> ALL =
      List.of(
          of("bind-address", Kind.TEXT, "bindAddress"),
          of("bind-address-hard-fail", Kind.SWITCH, "bindAddressHardFail"),
          of("cluster-cidr", Kind.TEXT, "clusterCIDR"),
          of("config-sync-period", Kind.DURATION, "configSyncPeriod"),
          of("conntrack-max-per-core", Kind.NUMBER, "conntrack", "maxPerCore"),
          of("conntrack-min", Kind.NUMBER, "conntrack", "min"),
          of("conntrack-tcp-be-liberal", Kind.SWITCH, "conntrack", "tcpBeLiberal"),
          of("conntrack-tcp-timeout-close-wait", Kind.DURATION, "conntrack", "tcpCloseWaitTimeout"),
          of(
              "conntrack-tcp-timeout-established",
              Kind.DURATION,
              "conntrack",
              "tcpEstablishedTimeout"),
          of("conntrack-udp-timeout", Kind.DURATION, "conntrack", "udpTimeout"),
          of("conntrack-udp-timeout-stream", Kind.DURATION, "conntrack", "udpStreamTimeout"),
          of("detect-local-mode", Kind.TEXT, "detectLocalMode"),
          of("healthz-bind-address", Kind.TEXT, "healthzBindAddress"),
          of("hostname-override", Kind.TEXT, "hostnameOverride"),
          of("iptables-localhost-nodeports", Kind.SWITCH, "iptables", "localhostNodePorts"),
          of("iptables-masquerade-bit", Kind.NUMBER, "iptables", "masqueradeBit"),
          of("iptables-min-sync-period", Kind.DURATION, "iptables", "minSyncPeriod"),
          of("iptables-sync-period", Kind.DURATION, "iptables", "syncPeriod"),
          of("ipvs-exclude-cidrs", Kind.LIST, "ipvs", "excludeCIDRs"),
          of("ipvs-min-sync-period", Kind.DURATION, "ipvs", "minSyncPeriod"),
          of("ipvs-scheduler", Kind.TEXT, "ipvs", "scheduler"),
          of("ipvs-strict-arp", Kind.SWITCH, "ipvs", "strictARP"),
          of("ipvs-sync-period", Kind.DURATION, "ipvs", "syncPeriod"),
          of("ipvs-tcp-timeout", Kind.DURATION, "ipvs", "tcpTimeout"),
          of("ipvs-tcpfin-timeout", Kind.DURATION, "ipvs", "tcpFinTimeout"),
          of("ipvs-udp-timeout", Kind.DURATION, "ipvs", "udpTimeout"),
          of("kube-api-burst", Kind.NUMBER, "clientConnection", "burst"),
          of("kube-api-content-type", Kind.TEXT, "clientConnection", "contentType"),
          of("kube-api-qps", Kind.NUMBER, "clientConnection", "qps"),
          of("kubeconfig", Kind.TEXT, "clientConnection", "kubeconfig"),
          of("masquerade-all", Kind.SWITCH, "iptables", "masqueradeAll"),
          of("metrics-bind-address", Kind.TEXT, "metricsBindAddress"),
          of("nodeport-addresses", Kind.LIST, "nodePortAddresses"),
          of("oom-score-adj", Kind.NUMBER, "oomScoreAdj"),
          of("pod-bridge-interface", Kind.TEXT, "detectLocal", "bridgeInterface"),
          of("pod-interface-name-prefix", Kind.TEXT, "detectLocal", "interfaceNamePrefix"),
          of("profiling", Kind.SWITCH, "enableProfiling"),
          of("proxy-mode", Kind.TEXT, "mode"),
          of("proxy-port-range", Kind.TEXT, "userspace", "portRange"),
          of("show-hidden-metrics-for-version", Kind.TEXT, "showHiddenMetricsForVersion"),
          of("udp-timeout", Kind.DURATION, "userspace", "udpIdleTimeout"),
          of("bind", Kind.TEXT, "userspace", "bind"));

  private static ProxyFlag of(String name, Kind kind, String... path) {
    return new ProxyFlag(name, List.of(path), kind);
  }

  /// All of them by name.
  public static List<ProxyFlag> all() {
    return ALL;
  }

  public static Optional<ProxyFlag> find(String name) {
    return ALL.stream().filter(flag -> flag.name.equals(name)).findFirst();
  }
}
