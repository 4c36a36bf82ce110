package io.fairlead.agent.network;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.IpPrefix;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// Addresses as the module `kernel` takes them, and back.
public final class KernelAddresses {
  private KernelAddresses() {}

  public static InetAddress inet(IpAddress address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /// An address alone.
  public static IpPrefix single(IpAddress address) {
    return new IpPrefix(inet(address), address.family().bits());
  }

  public static IpPrefix prefix(Cidr range) {
    return new IpPrefix(inet(range.address()), range.prefixLength());
  }

  public static Cidr cidr(IpPrefix prefix) {
    return new Cidr(IpAddress.ofBytes(prefix.address().getAddress()), prefix.length());
  }
}
