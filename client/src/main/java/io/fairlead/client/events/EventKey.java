package io.fairlead.client.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// What some words are recognized by: a digest of them, so that thousands of events can be
/// remembered without their texts.
record EventKey(long high, long low) {
  static EventKey of(String... words) {
    MessageDigest digest = digest();
    for (String word : words) {
      byte[] bytes = word.getBytes(UTF_8);
      // The length keeps "ab", "c" apart from "a", "bc".
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      digest.update(bytes);
    }
    ByteBuffer result = ByteBuffer.wrap(digest.digest());
    return new EventKey(result.getLong(), result.getLong());
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
