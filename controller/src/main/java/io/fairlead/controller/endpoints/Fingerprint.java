package io.fairlead.controller.endpoints;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// Says whether two lists of subsets mean the same, in 16 bytes instead of a thousand addresses:
/// half of a SHA-256 over their repacked form, without the versions of the objects behind them.
public record Fingerprint(long high, long low) {
  /// @param subsets repacked
  static Fingerprint of(List<EndpointSubset> subsets) {
    MessageDigest digest = sha256();
    for (EndpointSubset subset : subsets) {
      digest.update(text("ready", subset.ready()));
      digest.update(text("notReady", subset.notReady()));
      digest.update(subset.ports().toString().getBytes(StandardCharsets.UTF_8));
    }
    ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
    return new Fingerprint(bytes.getLong(), bytes.getLong());
  }

  private static byte[] text(String role, List<EndpointAddress> addresses) {
    StringBuilder text = new StringBuilder(role).append(addresses.size());
    for (EndpointAddress address : addresses) {
      text.append('\n').append(address.ip());
      text.append('\t').append(address.hostname()).append('\t').append(address.nodeName());
      address.target().ifPresent(target -> target.describeTo(text));
    }
    return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
