package io.fairlead.proxy.core;

import io.fairlead.api.net.IpAddress;
import java.util.Comparator;
import java.util.Set;

/// One endpoint of a service port with the facts that decide whether it is used.
///
/// @param local it is on this node
/// @param ready it takes traffic
/// @param serving it still answers, even when it is terminating
/// @param zones the zones it is hinted to; empty for no hint
/// @param nodes the nodes it is hinted to; empty for no hint
public record Backend(
    IpAddress address,
    int port,
    boolean local,
    boolean ready,
    boolean serving,
    boolean terminating,
    Set<String> zones,
    Set<String> nodes) {

  /// By [text][#text], which it does without: there are tens of thousands of them at a start.
  public static final Comparator<Backend> BY_TEXT = Backend::compareText;

  public Backend {
    zones = Set.copyOf(zones);
    nodes = Set.copyOf(nodes);
  }

  /// A ready endpoint without hints.
  public static Backend ready(IpAddress address, int port, boolean local) {
    return new Backend(address, port, local, true, true, false, Set.of(), Set.of());
  }

  /// `10.0.0.1:80` or `[fd00::1]:80`.
  public String text() {
    return address.isIpv4() ? address + ":" + port : "[" + address + "]:" + port;
  }

  private static int compareText(Backend one, Backend other) {
    if (one.address.isIpv6() || other.address.isIpv6()) {
      return one.text().compareTo(other.text());
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
      int mine = (int) (one.address.low() >>> shift) & 0xff;
      int theirs = (int) (other.address.low() >>> shift) & 0xff;
      if (mine != theirs) {
        // A dot is less than any digit, the colon in front of the port is more.
        return compareDigits(mine, theirs, shift > 0);
      }
    }
    return compareDigits(one.port, other.port, true);
  }

  /// Compares two numbers as texts.
  ///
  /// @param shortFirst whether one that the other begins with comes first
  private static int compareDigits(int mine, int theirs, boolean shortFirst) {
    int lengthOfMine = digits(mine);
    int lengthOfTheirs = digits(theirs);
    if (lengthOfMine == lengthOfTheirs) {
      return Integer.compare(mine, theirs);
    }
    if (lengthOfMine > lengthOfTheirs) {
      return -compareDigits(theirs, mine, shortFirst);
    }
    int beginning = theirs;
    for (int length = lengthOfTheirs; length > lengthOfMine; length--) {
      beginning /= 10;
    }
    if (mine != beginning) {
      return Integer.compare(mine, beginning);
    }
    return shortFirst ? -1 : 1;
  }

  private static int digits(int number) {
    int digits = 1;
    for (int rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /// Whether it can stand in when no ready endpoint is left.
  public boolean servesWhileTerminating() {
    return serving && terminating;
  }
}
