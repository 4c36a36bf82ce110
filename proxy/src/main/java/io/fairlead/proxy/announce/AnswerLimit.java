package io.fairlead.proxy.announce;

/// At most a thousand answers a second on an interface; what is more is dropped, and the asker asks
/// again. Owned by the thread that hears the interface's frames.
final class AnswerLimit {
  private static final long PER_SECOND = 1000;
  private static final long SECOND = 1_000_000_000L;
  private static final long EACH = SECOND / PER_SECOND;

  // The moment at which the next answer would be due if all came evenly.
  private long due;
  private boolean used;

  boolean allows(long now) {
    long earliest = now - SECOND;
    if (!used || due - earliest < 0) {
      due = earliest;
      used = true;
    }
    if (due - now > 0) {
      return false;
    }
    due += EACH;
    return true;
  }
}
