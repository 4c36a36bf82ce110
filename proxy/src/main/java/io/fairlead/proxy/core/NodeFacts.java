package io.fairlead.proxy.core;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;

/// What decisions depend on besides Services and endpoints: this node, in one family, and how its
/// proxy is set up.
///
/// @param zone the node's zone, empty when it has none
/// @param address the node's primary address, or the unspecified one when it is not known
/// @param masqueradeMark one bit of the packet mark: "masquerade me"
/// @param localhostNodePorts node ports answer on IPv4 loopback too, where the mode can
/// @param serviceCidrs the ranges of cluster IPs, for modes that answer for unused ones
public record NodeFacts(
    IpAddress.Family family,
    String name,
    String zone,
    IpAddress address,
    LocalDetector detector,
    NodePortAddresses nodePortAddresses,
    boolean masqueradeAll,
    int masqueradeMark,
    boolean localhostNodePorts,
    List<Cidr> serviceCidrs) {

  /// Bit 14.
  public static final int DEFAULT_MARK = 0x4000;

  public NodeFacts {
    serviceCidrs = List.copyOf(serviceCidrs);
  }

  /// A node with no zone, no detector, node ports everywhere, and no service range known.
  public static NodeFacts of(String name, IpAddress address) {
    return new NodeFacts(
        address.family(),
        name,
        "",
        address,
        new LocalDetector.None(),
        new NodePortAddresses.All(),
        false,
        DEFAULT_MARK,
        true,
        List.of());
  }

  public NodeFacts withZone(String other) {
    return new NodeFacts(
        family,
        name,
        other,
        address,
        detector,
        nodePortAddresses,
        masqueradeAll,
        masqueradeMark,
        localhostNodePorts,
        serviceCidrs);
  }

  public NodeFacts withDetector(LocalDetector other) {
    return new NodeFacts(
        family,
        name,
        zone,
        address,
        other,
        nodePortAddresses,
        masqueradeAll,
        masqueradeMark,
        localhostNodePorts,
        serviceCidrs);
  }

  public NodeFacts withNodePortAddresses(NodePortAddresses other) {
    return new NodeFacts(
        family,
        name,
        zone,
        address,
        detector,
        other,
        masqueradeAll,
        masqueradeMark,
        localhostNodePorts,
        serviceCidrs);
  }

  public NodeFacts withMasqueradeAll(boolean other) {
    return new NodeFacts(
        family,
        name,
        zone,
        address,
        detector,
        nodePortAddresses,
        other,
        masqueradeMark,
        localhostNodePorts,
        serviceCidrs);
  }

  public NodeFacts withLocalhostNodePorts(boolean other) {
    return new NodeFacts(
        family,
        name,
        zone,
        address,
        detector,
        nodePortAddresses,
        masqueradeAll,
        masqueradeMark,
        other,
        serviceCidrs);
  }

  public NodeFacts withServiceCidrs(List<Cidr> other) {
    return new NodeFacts(
        family,
        name,
        zone,
        address,
        detector,
        nodePortAddresses,
        masqueradeAll,
        masqueradeMark,
        localhostNodePorts,
        other);
  }

  /// When traffic to cluster IPs is masqueraded.
  public TrafficVerdict.Masquerade clusterIpMasquerade() {
    if (masqueradeAll) {
      return TrafficVerdict.Masquerade.ALWAYS;
    }
    return detector instanceof LocalDetector.None
        ? TrafficVerdict.Masquerade.NEVER
        : TrafficVerdict.Masquerade.UNLESS_LOCAL_POD;
  }
}
