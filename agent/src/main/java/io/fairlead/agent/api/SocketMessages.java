package io.fairlead.agent.api;

import io.fairlead.agent.stream.Messages;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/// A WebSocket as messages. The next part of a message is asked for only when the one before was
/// taken, so nothing piles up here.
public final class SocketMessages implements Session.Listener, Messages {
  private static final int NORMAL = 1000;
  private static final Duration FAREWELL = Duration.ofSeconds(30);

  private final Function<Messages, Receiver> opened;
  private volatile @Nullable Session session;
  private volatile @Nullable Receiver receiver;

  SocketMessages(Function<Messages, Receiver> opened) {
    this.opened = opened;
  }

  @Override
  public void onWebSocketOpen(Session now) {
    session = now;
    receiver = opened.apply(this);
    now.demand();
  }

  @Override
  public void onWebSocketPartialBinary(ByteBuffer payload, boolean last, Callback callback) {
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    callback.succeed();
    Thread.ofVirtual().name("websocket").start(() -> deliver(bytes, last));
  }

  private void deliver(byte[] bytes, boolean last) {
    Session now = session;
    Receiver to = receiver;
    if (now == null || to == null) {
      return;
    }
    try {
      to.part(bytes, last);
      now.demand();
    } catch (IOException e) {
      to.gone(e);
      now.disconnect();
    }
  }

  /// No protocol of ours has text; who sends it anyway is not understood.
  @Override
  public void onWebSocketPartialText(String payload, boolean last) {
    Session now = session;
    if (now != null) {
      now.close(1003, "binary messages only", Callback.NOOP);
    }
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    gone(cause);
  }

  @Override
  public void onWebSocketClose(int code, String reason, Callback callback) {
    callback.succeed();
    gone(null);
  }

  private void gone(@Nullable Throwable why) {
    Receiver to = receiver;
    if (to != null) {
      // May end processes and wait for locks: nothing for a thread of the server.
      Thread.ofVirtual().name("websocket end").start(() -> to.gone(why));
    }
  }

  @Override
  public void send(byte[] message) throws IOException {
    Session now = session;
    if (now == null || !now.isOpen()) {
      throw new IOException("the WebSocket is closed");
    }
    Callback.Completable sent = new Callback.Completable();
    now.sendBinary(ByteBuffer.wrap(message), sent);
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new IOException("the user is gone", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a user was waited for");
    }
  }

  @Override
  public void close() {
    Session now = session;
    if (now != null && now.isOpen()) {
      // A client that does not answer the farewell is not waited for as long as a silent one.
      now.setIdleTimeout(FAREWELL);
      now.close(NORMAL, "", Callback.NOOP);
    }
  }
}
