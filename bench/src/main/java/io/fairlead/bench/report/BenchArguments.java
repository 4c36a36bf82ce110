package io.fairlead.bench.report;

import java.util.List;

/// How a benchmark was called: `[rounds [size...]] [part...] [--smoke] [--check]`.
public record BenchArguments(List<String> words) {
  public BenchArguments {
    words = List.copyOf(words);
  }

  public static BenchArguments of(String[] words) {
    return new BenchArguments(List.of(words));
  }

  /// Only to see that it works, in sizes that say nothing.
  public boolean smoke() {
    return words.contains("--smoke");
  }

  private List<Integer> numbers() {
    return words.stream().filter(word -> word.matches("[0-9]+")).map(Integer::valueOf).toList();
  }

  /// @param usual how many there are by default
  public int rounds(int usual) {
    return numbers().stream().findFirst().orElse(smoke() ? 1 : usual);
  }

  /// The numbers after the rounds; often none.
  public List<Integer> sizes() {
    return numbers().stream().skip(1).toList();
  }

  /// A report on standard output; without goals when sizes say nothing.
  public Report report(List<Goal> goals) {
    return new Report(System.out, smoke() ? List.of() : goals);
  }

  /// Ends the program: with 1 when goals were to be met and were not.
  public void exit(boolean met) {
    System.exit(words.contains("--check") && !met ? 1 : 0);
  }
}
