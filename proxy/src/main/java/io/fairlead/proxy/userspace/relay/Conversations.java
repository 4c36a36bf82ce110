package io.fairlead.proxy.userspace.relay;

import org.jspecify.annotations.Nullable;

/// The UDP conversations of a loop, the one idle longest first. All end after the same idle time,
/// so a list is enough: whoever speaks goes to its end. Owned by the loop's thread.
final class Conversations {
  private final long idle;
  private final int most;
  private @Nullable Conversation oldest;
  private @Nullable Conversation newest;
  private int count;

  /// @param idle nanoseconds
  Conversations(long idle, int most) {
    this.idle = idle;
    this.most = most;
  }

  boolean isEmpty() {
    return oldest == null;
  }

  /// When the first of them ends, if it stays silent.
  long nextEnd() {
    return oldest == null ? Long.MAX_VALUE : oldest.lastUsed + idle;
  }

  void add(Conversation conversation, long now) {
    if (count == most && oldest != null) {
      oldest.end();
    }
    append(conversation, now);
    count++;
  }

  void touch(Conversation conversation, long now) {
    unlink(conversation);
    append(conversation, now);
  }

  void remove(Conversation conversation) {
    unlink(conversation);
    count--;
  }

  private void append(Conversation conversation, long now) {
    conversation.lastUsed = now;
    conversation.older = newest;
    conversation.newer = null;
    if (newest == null) {
      oldest = conversation;
    } else {
      newest.newer = conversation;
    }
    newest = conversation;
  }

  private void unlink(Conversation conversation) {
    Conversation before = conversation.older;
    Conversation after = conversation.newer;
    if (before == null) {
      oldest = after;
    } else {
      before.newer = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.older = before;
    }
  }

  void expire(long now) {
    while (oldest != null && oldest.lastUsed + idle - now <= 0) {
      oldest.end();
    }
  }
}
