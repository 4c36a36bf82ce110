package io.fairlead.dns.corefile;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.List;

/// The zones of the reverse tree that hold a range of addresses.
///
/// The tree has a label for every 8 bits of an IPv4 and every 4 bits of an IPv6 address. A range
/// that ends between two labels becomes one zone for each value of the label that it cuts.
public final class ReverseZones {
  private static final int IPV4_STEP = 8;
  private static final int IPV6_STEP = 4;

  private ReverseZones() {}

  public static List<String> of(Cidr range) {
    boolean ipv4 = range.family() == IpAddress.Family.IPV4;
    int step = ipv4 ? IPV4_STEP : IPV6_STEP;
    int labels = (range.prefixLength() + step - 1) / step;
    int free = labels * step - range.prefixLength();
    byte[] address = range.first().toBytes();
    List<String> zones = new ArrayList<>();
    for (int i = 0; i < 1 << free; i++) {
      StringBuilder zone = new StringBuilder();
      for (int label = labels - 1; label >= 0; label--) {
        int value = ipv4 ? address[label] & 0xff : nibble(address, label);
        int shown = label == labels - 1 ? value + i : value;
        zone.append(ipv4 ? Integer.toString(shown) : Integer.toHexString(shown)).append('.');
      }
      zones.add(zone.append(ipv4 ? "in-addr.arpa." : "ip6.arpa.").toString());
    }
    return zones;
  }

  private static int nibble(byte[] address, int index) {
    int octet = address[index / 2] & 0xff;
    return index % 2 == 0 ? octet >> 4 : octet & 0xf;
  }
}
