package io.fairlead.api.names;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the known name that a mistyped one most likely means.
public final class NearestName {
  private NearestName() {}

  /// The closest of the names, unless even that one is nothing like what was typed.
  public static Optional<String> to(String typed, Stream<String> known) {
    record Candidate(String name, int distance) {}
    return known
        .map(name -> new Candidate(name, distance(typed, name)))
        .filter(candidate -> candidate.distance() <= Math.max(2, typed.length() / 3))
        // As many changes as letters: nothing of what was typed is left.
        .filter(candidate -> candidate.distance() < Math.max(1, typed.length()))
        .min(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
        .map(Candidate::name);
  }

  /// Edits (insert, delete, replace, swap of neighbours) that turn one text into the other.
  static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        edits[i][j] = i == 0 ? j : j == 0 ? i : step(edits, a, b, i, j);
      }
    }
    return edits[a.length()][b.length()];
  }

  private static int step(int[][] edits, String a, String b, int i, int j) {
    int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int best = Math.min(edits[i - 1][j - 1] + same, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
  }
}
