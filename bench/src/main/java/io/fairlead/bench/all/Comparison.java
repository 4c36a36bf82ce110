package io.fairlead.bench.all;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One row of the page: a figure of ours beside the same figure of an original.
///
/// @param english what is measured
/// @param chinese the same
/// @param unit of both figures
record Comparison(String english, String chinese, FigureUnit unit, Series ours, Series original) {

  /// Where a figure is found among those of a part.
  record Series(String who, String what, String figure) {}

  /// Both medians, and how many times better ours is: the ratio is formed inside each round before
  /// its median is taken.
  record Outcome(double ours, double original, double better) {}

  static Comparison of(
      String english, String chinese, FigureUnit unit, String what, String figure, String... who) {
    return new Comparison(
        english, chinese, unit, new Series(who[0], what, figure), new Series(who[1], what, figure));
  }

  /// Empty where one of them was not measured.
  Optional<Outcome> outcome(List<PartFigures> parts) {
    List<Double> mine = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (PartFigures part : parts) {
      List<Double> first = part.values(ours);
      List<Double> second = part.values(original);
      for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
        mine.add(first.get(i));
        theirs.add(second.get(i));
        ratios.add(unit.better(first.get(i), second.get(i)));
      }
    }
    return mine.isEmpty()
        ? Optional.empty()
        : Optional.of(new Outcome(median(mine), median(theirs), median(ratios)));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
