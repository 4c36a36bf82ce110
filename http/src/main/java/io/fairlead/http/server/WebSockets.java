package io.fairlead.http.server;

import io.fairlead.work.Tasks;
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

  WebSockets(Server server, Duration idle) {
    container = ServerWebSocketContainer.ensure(server);
    container.setIdleTimeout(idle);
    container.setMaxTextMessageSize(64 << 10);
    container.setMaxBinaryMessageSize(64 << 10);
  }

  /// What the server says on one connection.
  public interface MessageProducer {
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
    /// conversation. Given up when `isOverdue` says so, which is asked every second.
    public void send(String text, BooleanSupplier isOverdue)
        throws java.io.IOException, InterruptedException {
      var done = new org.eclipse.jetty.websocket.api.Callback.Completable();
      session.sendText(text, done);
      WriteTimeout.await(done, isOverdue);
    }
  }

  boolean upgrade(
      Request request, Response response, Callback callback, MessageProducer conversation) {
    return container.upgrade(
        (upgradeRequest, upgradeResponse, _) -> {
          String chosen = subprotocol(upgradeRequest.getSubProtocols());
          if (chosen != null) {
            upgradeResponse.setAcceptedSubProtocol(chosen);
          }
          return new WebSocketSender(conversation);
        },
        request,
        response,
        callback);
  }

  boolean upgrade(
      Request request,
      Response response,
      Callback callback,
      String protocol,
      Session.Listener listener) {
    return container.upgrade(
        (_, answer, _) -> {
          if (!protocol.isEmpty()) {
            answer.setAcceptedSubProtocol(protocol);
          }
          return listener;
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
  public static final class WebSocketSender extends Session.Listener.AbstractAutoDemanding {
    private final MessageProducer conversation;

    private WebSocketSender(MessageProducer conversation) {
      this.conversation = conversation;
    }

    @Override
    public void onWebSocketOpen(Session session) {
      super.onWebSocketOpen(session);
      Tasks.start("websocket", () -> talk(session));
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
