package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;

/// The order in which nodes are first choices for an address. Each address has another order, so
/// that addresses spread over nodes without any node knowing what the others have (rendezvous
/// hashing).
final class AnnounceRank {
  private AnnounceRank() {}

  /// Lower is better.
  static Comparator<String> of(IpAddress address) {
    return (one, other) -> Arrays.compareUnsigned(digest(address, one), digest(address, other));
  }

  /// The best of some nodes.
  static Optional<String> best(IpAddress address, Collection<String> nodes) {
    return nodes.stream().min(of(address));
  }

  static String hex(IpAddress address, String node) {
    return HexFormat.of().formatHex(digest(address, node));
  }

  private static byte[] digest(IpAddress address, String node) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest((address + "#" + node).getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
