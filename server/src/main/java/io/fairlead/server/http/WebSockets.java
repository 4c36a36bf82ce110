package io.fairlead.server.http;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/// The WebSocket side of the server: each upgraded connection gets a virtual thread that talks.
public final class WebSockets {
  private static final String TOKEN_PROTOCOL = "base64url.bearer.authorization.k8s.io.";

  private final ServerWebSocketContainer container;

  WebSockets(Server server) {
    container = ServerWebSocketContainer.ensure(server);
    // A watch may be silent for long; its own time-out ends it.
    container.setIdleTimeout(Duration.ofHours(2));
    container.setMaxTextMessageSize(64 << 10);
    container.setMaxBinaryMessageSize(64 << 10);
  }

  /// What the server says on one connection.
  public interface Conversation {
    /// Runs until there is nothing more to say or the peer is gone; the connection closes then.
    void run(Outbox outbox) throws Exception;
  }

  /// Sends text messages. Belongs to the conversation's thread.
  public static final class Outbox {
    private final Session session;

    private Outbox(Session session) {
      this.session = session;
    }

    public boolean isOpen() {
      return session.isOpen();
    }

    /// Sends one message and waits until it is on its way, so that a slow peer slows only its own
    /// conversation. Given up when `isHopeless` says so, which is asked every second.
    public void send(String text, BooleanSupplier isHopeless)
        throws java.io.IOException, InterruptedException {
      var done = new org.eclipse.jetty.websocket.api.Callback.Completable();
      session.sendText(text, done);
      Patience.await(done, isHopeless);
    }
  }

  boolean upgrade(
      Request request, Response response, Callback callback, Conversation conversation) {
    return container.upgrade(
        (upgradeRequest, upgradeResponse, _) -> {
          String chosen = subprotocol(upgradeRequest.getSubProtocols());
          if (chosen != null) {
            upgradeResponse.setAcceptedSubProtocol(chosen);
          }
          return new Talker(conversation);
        },
        request,
        response,
        callback);
  }

  /// The first protocol that is not a disguised bearer token, or null.
  private static @Nullable String subprotocol(List<String> offered) {
    for (String protocol : offered) {
      if (!protocol.startsWith(TOKEN_PROTOCOL)) {
        return protocol;
      }
    }
    return null;
  }

  /// What the client says is ignored; what the conversation says is sent.
  public static final class Talker extends Session.Listener.AbstractAutoDemanding {
    private final Conversation conversation;

    private Talker(Conversation conversation) {
      this.conversation = conversation;
    }

    @Override
    public void onWebSocketOpen(Session session) {
      super.onWebSocketOpen(session);
      Thread.ofVirtual().name("websocket").start(() -> talk(session));
    }

    /// A broken connection is noticed where something is sent.
    @Override
    public void onWebSocketError(Throwable cause) {}

    private void talk(Session session) {
      try {
        conversation.run(new Outbox(session));
        session.close(1000, "", org.eclipse.jetty.websocket.api.Callback.NOOP);
      } catch (Exception e) {
        session.disconnect();
      }
    }
  }
}
