package io.fairlead.work.testing;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Gives a reader many damaged inputs. It may read them or refuse them with the exception it is
/// documented to throw; anything else that is thrown fails, with the input.
///
/// The count is the property `fairlead.fuzz`, small where it is not set; the seed is
/// `fairlead.seed`.
public final class FuzzRun {
  /// How many inputs a run is given.
  public static final int COUNT = Integer.getInteger("fairlead.fuzz", 10_000);

  /// What the inputs follow from: the same ones every time, until another seed is asked for.
  public static final long SEED = Long.getLong("fairlead.seed", 20261116L);

  private FuzzRun() {}

  /// Texts as a corpus.
  public static List<byte[]> texts(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  /// @param refusals what the reader may throw
  /// @throws AssertionError with the seed and the input, when the reader threw something else
  public static void run(
      FuzzTarget target, List<byte[]> corpus, List<Class<? extends Exception>> refusals) {
    ByteMutator mutator = new ByteMutator(new SplittableRandom(SEED), corpus);
    int read = 0;
    for (int round = 0; round < COUNT; round++) {
      byte[] input = mutator.next();
      try {
        target.read(input);
        read++;
      } catch (Exception | StackOverflowError | OutOfMemoryError e) {
        if (refusals.stream().noneMatch(expected -> expected.isInstance(e))) {
          throw new AssertionError(
              "seed " + SEED + ", round " + round + ", " + HexFormat.of().formatHex(input), e);
        }
      }
    }
    if (read == COUNT && COUNT > 1000) {
      throw new AssertionError("nothing was refused: the reader checks nothing");
    }
  }
}
