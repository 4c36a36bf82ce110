package io.fairlead.server.resources.network;

import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resources.kind.Problems;

/// Addresses that mean something else on every machine are no use to others.
public final class AddressChecks {
  private AddressChecks() {}

  /// Bans unspecified, loopback, link-local and multicast addresses, looked at through every way to
  /// write them. Text that is no address is reported too.
  public static void checkReachable(String text, String path, Problems problems) {
    IpAddress address = IpAddress.parseLenientOrNull(text);
    if (address == null) {
      problems.invalid(path, text, "must be a valid IP address");
      return;
    }
    if (address.isUnspecified()) {
      problems.invalid(path, text, "may not be unspecified (" + text + ")");
    }
    if (address.isLoopback()) {
      problems.invalid(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
    }
    if (address.isLinkLocalUnicast()) {
      problems.invalid(
          path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
    if (address.isLinkLocalMulticast()) {
      problems.invalid(
          path, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    } else if (address.isMulticast()) {
      problems.invalid(path, text, "may not be in the multicast range (224.0.0.0/4, ff00::/8)");
    }
  }
}
