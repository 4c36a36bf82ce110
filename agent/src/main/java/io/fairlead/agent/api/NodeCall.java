package io.fairlead.agent.api;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.jspecify.annotations.Nullable;

/// One request to the node's server and its answer. Belongs to the request's thread.
final class NodeCall {
  private final Request request;
  private final Response response;
  private final Callback callback;
  private final Fields query;
  private boolean handedOver;

  NodeCall(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.query = Request.extractQueryParameters(request);
  }

  String method() {
    return request.getMethod();
  }

  /// The path's segments, decoded, without empty ones.
  List<String> path() {
    return Arrays.stream(Request.getPathInContext(request).split("/"))
        .filter(segment -> !segment.isEmpty())
        .toList();
  }

  String text(String name) {
    String value = query.getValue(name);
    return value == null ? "" : value;
  }

  List<String> all(String name) {
    List<String> values = query.getValues(name);
    return values == null ? List.of() : values;
  }

  /// Missing, `0` and `false` are off, everything else is on.
  boolean isOn(String name) {
    return query.get(name) != null && !text(name).equals("0") && !text(name).equals("false");
  }

  Optional<Long> number(String name) {
    String text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (!text.matches("[0-9]{1,18}")) {
      throw ApiException.badRequest(name + " is no number: " + text);
    }
    return Optional.of(Long.parseLong(text));
  }

  @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  /// A header that is a list, its words in order.
  List<String> words(String name) {
    return request.getHeaders().getValuesList(name).stream()
        .flatMap(value -> Arrays.stream(value.split(",")))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  List<X509Certificate> certificates() {
    if (request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
            instanceof EndPoint.SslSessionData tls
        && tls.peerCertificates() != null) {
      return List.of(tls.peerCertificates());
    }
    return List.of();
  }

  @Nullable String token() {
    String authorization = header("Authorization");
    return authorization != null && authorization.regionMatches(true, 0, "Bearer ", 0, 7)
        ? authorization.substring(7).strip()
        : null;
  }

  void send(int code, String type, byte[] body) throws IOException {
    response.setStatus(code);
    response.getHeaders().put("Content-Type", type);
    Content.Sink.write(response, true, ByteBuffer.wrap(body));
  }

  void send(Status status) throws IOException {
    send(status.code(), "application/json", Json.bytes(status.toJson()));
  }

  void setHeader(String name, String value) {
    response.getHeaders().put(name, value);
  }

  /// The body of an answer that may take long and be silent.
  OutputStream stream(String type) {
    request.addIdleTimeoutListener(_ -> false);
    response.setStatus(200);
    response.getHeaders().put("Content-Type", type);
    return Content.Sink.asOutputStream(response);
  }

  boolean isCommitted() {
    return handedOver || response.isCommitted();
  }

  boolean isHandedOver() {
    return handedOver;
  }

  /// Answers 101 and leaves the connection to that work.
  void upgrade(String protocol, String stream, RawConnection.Work work) {
    response.setStatus(101);
    response.getHeaders().put("Upgrade", protocol);
    response.getHeaders().put("Connection", "Upgrade");
    response.getHeaders().put("X-Stream-Protocol-Version", stream);
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    request.setAttribute(
        HttpStream.UPGRADE_CONNECTION_ATTRIBUTE,
        new RawConnection(endPoint, request.getComponents().getExecutor(), work));
    handedOver = true;
    callback.succeeded();
  }

  /// Answers 101 and leaves the connection to the listener.
  ///
  /// @return false when the client's handshake is not a proper one
  boolean upgrade(ServerWebSocketContainer container, String protocol, SocketMessages listener) {
    handedOver =
        container.upgrade(
            (_, answer, _) -> {
              answer.setAcceptedSubProtocol(protocol);
              return listener;
            },
            request,
            response,
            callback);
    return handedOver;
  }
}
