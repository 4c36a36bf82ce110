package io.fairlead.store;

/// History at the asked revision is gone.
public final class CompactedException extends StoreException {
  private static final long serialVersionUID = 1L;
  private final long asked;
  private final long compacted;

  public CompactedException(long asked, long compacted) {
    super("revision " + asked + " is compacted; history begins after " + compacted, null);
    this.asked = asked;
    this.compacted = compacted;
  }

  public long asked() {
    return asked;
  }

  /// History up to and including this revision is gone.
  public long compacted() {
    return compacted;
  }
}
