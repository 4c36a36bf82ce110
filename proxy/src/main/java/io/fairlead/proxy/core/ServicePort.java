package io.fairlead.proxy.core;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;
import java.util.Map;

/// One port of a Service in one family, as its owner wants it.
///
/// @param nodePort 0 for none
/// @param sourceRanges who may use the load balancer's addresses; empty for everybody
/// @param stickySeconds how long a client keeps its endpoint; 0 for not at all
/// @param healthCheckNodePort where the node says whether it has local endpoints; 0 for nowhere
/// @param options what the owner asks of particular modes: the Service's annotations whose names
///   begin with `fairlead.dev/`, without that beginning
public record ServicePort(
    ServicePortName name,
    IpAddress clusterIp,
    int port,
    int nodePort,
    List<IpAddress> externalIps,
    List<IpAddress> loadBalancerIps,
    List<Cidr> sourceRanges,
    TrafficPolicy internalPolicy,
    TrafficPolicy externalPolicy,
    int stickySeconds,
    int healthCheckNodePort,
    Map<String, String> options) {

  /// How the names of annotations that are options begin.
  public static final String OPTION_PREFIX = "fairlead.dev/";

  public ServicePort {
    options = Map.copyOf(options);
    externalIps = List.copyOf(externalIps);
    loadBalancerIps = List.copyOf(loadBalancerIps);
    sourceRanges = List.copyOf(sourceRanges);
  }

  /// A service port without options.
  public ServicePort(
      ServicePortName name,
      IpAddress clusterIp,
      int port,
      int nodePort,
      List<IpAddress> externalIps,
      List<IpAddress> loadBalancerIps,
      List<Cidr> sourceRanges,
      TrafficPolicy internalPolicy,
      TrafficPolicy externalPolicy,
      int stickySeconds,
      int healthCheckNodePort) {
    this(
        name,
        clusterIp,
        port,
        nodePort,
        externalIps,
        loadBalancerIps,
        sourceRanges,
        internalPolicy,
        externalPolicy,
        stickySeconds,
        healthCheckNodePort,
        Map.of());
  }

  public Protocol protocol() {
    return name.protocol();
  }

  public IpAddress.Family family() {
    return clusterIp.family();
  }

  public boolean internalLocal() {
    return internalPolicy == TrafficPolicy.LOCAL;
  }

  public boolean externalLocal() {
    return externalPolicy == TrafficPolicy.LOCAL;
  }

  /// Whether it has an address that clients outside the cluster can use.
  public boolean externallyAccessible() {
    return nodePort != 0 || !loadBalancerIps.isEmpty() || !externalIps.isEmpty();
  }

  /// Whether some of its traffic may go to endpoints of any node.
  public boolean usesCluster() {
    return !internalLocal() || externallyAccessible();
  }

  /// Whether some of its traffic must stay on the node.
  public boolean usesLocal() {
    return internalLocal() || (externalLocal() && externallyAccessible());
  }
}
