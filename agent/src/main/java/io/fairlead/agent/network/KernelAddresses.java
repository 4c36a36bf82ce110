package io.fairlead.agent.network;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.route.Prefix;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// Addresses as the kernel's door takes them, and back.
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
  public static Prefix single(IpAddress address) {
    return new Prefix(inet(address), address.family().bits());
  }

  public static Prefix prefix(Cidr range) {
    return new Prefix(inet(range.address()), range.prefixLength());
  }

  public static Cidr cidr(Prefix prefix) {
    return new Cidr(IpAddress.ofBytes(prefix.address().getAddress()), prefix.length());
  }
}
