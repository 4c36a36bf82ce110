package io.fairlead.bench.report;

/// How good a figure must be.
///
/// @param id its name in the table of goals, `A1`
/// @param what the measurement, `create-16`
/// @param figure the figure of it, `per_second`
/// @param bound the least (or most) it may be
/// @param atLeast whether more is better
public record Goal(String id, String what, String figure, double bound, boolean atLeast) {
  public static Goal atLeast(String id, String what, String figure, double bound) {
    return new Goal(id, what, figure, bound, true);
  }

  public static Goal atMost(String id, String what, String figure, double bound) {
    return new Goal(id, what, figure, bound, false);
  }

  boolean met(double value) {
    return atLeast ? value >= bound : value <= bound;
  }
}
