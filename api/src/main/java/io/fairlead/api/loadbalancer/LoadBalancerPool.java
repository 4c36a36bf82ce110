package io.fairlead.api.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.selector.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Addresses that Services of type LoadBalancer may get, and how the network learns of them.
/// Immutable.
///
/// @param name a DNS label
/// @param ranges in the order they are written; of one pool no two overlap
/// @param announcement how the network learns where the addresses are
/// @param autoAssign whether Services get addresses of it that ask for none of it
/// @param avoidEdgeAddresses IPv4 addresses that end in .0 or .255 are not given out
/// @param interfaces names or patterns of those to announce on; none: those whose network has the
///   address
/// @param nodeSelector which nodes may announce
/// @param namespaceSelector Services of which namespaces may take from it
/// @param serviceSelector which Services may take from it
/// @param priority the lowest is used first
/// @param shareAcrossNamespaces whether Services of two namespaces may share an address
/// @param bgp what only pools announced by BGP say
public record LoadBalancerPool(
    String name,
    List<PoolRange> ranges,
    Announcement announcement,
    boolean autoAssign,
    boolean avoidEdgeAddresses,
    List<String> interfaces,
    LabelSelector nodeSelector,
    LabelSelector namespaceSelector,
    LabelSelector serviceSelector,
    int priority,
    boolean shareAcrossNamespaces,
    Bgp bgp)
    implements Comparable<LoadBalancerPool> {
  public static final int DEFAULT_PRIORITY = 100;

  /// How the network learns where addresses are.
  public enum Announcement {
    /// One node answers ARP requests and neighbour solicitations.
    L2,
    /// Not at all: the addresses are routed to the nodes already.
    NONE,
    /// Nodes announce routes to their routers.
    BGP;

    /// The word in pools, `l2`.
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    static Optional<Announcement> of(String word) {
      for (Announcement one : values()) {
        if (one.word().equals(word)) {
          return Optional.of(one);
        }
      }
      return Optional.empty();
    }
  }

  /// @param ipv4Length routes of IPv4 addresses are announced with that many leading bits
  /// @param ipv6Length the same for IPv6
  /// @param peers names of those to announce to; none: all
  public record Bgp(int ipv4Length, int ipv6Length, List<String> peers) {
    public static final Bgp DEFAULT = new Bgp(32, 128, List.of());

    public Bgp {
      peers = List.copyOf(peers);
    }
  }

  public LoadBalancerPool {
    ranges = List.copyOf(ranges);
    interfaces = List.copyOf(interfaces);
  }

  /// A pool that says nothing but its addresses.
  public static LoadBalancerPool of(
      String name, List<PoolRange> ranges, Announcement announcement) {
    return new LoadBalancerPool(
        name,
        ranges,
        announcement,
        true,
        false,
        List.of(),
        LabelSelector.EVERYTHING,
        LabelSelector.EVERYTHING,
        LabelSelector.EVERYTHING,
        DEFAULT_PRIORITY,
        false,
        Bgp.DEFAULT);
  }

  public boolean contains(IpAddress address) {
    for (PoolRange range : ranges) {
      if (range.contains(address)) {
        return !avoidEdgeAddresses || !isEdge(address);
      }
    }
    return false;
  }

  /// Whether it is an IPv4 address that ends in .0 or .255, which old devices refuse.
  public static boolean isEdge(IpAddress address) {
    long last = address.low() & 0xff;
    return address.isIpv4() && (last == 0 || last == 255);
  }

  /// Whether a Service may take addresses of it.
  public boolean admits(Map<String, String> namespaceLabels, Map<String, String> serviceLabels) {
    return namespaceSelector.matches(namespaceLabels) && serviceSelector.matches(serviceLabels);
  }

  /// In the order they are used: by priority, then by name.
  @Override
  public int compareTo(LoadBalancerPool other) {
    int byPriority = Integer.compare(priority, other.priority);
    return byPriority != 0 ? byPriority : name.compareTo(other.name);
  }

  /// `lan 192.168.1.240-192.168.1.250`.
  @Override
  public String toString() {
    return name + " " + String.join(",", ranges.stream().map(PoolRange::toString).toList());
  }
}
