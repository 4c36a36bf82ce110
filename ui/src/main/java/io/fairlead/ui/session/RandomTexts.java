package io.fairlead.ui.session;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/// Secrets of 32 random bytes as text, and what is kept of one: its hash.
public final class RandomTexts {
  private static final int BYTES = 32;

  private final RandomGenerator random;

  /// @param random must not be guessable
  public RandomTexts(RandomGenerator random) {
    this.random = random;
  }

  String next() {
    byte[] bytes = new byte[BYTES];
    synchronized (random) {
      random.nextBytes(bytes);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /// A short one that is no secret, for what must differ between processes.
  public String mark() {
    byte[] bytes = new byte[4];
    synchronized (random) {
      random.nextBytes(bytes);
    }
    return HexFormat.of().formatHex(bytes);
  }

  static String hash(String secret) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whether two texts are the same, in a time that does not tell where they differ.
  static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
