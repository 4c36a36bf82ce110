package io.fairlead.kernel.route;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// An address and how many of its first bits count: `10.1.0.1/24`.
public record IpPrefix(InetAddress address, int length) {
  public IpPrefix {
    if (length < 0 || length > address.getAddress().length * 8) {
      throw new IllegalArgumentException(
          address.getHostAddress() + "/" + length + ": no such length");
    }
  }

  /// Reads `10.1.0.1/24`, `fd00::1/64`, or an address alone, which stands for itself.
  public static IpPrefix parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    // A name would be looked up, which is not what anybody wants here.
    if (!address.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
      throw new IllegalArgumentException(text + ": not an address");
    }
    try {
      InetAddress parsed = InetAddress.getByName(address);
      int all = parsed.getAddress().length * 8;
      return new IpPrefix(parsed, slash < 0 ? all : Integer.parseInt(text.substring(slash + 1)));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(text + ": not an address", e);
    }
  }

  int family() {
    return address.getAddress().length == 4 ? Rtnetlink.IPV4 : Rtnetlink.IPV6;
  }

  @Override
  public String toString() {
    return address.getHostAddress() + "/" + length;
  }
}
