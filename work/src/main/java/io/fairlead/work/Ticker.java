package io.fairlead.work;

/// A clock that only goes forward, for measuring how long something takes. Its zero means nothing.
@FunctionalInterface
public interface Ticker {
  long nanos();

  static Ticker system() {
    return System::nanoTime;
  }
}
