package io.fairlead.proxy.announce;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.HardwareAddress;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An interface through which this node can answer for addresses. Immutable.
///
/// @param networks its addresses with the lengths of their networks
/// @param linkLocal its own IPv6 address on the link; null when it has none, and then it announces
///   no IPv6 address
record AnnounceInterface(
    int index,
    String name,
    HardwareAddress hardware,
    List<Cidr> networks,
    @Nullable IpAddress linkLocal) {
  AnnounceInterface {
    networks = List.copyOf(networks);
  }

  /// Whether neighbours ask through it for that address.
  ///
  /// @param patterns names the pool allows, `enp*`; none: those whose network has the address
  boolean serves(IpAddress address, List<String> patterns) {
    if (address.isIpv6() && linkLocal == null) {
      return false;
    }
    return patterns.isEmpty()
        ? networks.stream().anyMatch(network -> isIn(network, address))
        : patterns.stream().anyMatch(this::isNamed);
  }

  /// A network of one address has no neighbours.
  private static boolean isIn(Cidr network, IpAddress address) {
    return network.family() == address.family()
        && network.prefixLength() < address.family().bits()
        && network.contains(address);
  }

  private boolean isNamed(String pattern) {
    String expression =
        Pattern.compile("\\*")
            .splitAsStream(pattern)
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return name.matches(pattern.endsWith("*") ? expression + ".*" : expression);
  }

  /// `eth0=192.168.1.11/24,fd00:1::11/64`.
  String networksText() {
    return name + "=" + networks.stream().map(Cidr::toString).collect(Collectors.joining(","));
  }
}
