package io.fairlead.kernel.route;

/// An Ethernet interface, as a program needs it that speaks on its network.
///
/// @param flags `IFF_...` of linux/if.h
public record EthernetLink(Link link, HardwareAddress hardware, int flags) {
  private static final int UP = 0x1;
  private static final int BROADCAST = 0x2;
  private static final int LOOPBACK = 0x8;
  private static final int RUNNING = 0x40;
  private static final int NO_ARP = 0x80;
  private static final int NEEDED = UP | BROADCAST | RUNNING;

  /// Whether neighbours on its network ask through it for addresses of this machine: it is up, has
  /// a carrier, and belongs to no bridge or bond, whose master is asked then.
  public boolean resolvesNeighbours() {
    return (flags & NEEDED) == NEEDED && (flags & (LOOPBACK | NO_ARP)) == 0 && link.master() == 0;
  }
}
