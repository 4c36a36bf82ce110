package io.fairlead.server.pki;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/// Tells whether two key halves belong together, by signing something with one and checking it with
/// the other.
final class KeyMatch {
  private static final byte[] SAMPLE = "fairlead".getBytes(StandardCharsets.US_ASCII);

  private KeyMatch() {}

  /// The same for a key file, which may carry its public half.
  static boolean matches(PublicKey publicKey, PrivateKey privateKey, Path keyFile) {
    PublicKey half = PemCodec.publicHalf(keyFile, "a key");
    return half == null ? matches(publicKey, privateKey) : half.equals(publicKey);
  }

  static boolean matches(PublicKey publicKey, PrivateKey privateKey) {
    try {
      Signature signature = Signature.getInstance(algorithm(privateKey));
      signature.initSign(privateKey);
      signature.update(SAMPLE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(SAMPLE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // keys of different kinds
    }
  }

  private static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }
}
