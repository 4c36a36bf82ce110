package io.fairlead.api.loadbalancer;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;

/// Consecutive addresses of one family, both ends included.
public record PoolRange(IpAddress first, IpAddress last) implements Comparable<PoolRange> {
  /// @throws IllegalArgumentException when the ends are of two families or in the wrong order
  public PoolRange {
    if (first.family() != last.family()) {
      throw new IllegalArgumentException(
          first + "-" + last + " mixes IPv4 and IPv6: give one range for each");
    }
    if (first.compareTo(last) > 0) {
      throw new IllegalArgumentException(first + "-" + last + " ends before it begins");
    }
  }

  public static PoolRange of(Cidr cidr) {
    return new PoolRange(cidr.masked().first(), cidr.last());
  }

  public static PoolRange of(IpAddress address) {
    return new PoolRange(address, address);
  }

  /// Reads `192.168.1.240-192.168.1.250`, `192.168.2.0/28` or one address.
  ///
  /// @throws IllegalArgumentException with the text at fault
  public static PoolRange parse(String text) {
    String plain = text.strip();
    int dash = plain.indexOf('-');
    if (dash >= 0) {
      return new PoolRange(
          address(plain.substring(0, dash), plain), address(plain.substring(dash + 1), plain));
    }
    if (plain.indexOf('/') < 0) {
      return of(address(plain, plain));
    }
    Cidr cidr = Cidr.parseOrNull(plain);
    if (cidr == null) {
      throw new IllegalArgumentException("\"" + plain + "\" is no CIDR, such as 192.168.2.0/28");
    }
    return of(cidr);
  }

  private static IpAddress address(String text, String range) {
    IpAddress address = IpAddress.parseOrNull(text.strip());
    if (address == null) {
      throw new IllegalArgumentException(
          "\""
              + range
              + "\" is no range: write FIRST-LAST or a CIDR, such as 192.168.1.240-192.168.1.250");
    }
    return address;
  }

  public IpAddress.Family family() {
    return first.family();
  }

  public boolean contains(IpAddress address) {
    return address.family() == first.family()
        && first.compareTo(address) <= 0
        && address.compareTo(last) <= 0;
  }

  public boolean overlaps(PoolRange other) {
    return family() == other.family()
        && first.compareTo(other.last) <= 0
        && other.first.compareTo(last) <= 0;
  }

  /// How many addresses, at most `Long.MAX_VALUE`.
  public long size() {
    long distance = first.distanceTo(last);
    return distance == Long.MAX_VALUE ? distance : distance + 1;
  }

  @Override
  public int compareTo(PoolRange other) {
    int byFirst = first.compareTo(other.first);
    return byFirst != 0 ? byFirst : last.compareTo(other.last);
  }

  @Override
  public String toString() {
    return first.equals(last) ? first.toString() : first + "-" + last;
  }
}
