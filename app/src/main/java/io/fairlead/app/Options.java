package io.fairlead.app;

import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.lifecycle.PolicyWaitMode;
import io.fairlead.agent.network.AddressPool;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.node.PodApiListener;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.nodeipam.NodeRanges;
import io.fairlead.policy.runtime.PolicyOptions;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.ui.UiOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What to start and where.
///
/// @param dataDirectory keeps store, keys, certificates and log
/// @param server how the API server is set up
/// @param etcd keep the state there instead of in the data directory
/// @param controllers whether to run the controllers too
/// @param agent the node to run on this machine; empty for none
/// @param proxy how to carry traffic to Services on this machine; empty for not at all
/// @param dns where to answer for names of Services; empty for nowhere
/// @param nodes how the controllers look after nodes
/// @param policy how to enforce NetworkPolicies on this machine; empty for not at all
/// @param loadBalancing where Services of type LoadBalancer get their addresses from
/// @param ui how to serve the web page; empty for not at all
public record Options(
    Path dataDirectory,
    ApiServerConfig server,
    Optional<Etcd> etcd,
    boolean controllers,
    Optional<AgentOptions> agent,
    Optional<ProxyConfigurationSource> proxy,
    Optional<Dns> dns,
    NodeOptions nodes,
    Optional<PolicyOptions> policy,
    LoadBalancing loadBalancing,
    Optional<UiOptions> ui) {
  /// The addresses of all pods, where nothing else is said.
  public static final String PODS = "10.244.0.0/16";

  /// With load balancer addresses of this machine alone.
  public Options(
      Path dataDirectory,
      ApiServerConfig server,
      Optional<Etcd> etcd,
      boolean controllers,
      Optional<AgentOptions> agent,
      Optional<ProxyConfigurationSource> proxy,
      Optional<Dns> dns,
      NodeOptions nodes,
      Optional<PolicyOptions> policy) {
    this(
        dataDirectory,
        server,
        etcd,
        controllers,
        agent,
        proxy,
        dns,
        nodes,
        policy,
        LoadBalancing.STANDARD,
        Optional.empty());
  }

  /// Without enforcement of NetworkPolicies.
  public Options(
      Path dataDirectory,
      ApiServerConfig server,
      Optional<Etcd> etcd,
      boolean controllers,
      Optional<AgentOptions> agent,
      Optional<ProxyConfigurationSource> proxy,
      Optional<Dns> dns,
      NodeOptions nodes) {
    this(dataDirectory, server, etcd, controllers, agent, proxy, dns, nodes, Optional.empty());
  }

  /// With nodes that bring the ranges of their pods along.
  public Options(
      Path dataDirectory,
      ApiServerConfig server,
      Optional<Etcd> etcd,
      boolean controllers,
      Optional<AgentOptions> agent,
      Optional<ProxyConfigurationSource> proxy,
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

  /// The same with a node whose new pods wait until their NetworkPolicies are in force.
  Options withPolicyWait() {
    return new Options(
        dataDirectory,
        server,
        etcd,
        controllers,
        agent.map(node -> node.withPolicyWait(PolicyWaitMode.ON)),
        proxy,
        dns,
        nodes,
        policy,
        loadBalancing,
        ui);
  }

  /// Whether anything is to run that changes the network of this machine.
  public boolean hasNode() {
    return agent.isPresent() || proxy.isPresent() || dns.isPresent() || policy.isPresent();
  }

  /// Where pods of this machine reach the API, when it listens on loopback only and tells others
  /// the address that this node has in its pods' eyes.
  Optional<PodApiListener.ListenAddress> podApi() {
    IpAddress bound = IpAddress.parseOrNull(server.bindAddress());
    if (bound == null || !bound.isLoopback()) {
      return Optional.empty();
    }
    return agent.flatMap(
        node ->
            gateway(node, IpAddress.parseOrNull(server.advertiseAddress()))
                .map(gateway -> new PodApiListener.ListenAddress(gateway, node.podRanges())));
  }

  private static Optional<IpAddress> gateway(AgentOptions node, @Nullable IpAddress advertised) {
    return node.podRanges().stream()
        .map(AddressPool::gateway)
        .filter(gateway -> gateway.equals(advertised))
        .findFirst();
  }

  /// Whether Services get load balancer addresses that only this machine has.
  public boolean hasLocalBalancer() {
    return controllers && proxy.isPresent() && loadBalancing.local();
  }

  /// Where Services of type LoadBalancer get their addresses from.
  ///
  /// @param pools those of the command line
  /// @param isDefault whether Services that name no class are served
  /// @param local whether a range of this machine alone is used, where a proxy runs
  /// @param nodes whether Services get the nodes' own addresses
  /// @param promiscuous whether cards hand up frames for others too
  public record LoadBalancing(
      LoadBalancerPools pools,
      boolean isDefault,
      boolean local,
      boolean nodes,
      boolean promiscuous) {
    /// With nothing configured.
    public static final LoadBalancing STANDARD =
        new LoadBalancing(LoadBalancerPools.NONE, true, true, false, false);
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
        ApiServerConfig.defaults(dataDirectory.resolve("pki"))
            .change()
            .warnsOfUnserved(true)
            .build(),
        Optional.empty(),
        true,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new NodeOptions(NodeRanges.of(List.of(Cidr.parse(PODS))), NodeOptions.GRACE),
        Optional.empty(),
        LoadBalancing.STANDARD,
        Optional.of(UiOptions.DEFAULT));
  }
}
