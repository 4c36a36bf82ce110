package io.fairlead.app.command;

import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.network.AddressPool;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Problem;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.server.ApiServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Turns the flags of `up` into the service proxy and the DNS of its node. Where nothing is said,
/// both run where pods run.
///
/// @param withPods whether the agent runs
record UpNode(Arguments arguments, ApiServerConfig server, boolean withPods) {
  /// The name of the node.
  static final String NAME = "fairlead";

  private static final int DNS_OFFSET = 10;
  private static final int DNS_PORT = 53;

  /// The cluster IP of the DNS server, the tenth of the range; none where the range is too small.
  static Optional<IpAddress> dnsAddress(ApiServerConfig server) {
    Cidr services = range(server);
    return services.size() > DNS_OFFSET ? Optional.of(services.at(DNS_OFFSET)) : Optional.empty();
  }

  /// Pods cannot reach an API server on loopback; they are told the address of the node in their
  /// eyes instead.
  static ApiServerConfig reachable(ApiServerConfig server, Optional<AgentOptions> agent) {
    IpAddress told = IpAddress.parseOrNull(server.advertiseAddress());
    if (agent.isEmpty() || told == null || !told.isLoopback()) {
      return server;
    }
    return agent.get().podRanges().stream()
        .filter(pods -> pods.family() == range(server).family())
        .findFirst()
        .map(pods -> server.change().advertiseAddress(AddressPool.gateway(pods).toString()).build())
        .orElse(server);
  }

  private static Cidr range(ApiServerConfig server) {
    return Cidr.parse(server.services().cidrs().getFirst()).masked();
  }

  private boolean wanted(String flag) {
    return switch (arguments.text(flag)) {
      case "on" -> true;
      case "off" -> false;
      default -> withPods;
    };
  }

  /// @param pods the ranges of all pods, the widest of a family first
  Optional<Supplier<ProxyConfiguration>> proxy(List<Cidr> pods) {
    String mode = arguments.text("proxy-mode");
    return wanted("proxy") ? Optional.of(() -> configuration(mode, pods)) : Optional.empty();
  }

  /// What is served for this machine alone listens on loopback alone, and the kernel's table of
  /// connections stays as it is: a machine of its own user needs no larger one, and what is not set
  /// need not be put back.
  private static ProxyConfiguration configuration(String mode, List<Cidr> pods) {
    String ranges =
        pods.stream()
            .collect(Collectors.toMap(Cidr::family, range -> range, (first, _) -> first))
            .values()
            .stream()
            .sorted((one, other) -> one.family().compareTo(other.family()))
            .map(Cidr::toString)
            .collect(Collectors.joining(","));
    return ProxyConfiguration.read(
        """
        apiVersion: kubeproxy.config.k8s.io/v1alpha1
        kind: KubeProxyConfiguration
        mode: "%s"
        hostnameOverride: %s
        clusterCIDR: "%s"
        healthzBindAddress: 127.0.0.1:10256
        metricsBindAddress: 127.0.0.1:10249
        conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
        """
            .formatted(mode.equals("auto") ? "" : mode, NAME, ranges));
  }

  Optional<Options.Dns> dns() {
    if (!wanted("dns")) {
      return Optional.empty();
    }
    Optional<IpAddress> address = dnsAddress(server);
    if (address.isEmpty() && arguments.text("dns").equals("on")) {
      throw new Problem(
          Code.FL303,
          "--service-cidr",
          arguments.text("service-cidr"),
          "a range of more than " + DNS_OFFSET + " addresses, for the DNS at the tenth");
    }
    return address.map(
        each -> new Options.Dns(each, range(server), DNS_PORT, Path.of("/etc/resolv.conf")));
  }
}
