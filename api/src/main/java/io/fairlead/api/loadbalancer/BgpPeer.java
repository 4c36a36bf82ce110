package io.fairlead.api.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.selector.LabelSelector;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A router that nodes announce load balancer addresses to.
///
/// @param asn the router's autonomous system
/// @param myAsn the nodes' own
/// @param passwordSecret the Secret `NAMESPACE/NAME` whose key `password` signs the session; empty
///   for none
/// @param holdSeconds how long the session outlives silence
/// @param bfd whether the failure of a node is detected by BFD
/// @param nodeSelector which nodes talk to it
/// @param ebgpMultihop how many hops away it may be; 0 for directly connected
/// @param communities attached to each route
/// @param localPref the local preference of each route; 0 for the router's default
public record BgpPeer(
    String name,
    IpAddress address,
    long asn,
    long myAsn,
    String passwordSecret,
    int holdSeconds,
    int keepaliveSeconds,
    boolean bfd,
    LabelSelector nodeSelector,
    int ebgpMultihop,
    List<Community> communities,
    int localPref) {
  public static final int HOLD_SECONDS = 9;
  public static final int KEEPALIVE_SECONDS = 3;

  /// RFC 4271 allows no shorter one.
  static final int LEAST_HOLD_SECONDS = 3;

  /// Names become part of those in a router's configuration, which have a limit.
  static final int LONGEST_NAME = 40;

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

  /// A number that routers select routes by (RFC 1997).
  public record Community(int high, int low) {
    private static final int MOST = 0xffff;
    private static final Pattern FORM = Pattern.compile("(\\d{1,5}):(\\d{1,5})");

    public Community {
      if (high < 0 || high > MOST || low < 0 || low > MOST) {
        throw new IllegalArgumentException("no community: " + high + ":" + low);
      }
    }

    /// Reads `65000:100`; empty when it is none.
    static Optional<Community> of(String text) {
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        return Optional.empty();
      }
      int high = Integer.parseInt(parts.group(1));
      int low = Integer.parseInt(parts.group(2));
      return high <= MOST && low <= MOST ? Optional.of(new Community(high, low)) : Optional.empty();
    }

    @Override
    public String toString() {
      return high + ":" + low;
    }
  }

  public BgpPeer {
    communities = List.copyOf(communities);
    if (!isName(name)) {
      throw new IllegalArgumentException("no name of a peer: " + name);
    }
  }

  /// Lower-case letters, digits and hyphens, 40 at most.
  public static boolean isName(String text) {
    return text.length() <= LONGEST_NAME && NAME.matcher(text).matches();
  }
}
