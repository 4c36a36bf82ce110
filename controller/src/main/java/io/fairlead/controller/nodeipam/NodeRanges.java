package io.fairlead.controller.nodeipam;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.List;

/// From what, and in which pieces, nodes get their ranges.
///
/// @param cluster the ranges of all pods, one of each family at most; none to give nothing
/// @param ipv4Length how many leading bits the addresses of one node share, `24`
/// @param ipv6Length the same for the other family, `64`
/// @param reserved what is promised to a node that may not be there yet
public record NodeRanges(List<Cidr> cluster, int ipv4Length, int ipv6Length, List<Cidr> reserved) {
  public static final int IPV4_LENGTH = 24;
  public static final int IPV6_LENGTH = 64;

  /// This controller assigns nothing: nodes say themselves what their ranges are.
  public static final NodeRanges NONE = new NodeRanges(List.of(), IPV4_LENGTH, IPV6_LENGTH);

  /// More nodes than any cluster has; a range in more pieces is a mistake.
  private static final int MOST_BITS = 16;

  /// @throws IllegalArgumentException when a range cannot be cut so
  public NodeRanges {
    cluster = cluster.stream().map(Cidr::masked).toList();
    reserved = List.copyOf(reserved);
    if (cluster.stream().map(Cidr::family).distinct().count() < cluster.size()) {
      throw new IllegalArgumentException("two ranges of one family: " + cluster);
    }
    for (Cidr range : cluster) {
      int length = range.family() == IpAddress.Family.IPV4 ? ipv4Length : ipv6Length;
      int bits = length - range.prefixLength();
      if (bits < 0 || bits > MOST_BITS || length > range.family().bits()) {
        throw new IllegalArgumentException(
            range
                + " in pieces of /"
                + length
                + ": give a length from /"
                + range.prefixLength()
                + " to /"
                + Math.min(range.prefixLength() + MOST_BITS, range.family().bits()));
      }
    }
  }

  /// With nothing promised.
  public NodeRanges(List<Cidr> cluster, int ipv4Length, int ipv6Length) {
    this(cluster, ipv4Length, ipv6Length, List.of());
  }

  /// The usual pieces, or as near to them as the ranges allow. The first range of a family counts.
  public static NodeRanges of(List<Cidr> ranges) {
    int ipv4 = IPV4_LENGTH;
    int ipv6 = IPV6_LENGTH;
    List<Cidr> cluster = new ArrayList<>();
    for (Cidr range : ranges) {
      if (cluster.stream().anyMatch(other -> other.family() == range.family())) {
        continue;
      }
      cluster.add(range);
      int shortest = range.prefixLength();
      if (range.family() == IpAddress.Family.IPV4) {
        ipv4 = Math.clamp(ipv4, shortest, Math.min(shortest + MOST_BITS, 32));
      } else {
        ipv6 = Math.clamp(ipv6, shortest, Math.min(shortest + MOST_BITS, 128));
      }
    }
    return new NodeRanges(cluster, ipv4, ipv6);
  }

  /// The same with something promised.
  public NodeRanges without(List<Cidr> promised) {
    return new NodeRanges(cluster, ipv4Length, ipv6Length, promised);
  }

  int length(Cidr range) {
    return range.family() == IpAddress.Family.IPV4 ? ipv4Length : ipv6Length;
  }
}
