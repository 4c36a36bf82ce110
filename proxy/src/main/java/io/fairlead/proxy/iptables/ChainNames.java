package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.ServicePortName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/// The names of chains that belong to service ports and endpoints. The kernel allows 28 characters,
/// too few for names of Services, so a hash stands for them: the first 16 characters of the base32
/// text of a SHA-256.
final class ChainNames {
  static final String SERVICE = "KUBE-SVC-";
  static final String LOCAL = "KUBE-SVL-";
  static final String EXTERNAL = "KUBE-EXT-";
  static final String FIREWALL = "KUBE-FW-";
  static final String ENDPOINT = "KUBE-SEP-";

  /// How the names of all chains begin that come and go with Services.
  static final List<String> PREFIXES = List.of(SERVICE, LOCAL, EXTERNAL, FIREWALL, ENDPOINT);

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int LENGTH = 16;

  private ChainNames() {}

  /// What follows the prefix in the chains of a service port.
  static String service(NameStyle style, ServicePortName name) {
    return hash(style.text(name) + name.protocol().lower());
  }

  /// What follows the prefix in the chain of an endpoint.
  ///
  /// @param endpoint its text, `10.0.0.1:80`
  static String endpoint(NameStyle style, ServicePortName name, String endpoint) {
    return hash(style.text(name) + name.protocol().lower() + endpoint);
  }

  /// Whether a chain of the nat table is one that comes and goes with Services.
  static boolean ofService(String chain) {
    return PREFIXES.stream().anyMatch(chain::startsWith);
  }

  private static String hash(String text) {
    byte[] digest = sha256(text);
    StringBuilder name = new StringBuilder(LENGTH);
    long bits = 0;
    int held = 0;
    for (int i = 0; name.length() < LENGTH; i++) {
      bits = bits << 8 | (digest[i] & 0xff);
      held += 8;
      while (held >= 5 && name.length() < LENGTH) {
        held -= 5;
        name.append(BASE32.charAt((int) (bits >>> held & 31)));
      }
    }
    return name.toString();
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
