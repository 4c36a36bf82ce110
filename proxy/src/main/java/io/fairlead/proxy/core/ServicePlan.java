package io.fairlead.proxy.core;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.List;

/// Everything decided about one service port on this node. Equal plans need no change of rules.
///
/// @param endpoints all endpoints there are, sorted by their text, used or not
/// @param choice which of them are used
/// @param allowedSources who may use the load balancer's addresses: the ranges, and the addresses
///   themselves when a range holds the node's own; empty for everybody
/// @param clusterIpMasquerade when traffic to the cluster IP is masqueraded
public record ServicePlan(
    ServicePort port,
    List<Backend> endpoints,
    SelectedEndpoints choice,
    List<Cidr> allowedSources,
    TrafficVerdict.Masquerade clusterIpMasquerade) {

  public ServicePlan {
    endpoints = List.copyOf(endpoints);
    allowedSources = List.copyOf(allowedSources);
  }

  /// Decides about one service port. Pure.
  ///
  /// @param endpoints sorted by their text
  public static ServicePlan of(ServicePort port, List<Backend> endpoints, NodeFacts node) {
    List<Backend> all = List.copyOf(endpoints);
    return new ServicePlan(
        port,
        all,
        EndpointSelector.choose(port, all, node.name(), node.zone()),
        allowedSources(port, node),
        node.clusterIpMasquerade());
  }

  private static List<Cidr> allowedSources(ServicePort port, NodeFacts node) {
    if (port.sourceRanges().isEmpty()
        || port.sourceRanges().stream().noneMatch(range -> range.contains(node.address()))) {
      return port.sourceRanges();
    }
    List<Cidr> allowed = new ArrayList<>(port.sourceRanges());
    for (IpAddress address : port.loadBalancerIps()) {
      allowed.add(new Cidr(address, address.family().bits()));
    }
    return allowed;
  }

  public ServicePortName name() {
    return port.name();
  }

  /// Whether traffic to the cluster IP is forwarded.
  public boolean forwardsInternal() {
    return choice.any() && !(port.internalLocal() && choice.local().isEmpty());
  }

  /// Whether traffic from outside to the other addresses is forwarded.
  public boolean forwardsExternal() {
    return choice.any() && !(port.externalLocal() && choice.local().isEmpty());
  }

  /// The distinct addresses of ready endpoints on this node, which is what health checks of load
  /// balancers count.
  public List<IpAddress> localReadyAddresses() {
    return endpoints.stream()
        .filter(endpoint -> endpoint.local() && endpoint.ready() && !endpoint.terminating())
        .map(Backend::address)
        .distinct()
        .toList();
  }

  /// All destinations of this service port with what happens to traffic for each: cluster IP,
  /// external IPs, load balancer addresses, node port.
  public List<Frontend> fronts() {
    List<Frontend> fronts = new ArrayList<>();
    fronts.add(
        new Frontend(
            Frontend.Kind.CLUSTER_IP,
            port.clusterIp(),
            port.port(),
            verdict(port.internalLocal(), clusterIpMasquerade),
            List.of(),
            List.of()));
    for (IpAddress address : port.externalIps()) {
      fronts.add(external(Frontend.Kind.EXTERNAL_IP, address, List.of()));
    }
    for (IpAddress address : port.loadBalancerIps()) {
      fronts.add(external(Frontend.Kind.LOAD_BALANCER, address, allowedSources));
    }
    if (port.nodePort() != 0) {
      fronts.add(
          new Frontend(
              Frontend.Kind.NODE_PORT,
              null,
              port.nodePort(),
              externalVerdict(),
              inside(),
              List.of()));
    }
    return List.copyOf(fronts);
  }

  private Frontend external(Frontend.Kind kind, IpAddress address, List<Cidr> sources) {
    return new Frontend(kind, address, port.port(), externalVerdict(), inside(), sources);
  }

  private TrafficVerdict externalVerdict() {
    return verdict(
        port.externalLocal(),
        port.externalLocal() ? TrafficVerdict.Masquerade.NEVER : TrafficVerdict.Masquerade.ALWAYS);
  }

  private List<Backend> inside() {
    return port.externalLocal() ? choice.cluster() : List.of();
  }

  private TrafficVerdict verdict(boolean localOnly, TrafficVerdict.Masquerade masquerade) {
    if (!choice.any()) {
      return new TrafficVerdict.Reject(TrafficVerdict.Reason.NO_ENDPOINTS);
    }
    List<Backend> to = localOnly ? choice.local() : choice.cluster();
    return to.isEmpty()
        ? new TrafficVerdict.Drop(TrafficVerdict.Reason.NO_LOCAL_ENDPOINTS)
        : new TrafficVerdict.Forward(to, masquerade);
  }
}
