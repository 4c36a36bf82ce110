package io.fairlead.server.resources.config;

import java.nio.charset.StandardCharsets;

/// Says what is wrong with the certificate and key of a TLS Secret, in the words of Go's
/// `crypto/tls`.
final class TlsPairCheck {
  private static final String NO_PEM = "tls: failed to find any PEM data in %s input";

  private TlsPairCheck() {}

  /// The problem, or nothing when the pair can be used.
  static String problem(byte[] certificate, byte[] key) {
    if (!isPem(certificate)) {
      return NO_PEM.formatted("certificate");
    }
    if (!isPem(key)) {
      return NO_PEM.formatted("key");
    }
    return "";
  }

  private static boolean isPem(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains("-----BEGIN ");
  }
}
