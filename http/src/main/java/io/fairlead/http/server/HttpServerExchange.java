package io.fairlead.http.server;

import io.fairlead.api.status.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// One request and its answer, as the rest of the server sees it: plain blocking streams.
///
/// Owned by the virtual thread that serves the request; only [#abort] may be called from elsewhere.
public final class HttpServerExchange {
  private static final List<String> KEPT_ON_RESET =
      List.of(
          "Audit-Id",
          "Cache-Control",
          "Connection",
          "Warning",
          "X-Kubernetes-PF-FlowSchema-UID",
          "X-Kubernetes-PF-PriorityLevel-UID");

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final @Nullable WebSockets webSockets;
  private @Nullable QueryParameters query;
  private boolean upgraded;

  HttpServerExchange(
      Request request, Response response, Callback callback, @Nullable WebSockets webSockets) {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.webSockets = webSockets;
  }

  public String method() {
    return request.getMethod();
  }

  /// The path as it came, percent escapes included, `..` resolved.
  public String path() {
    String path = request.getHttpURI().getCanonicalPath();
    return path == null ? "/" : path;
  }

  /// Path and query as they came; logs take [#maskedUri].
  public String uri() {
    return request.getHttpURI().getPathQuery();
  }

  /// Path and query for logs.
  public String maskedUri() {
    return MaskedUri.of(uri());
  }

  /// The client has shown who it is: its connection is no longer counted as a stranger's.
  public void setAuthenticated() {
    request.setAttribute(ConnectionLimits.AUTHENTICATED, Boolean.TRUE);
  }

  /// The query, decoded.
  ///
  /// @throws ApiException 400 when a percent escape is broken; later calls find it empty, so that
  ///   this can be answered
  public QueryParameters query() {
    QueryParameters decoded = query;
    if (decoded == null) {
      query = QueryParameters.NONE;
      decoded = QueryParameters.parse(request.getHttpURI().getQuery());
      query = decoded;
    }
    return decoded;
  }

  /// The name and port that the client asked for: `Host`, or `:authority` of HTTP/2.
  public @Nullable String host() {
    String header = header("Host");
    return header != null ? header : request.getHttpURI().getAuthority();
  }

