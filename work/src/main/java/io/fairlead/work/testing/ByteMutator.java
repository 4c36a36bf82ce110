package io.fairlead.work.testing;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// Damages valid input: flips, cuts, repeats, joins two, writes numbers that lengths and counts are
/// likely to fail on, or makes noise.
public final class ByteMutator {
  private static final int[] NUMBERS = {0, 1, 0x7f, 0x80, 0xff, 0xfe, 0xc0, 0x40, '\n', '"', '{'};
  private static final int LONGEST = 1 << 16;

  private final RandomGenerator random;
  private final List<byte[]> corpus;

  /// @param corpus valid inputs, at least one
  public ByteMutator(RandomGenerator random, List<byte[]> corpus) {
    this.random = random;
    this.corpus = List.copyOf(corpus);
  }

  private byte[] any() {
    return corpus.get(random.nextInt(corpus.size()));
  }

  /// The next input, often damaged in several ways at once.
  public byte[] next() {
    byte[] bytes = any().clone();
    for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
      bytes = damage(bytes);
    }
    return bytes;
  }

  private byte[] damage(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(7)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) NUMBERS[random.nextInt(NUMBERS.length)];
      case 2 -> bytes[at] = (byte) random.nextInt();
      case 3 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 4 -> {
        int end = Math.min(bytes.length, at + 4);
        Arrays.fill(bytes, at, end, (byte) NUMBERS[random.nextInt(NUMBERS.length)]);
      }
      case 5 -> {
        return joined(bytes, at, any());
      }
      default -> {
        return joined(bytes, at, Arrays.copyOfRange(bytes, random.nextInt(at + 1), bytes.length));
      }
    }
    return bytes;
  }

  /// The beginning of one, then all of another.
  private static byte[] joined(byte[] first, int length, byte[] second) {
    byte[] both = Arrays.copyOf(first, Math.min(LONGEST, length + second.length));
    System.arraycopy(second, 0, both, length, both.length - length);
    return both;
  }
}
