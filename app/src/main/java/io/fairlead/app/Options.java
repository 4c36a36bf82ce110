package io.fairlead.app;

import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.network.AddressPool;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.node.PodDoor;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.nodeipam.NodeRanges;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.server.ApiServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What to start and where.
///
/// @param dataDirectory keeps store, keys, certificates and log
/// @param server how the API server is set up
/// @param etcd keep the state there instead of in the data directory
/// @param controllers whether to run the controllers too
/// @param agent the node to run on this machine; empty for none
/// @param proxy how to carry traffic to Services on this machine, made when the proxy starts: the
///   API need not wait for it; empty for not at all
/// @param dns where to answer for names of Services; empty for nowhere
/// @param nodes how the controllers look after nodes
public record Options(
    Path dataDirectory,
    ApiServerConfig server,
    Optional<Etcd> etcd,
    boolean controllers,
    Optional<AgentOptions> agent,
    Optional<Supplier<ProxyConfiguration>> proxy,
    Optional<Dns> dns,
    NodeOptions nodes) {
  /// The addresses of all pods, where nothing else is said.
  public static final String PODS = "10.244.0.0/16";

  /// With nodes that bring the ranges of their pods along.
  public Options(
      Path dataDirectory,
      ApiServerConfig server,
      Optional<Etcd> etcd,
      boolean controllers,
      Optional<AgentOptions> agent,
      Optional<Supplier<ProxyConfiguration>> proxy,
      Optional<Dns> dns) {
    this(dataDirectory, server, etcd, controllers, agent, proxy, dns, NodeOptions.STANDARD);
  }

  /// With pods, but without proxy and DNS.
  public Options(
      Path dataDirectory,
      ApiServerConfig server,
      Optional<Etcd> etcd,
      boolean controllers,
      Optional<AgentOptions> agent) {
    this(dataDirectory, server, etcd, controllers, agent, Optional.empty(), Optional.empty());
  }

  /// Without a node.
  public Options(
      Path dataDirectory, ApiServerConfig server, Optional<Etcd> etcd, boolean controllers) {
    this(dataDirectory, server, etcd, controllers, Optional.empty());
  }

  /// Whether anything is to run that changes the network of this machine.
  public boolean hasNode() {
    return agent.isPresent() || proxy.isPresent() || dns.isPresent();
  }

  /// Where pods of this machine reach the API, when it listens on loopback only and tells others
  /// the address that this node has in its pods' eyes.
  Optional<PodDoor.Place> podDoor() {
    IpAddress bound = IpAddress.parseOrNull(server.bindAddress());
    if (bound == null || !bound.isLoopback()) {
      return Optional.empty();
    }
    return agent.flatMap(
        node ->
            gateway(node, IpAddress.parseOrNull(server.advertiseAddress()))
                .map(gateway -> new PodDoor.Place(gateway, node.podRanges())));
  }

  private static Optional<IpAddress> gateway(AgentOptions node, @Nullable IpAddress advertised) {
    return node.podRanges().stream()
        .map(AddressPool::gateway)
        .filter(gateway -> gateway.equals(advertised))
        .findFirst();
  }

  /// Where the DNS of the cluster answers.
  ///
  /// @param address its cluster IP, which this machine gets
  /// @param range of all cluster IPs of that family
  /// @param resolvConf the file that names who knows all other names
  public record Dns(IpAddress address, Cidr range, int port, Path resolvConf) {}

  /// An etcd cluster and how to be believed by it.
  ///
  /// @param servers its addresses, such as `https://10.0.0.5:2379`
  /// @param authority the CA of its certificates; absent: those of the system
  /// @param certificate the client certificate to show
  /// @param key its key
  public record Etcd(
      List<String> servers,
      Optional<Path> authority,
      Optional<Path> certificate,
      Optional<Path> key) {
    public Etcd {
      servers = List.copyOf(servers);
    }
  }

  /// Everything as `fairlead up` does it, on loopback.
  public static Options defaults(Path dataDirectory) {
    return new Options(
        dataDirectory,
        ApiServerConfig.defaults(dataDirectory.resolve("pki")),
        Optional.empty(),
        true,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new NodeOptions(NodeRanges.of(List.of(Cidr.parse(PODS))), NodeOptions.GRACE));
  }
}
