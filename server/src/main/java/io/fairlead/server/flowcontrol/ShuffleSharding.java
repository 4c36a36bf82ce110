package io.fairlead.server.flowcontrol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/// Deals each flow a hand of queues. Two flows may share a queue, but hardly the whole hand: a flow
/// that fills its own queues leaves another one at least one that is short.
final class ShuffleSharding {
  private ShuffleSharding() {}

  /// What a flow's hand is dealt from: the same at every server and after every start.
  static long hash(String schema, String flow) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] name = schema.getBytes(UTF_8);
      // The length keeps `a` + `bc` apart from `ab` + `c`.
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).array());
      digest.update(name);
      return ByteBuffer.wrap(digest.digest(flow.getBytes(UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /// Different queues, as many as the hand holds.
  ///
  /// The hash is a number whose digits have falling bases: the first says which of all queues, the
  /// second which of those that are left, and so on.
  static int[] hand(long hash, int queues, int handSize) {
    int size = Math.min(handSize, queues);
    int[] dealt = new int[size];
    int[] sorted = new int[size];
    long rest = hash;
    for (int i = 0; i < size; i++) {
      int card = (int) Long.remainderUnsigned(rest, queues - i);
      rest = Long.divideUnsigned(rest, queues - i);
      // The card counts queues that are left: it moves up by one for each dealt one below it.
      for (int j = 0; j < i; j++) {
        if (card >= sorted[j]) {
          card++;
        }
      }
      dealt[i] = card;
      sorted[i] = card;
      Arrays.sort(sorted, 0, i + 1);
    }
    return dealt;
  }
}
