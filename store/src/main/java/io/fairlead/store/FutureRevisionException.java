package io.fairlead.store;

/// The store has not reached the asked revision.
public final class FutureRevisionException extends StoreException {
  private static final long serialVersionUID = 1L;
  private final long current;

  public FutureRevisionException(long asked, long current) {
    super("revision " + asked + " is in the future; the store is at " + current, null);
    this.current = current;
  }

  public long current() {
    return current;
  }
}