  /// Whether the request came by TLS.
  public boolean isSecure() {
    return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) != null;
  }

  /// The header's first value, or null.
  public @Nullable String header(String name) {
    return request.getHeaders().get(name);
  }

  public List<String> headers(String name) {
    return request.getHeaders().getValuesList(name);
  }

  /// The names of all headers the client sent, as it wrote them.
  public List<String> headerNames() {
    return List.copyOf(request.getHeaders().getFieldNamesCollection());
  }

  /// The client's address without its port.
  public String remoteAddress() {
    return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress ip
        ? ip.getAddress().getHostAddress()
        : "";
  }

  /// Where the client's packets come from.
  public SocketAddress remoteSocketAddress() {
    return request.getConnectionMetaData().getRemoteSocketAddress();
  }

  /// Where they arrive.
  public SocketAddress localSocketAddress() {
    return request.getConnectionMetaData().getLocalSocketAddress();
  }

  /// The address this request came to, `127.0.0.1:6443`.
  public String localAddress() {
    if (request.getConnectionMetaData().getLocalSocketAddress() instanceof InetSocketAddress ip) {
      String host = ip.getAddress().getHostAddress();
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + ip.getPort();
    }
    return "";
  }

  /// The certificates the client showed in the TLS handshake, its own first; often none.
  public List<X509Certificate> clientCertificates() {
    if (request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE)
            instanceof EndPoint.SslSessionData tls
        && tls.peerCertificates() != null) {
      return List.of(tls.peerCertificates());
    }
    return List.of();
  }

  /// The bytes the client announced, -1 when it did not.
  public long contentLength() {
    return request.getLength();
  }

  public InputStream body() {
    return Content.Source.asInputStream(request);
  }

  /// Sets a header of the answer; must come before the first byte of the body.
  public void setHeader(String name, String value) {
    response.getHeaders().put(name, value);
  }

  public void addHeader(String name, String value) {
    response.getHeaders().add(name, value);
  }

  public void setStatus(int status) {
    response.setStatus(status);
  }

  /// The code that was set, for logs and metrics.
  public int status() {
    return upgraded ? 101 : response.getStatus();
  }

  /// Whether headers are on their way, so that no other answer can be given.
  public boolean isCommitted() {
    return upgraded || response.isCommitted();
  }

  /// Throws away headers and status set so far. Nothing may have been sent.
  public void reset() {
    var kept = response.getHeaders().asImmutable();
    response.reset();
    for (String name : KEPT_ON_RESET) {
      kept.getValuesList(name).forEach(value -> response.getHeaders().add(name, value));
    }
  }

  /// The body of the answer. Every write goes to the network at once: wrap it in a buffer.
  public OutputStream output() {
    return Content.Sink.asOutputStream(response);
  }

  /// The same for a stream that others feed: a write that the client does not take is given up when
  /// `isOverdue` says so, which is asked every second.
  public OutputStream output(BooleanSupplier isOverdue) {
    return new WriteTimeoutOutputStream(response, isOverdue);
  }

  /// Sends the whole body at once.
  public void send(byte[] body, int length) throws IOException {
    setLength(length);
    Content.Sink.write(response, true, ByteBuffer.wrap(body, 0, length));
  }

  /// The answer's length is known.
  public void setLength(long bytes) {
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes);
  }

  /// Makes a blocked read of the body fail, from another thread: the request took too long.
  public void abort(Throwable why) {
    request.fail(why);
  }

  /// Calls back when the connection breaks or the client resets the stream, where the protocol lets
  /// the server see that.
  public void onFailure(Runnable action) {
    request.addFailureListener(_ -> action.run());
  }

  public boolean wantsWebSocket() {
    return "websocket".equalsIgnoreCase(header("Upgrade"));
  }

  /// Answers with 101 and lets `conversation` send messages from a thread of its own. The answer is
  /// complete for the caller.
  ///
  /// @return false when the client's handshake is not a proper one; nothing was sent then
  public boolean upgrade(WebSockets.MessageProducer conversation) {
    upgraded = webSockets().upgrade(request, response, callback, conversation);
    return upgraded;
  }

  /// Answers with 101 and leaves the connection to the receiver that `opened` makes. The answer is
  /// complete for the caller.
  ///
  /// @param protocol the agreed one of those the client offers; empty when it offers none
  /// @return false when the client's handshake is not a proper one; nothing was sent then
  public boolean upgrade(
      String protocol, Function<MessageConnection, MessageConnection.Receiver> opened) {
    upgraded =
        webSockets()
            .upgrade(request, response, callback, protocol, new WebSocketMessageConnection(opened));
    return upgraded;
  }

  private WebSockets webSockets() {
    if (webSockets == null) {
      throw new IllegalStateException("this server has no WebSockets");
    }
    return webSockets;
  }

  /// This answer may be silent for long without being given up.
  public void mayBeSilent() {
    request.addIdleTimeoutListener(_ -> false);
  }

  /// Answers with 101 and the headers set before, and leaves the connection to that work.
  ///
  /// @throws ApiException 400 when the connection carries other requests too, as with HTTP/2
  public void upgradeRaw(UpgradeHandler work) {
    if (request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_1_1) {
      throw ApiException.badRequest("only an HTTP/1.1 connection can be upgraded");
    }
    response.setStatus(101);
    request.setAttribute(
        HttpStream.UPGRADE_CONNECTION_ATTRIBUTE,
        new UpgradedConnection(
            request.getConnectionMetaData().getConnection().getEndPoint(),
            request.getComponents().getExecutor(),
            work));
    upgraded = true;
    callback.succeeded();
  }

  boolean isUpgraded() {
    return upgraded;
  }
}
