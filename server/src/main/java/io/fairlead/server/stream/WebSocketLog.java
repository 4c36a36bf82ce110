package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.MessageConnection;
import io.fairlead.server.auth.WebSocketBearer;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A container's output for clients that ask by WebSocket: its bytes as messages, cut where they
/// came, binary or as text in Base64.
final class WebSocketLog implements MessageConnection.Receiver {
  private static final String BINARY = "binary.k8s.io";
  private static final String BASE64 = "base64.binary.k8s.io";
  private static final int BUFFER = 32 << 10;

  private final UpgradeAwareProxy relay;

  private WebSocketLog(UpgradeAwareProxy relay) {
    this.relay = relay;
  }

  /// @param relay has asked the node
  /// @param offered the client's protocols
  /// @throws ApiException when the node refuses, or the client speaks something else
  static void serve(
      HttpServerExchange exchange, UpgradeAwareProxy relay, String node, List<String> offered)
      throws IOException {
    List<String> protocols = WebSocketBearer.of(offered).protocols();
    String protocol =
        protocols.contains(BINARY) ? BINARY : protocols.contains(BASE64) ? BASE64 : "";
    if (protocol.isEmpty() && !protocols.isEmpty()) {
      throw ApiException.badRequest(
          "a log is sent as " + BINARY + " or " + BASE64 + ", not as " + protocols);
    }
    InputStream body = relay.nodeBody(node);
    boolean upgraded =
        exchange.upgrade(
            protocol,
            messages -> {
              Tasks.start("websocket log", () -> copy(body, messages, protocol, relay));
              return new WebSocketLog(relay);
            });
    if (!upgraded) {
      throw ApiException.badRequest("this is no proper WebSocket handshake");
    }
  }

  private static void copy(
      InputStream body, MessageConnection messages, String protocol, UpgradeAwareProxy relay) {
    try (body) {
      byte[] buffer = new byte[BUFFER];
      for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
        byte[] message = Arrays.copyOf(buffer, count);
        if (protocol.equals(BASE64)) {
          messages.sendText(Base64.getEncoder().encodeToString(message));
        } else {
          messages.send(message);
        }
      }
    } catch (IOException _) {
      // The client or the node is gone; the other one learns it now.
    } finally {
      relay.close();
      messages.close();
    }
  }

  /// A client has nothing to say here.
  @Override
  public void part(byte[] bytes, boolean last) {}

  @Override
  public boolean takesText() {
    return true;
  }

  @Override
  public void text(String part, boolean last) {}

  @Override
  public void gone(@Nullable Throwable why) {
    relay.close();
  }
}
