package io.fairlead.http.server;

import io.fairlead.work.Tasks;
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
public final class WebSocketMessageConnection implements Session.Listener, MessageConnection {
  private static final int NORMAL = 1000;
  private static final Duration FAREWELL = Duration.ofSeconds(30);

  private final Function<MessageConnection, Receiver> opened;
  private volatile @Nullable Session session;
  private volatile @Nullable Receiver receiver;

  WebSocketMessageConnection(Function<MessageConnection, Receiver> opened) {
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
    Tasks.start("websocket", () -> deliver(to -> to.part(bytes, last)));
  }

  private interface Delivery {
    void to(Receiver receiver) throws IOException;
  }

  private void deliver(Delivery part) {
    Session now = session;
    Receiver to = receiver;
    if (now == null || to == null) {
      return;
    }
    try {
      part.to(to);
      now.demand();
    } catch (IOException | RuntimeException e) {
      to.gone(e);
      now.disconnect();
    }
  }

  /// Text where the protocol has none: the connection is closed with "unsupported data".
  @Override
  public void onWebSocketPartialText(String payload, boolean last) {
    Session now = session;
    Receiver to = receiver;
    if (to != null && to.takesText()) {
      Tasks.start("websocket", () -> deliver(receiving -> receiving.text(payload, last)));
    } else if (now != null) {
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
      Tasks.start("websocket end", () -> to.gone(why));
    }
  }

  @Override
  public void send(byte[] message) throws IOException {
    Callback.Completable sent = new Callback.Completable();
    open().sendBinary(ByteBuffer.wrap(message), sent);
    await(sent);
  }

  @Override
  public void sendText(String message) throws IOException {
    Callback.Completable sent = new Callback.Completable();
    open().sendText(message, sent);
    await(sent);
  }

  private Session open() throws IOException {
    Session now = session;
    if (now == null || !now.isOpen()) {
      throw new IOException("the WebSocket is closed");
    }
    return now;
  }

  private static void await(Callback.Completable sent) throws IOException {
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new IOException("the client is gone", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a client was waited for");
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
