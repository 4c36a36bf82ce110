package io.fairlead.app.command;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;

/// How to apply an example whose Service has a fixed address, which lies in the range that `up`
/// uses when nothing is said.
final class ExampleAddresses {
  private static final IpAddress FIXED = IpAddress.parse("10.96.1.175");
  private static final int TWO_BYTES = 16;

  private ExampleAddresses() {}

  /// The command, for these service ranges: as the file is, with the same address in the range that
  /// runs, or without an address.
  static String apply(String file, List<String> ranges) {
    Cidr range = Cidr.parse(ranges.getFirst()).masked();
    if (range.contains(FIXED)) {
      return "kubectl apply -f " + file;
    }
    if (range.address().isIpv4() && range.prefixLength() <= TWO_BYTES) {
      String[] bytes = range.address().toString().split("\\.");
      return "sed s/10.96/" + bytes[0] + "." + bytes[1] + "/ " + file + " | kubectl apply -f -";
    }
    return "grep -v 'clusterIP: 10.96' " + file + " | kubectl apply -f -";
  }
}
