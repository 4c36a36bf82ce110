package io.fairlead.proxy.userspace.relay;

import org.jspecify.annotations.Nullable;

/// The UDP conversations of a loop, the one idle longest first. All end after the same idle time,
/// so a list is enough: a session with traffic goes to its end. Owned by the loop's thread.
final class UdpSessionTable {
  private final long idle;
  private final int most;
  private @Nullable UdpSession oldest;
  private @Nullable UdpSession newest;
  private int count;

  /// @param idle nanoseconds
  UdpSessionTable(long idle, int most) {
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

  void add(UdpSession conversation, long now) {
    if (count == most && oldest != null) {
      oldest.end();
    }
    append(conversation, now);
    count++;
  }

  void touch(UdpSession conversation, long now) {
    unlink(conversation);
    append(conversation, now);
  }

  void remove(UdpSession conversation) {
    unlink(conversation);
    count--;
  }

  private void append(UdpSession conversation, long now) {
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

  private void unlink(UdpSession conversation) {
    UdpSession before = conversation.older;
    UdpSession after = conversation.newer;
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
