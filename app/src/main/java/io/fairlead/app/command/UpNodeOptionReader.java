package io.fairlead.app.command;

import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.network.AddressPool;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.Options;
import io.fairlead.app.ProxyConfigurationSource;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.policy.runtime.PolicyOptions;
import io.fairlead.server.ApiServerConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Turns the flags of `up` into the service proxy and the DNS of its node. Where nothing is said,
/// both run where pods run.
///
/// @param withPods whether the agent runs
record UpNodeOptionReader(Arguments arguments, ApiServerConfig server, boolean withPods) {
  /// The name of the node.
  static final String NAME = "fairlead";

  private static final int DNS_OFFSET = 10;
  private static final int DNS_PORT = 53;
  private static final int POLICY_PORT = 10248;

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
  Optional<ProxyConfigurationSource> proxy(List<Cidr> pods) {
    return wanted("proxy")
        ? Optional.of(
            new UpProxyConfiguration(
                arguments.find("proxy-mode"), arguments.on("strict-mode"), NAME, pods))
        : Optional.empty();
  }

  /// @param pods the ranges of this node
  /// @param cluster the ranges of all pods
  Optional<PolicyOptions> policy(List<Cidr> pods, List<Cidr> cluster) {
    return wanted("policy")
        ? Optional.of(
            PolicyOptions.of(NAME)
                .withRanges(pods, cluster)
                .withStatus(new InetSocketAddress("127.0.0.1", POLICY_PORT))
                .withExtras(
                    new PolicyOptions.Extras(
                        false,
                        "",
                        "",
                        Optional.empty(),
                        wanted("proxy")
                            && arguments.find("proxy-mode").orElse("").equals("userspace"))))
        : Optional.empty();
  }

  Optional<Options.Dns> dns() {
    if (!wanted("dns")) {
      return Optional.empty();
    }
    Optional<IpAddress> address = dnsAddress(server);
    if (address.isEmpty() && arguments.text("dns").equals("on")) {
      throw new FairleadException(
          ErrorCode.FL303,
          "--service-cidr",
          arguments.text("service-cidr"),
          "a range of more than " + DNS_OFFSET + " addresses, for the DNS at the tenth");
    }
    return address.map(
        each -> new Options.Dns(each, range(server), DNS_PORT, Path.of("/etc/resolv.conf")));
  }
}
