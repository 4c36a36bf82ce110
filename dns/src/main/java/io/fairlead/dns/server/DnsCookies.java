package io.fairlead.dns.server;

import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.ImmutableBytes;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// DNS cookies (RFC 7873): a client that gets its own cookie back, with ours behind it, knows that
/// the reply comes from whom it asked. The layout is that of RFC 9018; the hash is an HMAC, which
/// the JDK has. Safe for any thread.
final class DnsCookies {
  private static final int CLIENT = 8;
  private static final int SHORTEST = 16;
  private static final int LONGEST = 40;
  private static final int VERSION = 1 << 24;
  private static final String ALGORITHM = "HmacSHA256";

  // Copied for each cookie: looking for the hash takes longer than the hash.
  private final Mac prepared;
  private final InstantSource clock;

  DnsCookies(RandomGenerator random, InstantSource clock) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    try {
      prepared = Mac.getInstance(ALGORITHM);
      prepared.init(new SecretKeySpec(bytes, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
    this.clock = clock;
  }

  /// Whether an option has the form of a cookie; anything else is a format error.
  static boolean wellFormed(EdnsOption option) {
    int length = option.data().length();
    return length == CLIENT || (length >= SHORTEST && length <= LONGEST);
  }

  /// The cookie to send back.
  Optional<EdnsOption> answer(EdnsOption asked, InetAddress client) {
    byte[] cookie = new byte[CLIENT + 16];
    System.arraycopy(asked.data().toArray(), 0, cookie, 0, CLIENT);
    ByteBuffer buffer = ByteBuffer.wrap(cookie);
    buffer.putInt(CLIENT, VERSION);
    buffer.putInt(CLIENT + 4, (int) clock.instant().getEpochSecond());
    try {
      Mac mac = (Mac) prepared.clone();
      mac.update(cookie, 0, SHORTEST);
      mac.update(client.getAddress());
      byte[] hash = Arrays.copyOf(mac.doFinal(), 8);
      System.arraycopy(hash, 0, cookie, SHORTEST, hash.length);
      return Optional.of(new EdnsOption(EdnsOption.COOKIE, ImmutableBytes.of(cookie)));
    } catch (CloneNotSupportedException _) {
      // The JDK's own can be copied; without it there would just be no cookie.
      return Optional.empty();
    }
  }
}
