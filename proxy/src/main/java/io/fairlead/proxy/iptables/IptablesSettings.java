package io.fairlead.proxy.iptables;

/// How the iptables mode writes, apart from what the plan says.
///
/// @param accounting the kernel has the two named counters that rules refer to
/// @param dropInvalid drop packets that conntrack calls invalid; off where conntrack is liberal
///   about TCP windows
/// @param largeClusterEndpoints above that many endpoints rules lose comments and some care is
///   taken less often
public record IptablesSettings(
    NameStyle names, boolean accounting, boolean dropInvalid, int largeClusterEndpoints) {

  public static final String INVALID_COUNTER = "ct_state_invalid_dropped_pkts";
  public static final String LOCALHOST_COUNTER = "localhost_nps_accepted_pkts";

  private static final int LARGE_CLUSTER = 1000;

  public static IptablesSettings standard() {
    return new IptablesSettings(NameStyle.CURRENT, false, true, LARGE_CLUSTER);
  }

  public IptablesSettings withAccounting(boolean other) {
    return new IptablesSettings(names, other, dropInvalid, largeClusterEndpoints);
  }

  public IptablesSettings withDropInvalid(boolean other) {
    return new IptablesSettings(names, accounting, other, largeClusterEndpoints);
  }

  public IptablesSettings withNames(NameStyle other) {
    return new IptablesSettings(other, accounting, dropInvalid, largeClusterEndpoints);
  }
}
