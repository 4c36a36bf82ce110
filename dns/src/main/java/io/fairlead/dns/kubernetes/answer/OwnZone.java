package io.fairlead.dns.kubernetes.answer;

import io.fairlead.dns.wire.Name;

/// One zone the plugin answers for.
///
/// @param fallthrough names that do not exist are left to the next plugin
public record OwnZone(Name name, int labels, boolean reverse, boolean fallthrough) {
  private static final Name IPV4 = Name.of("in-addr.arpa.");
  private static final Name IPV6 = Name.of("ip6.arpa.");

  public static OwnZone of(Name name, boolean fallthrough) {
    return new OwnZone(
        name, name.labelCount(), name.isUnder(IPV4) || name.isUnder(IPV6), fallthrough);
  }
}
