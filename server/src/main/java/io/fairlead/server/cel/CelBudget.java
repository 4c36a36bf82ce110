package io.fairlead.server.cel;

/// What runs may still cost. A step costs 1, a text or list that is walked a tenth of its length;
/// the numbers are those of Kubernetes. Belongs to one thread.
public final class CelBudget {
  /// The most that one run may cost.
  public static final long PER_RUN = 1_000_000;

  /// The most that all rules of one object may cost.
  public static final long PER_OBJECT = 10_000_000;

  private static final double WALK = 0.1;

  private long left;
  private long runLeft;

  public CelBudget(long total) {
    this.left = total;
    this.runLeft = PER_RUN;
  }

  /// What is left for all runs together.
  public long left() {
    return left;
  }

  void begin() {
    runLeft = PER_RUN;
  }

  void charge(long cost) {
    left -= cost;
    runLeft -= cost;
    if (left < 0 || runLeft < 0) {
      throw new CelBudgetException();
    }
  }

  void chargeWalk(long size) {
    charge((long) Math.ceil(size * WALK));
  }
}
