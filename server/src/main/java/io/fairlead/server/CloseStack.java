package io.fairlead.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What has been opened so far, closed in reverse order: at the end, or when a start fails halfway.
/// One thread adds; closing is safe from any.
final class CloseStack implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CloseStack.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  synchronized <T extends AutoCloseable> T add(T resource) {
    opened.push(resource);
    return resource;
  }

  /// Closes everything because of that failure, which gets to know what cannot be closed.
  void closeAfter(Throwable cause) {
    for (AutoCloseable next = pop(); next != null; next = pop()) {
      try {
        next.close();
      } catch (Exception e) {
        cause.addSuppressed(e);
      }
    }
  }

  /// Closes everything. What cannot be closed is logged. Idempotent.
  @Override
  public void close() {
    for (AutoCloseable next = pop(); next != null; next = pop()) {
      try {
        next.close();
      } catch (Exception e) {
        log.atWarn().setCause(e).log("could not be closed");
      }
    }
  }

  private synchronized @Nullable AutoCloseable pop() {
    return opened.poll();
  }
}
