package io.fairlead.client.transport;

import io.fairlead.api.json.Json;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.http.message.HttpHead;
import io.fairlead.http.message.HttpResponseReader;
import io.fairlead.http.tls.TlsPolicy;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// The transport of short commands: a few blocking sockets with one HTTP/1.1 request at a time
/// each.
///
/// It exists for its start-up time. `java.net.http` costs a fresh process several hundred
/// milliseconds before its first answer; this loads a handful of classes. A long-lived part wants
/// `HttpTransport`.
///
/// In a fresh process a TLS handshake costs more than any answer. So a socket is used again, and a
/// command that asks many questions at once makes [#MOST_SOCKETS] handshakes, not one for each.
/// Deciphering is code that nothing has compiled yet, inflating is not: long answers come
/// compressed.
public final class SocketTransport implements Transport {
  private static final int CONNECT_MILLISECONDS = 10_000;
  private static final String KEEP = "keep-alive";
  private static final String GZIP = "gzip";
  private static final int INFLATE_BUFFER = 32 << 10;

  /// Requests at once; further ones wait. Watches do not count.
  private static final int MOST_SOCKETS = 4;

  /// The socket and what is spoken over it. Closing takes the socket itself: a TLS socket would
  /// first wait for the server's farewell, which during a watch does not come.
  record Wire(Socket socket, Socket traffic, InputStream in) implements AutoCloseable {
    @Override
    public void close() {
      closeQuietly(socket);
    }
  }

  private final ClientConfig connection;
  private final String userAgent;
  private final Set<LineStream> streams = ConcurrentHashMap.newKeySet();
  private final Semaphore slots = new Semaphore(MOST_SOCKETS);
  private final Queue<Wire> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  public SocketTransport(ClientConfig connection, String userAgent) {
    this.connection = connection;
    this.userAgent = userAgent;
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    slots.acquireUninterruptibly();
    try {
      return exchange(request);
    } catch (SocketTimeoutException e) {
      throw new ConnectionException(
          where() + " did not answer within " + request.timeout().toSeconds() + " s", e);
    } catch (IOException e) {
      throw unreachable(e);
    } finally {
      slots.release();
    }
  }

  /// Over a socket that is open, else over a new one. A server may close an open one at any time; a
  /// question is then asked once more.
  private ApiResponse exchange(ApiRequest request) throws IOException {
    Wire open = request.method().equals("GET") ? idle.poll() : null;
    if (open != null) {
      try {
        open.socket().setSoTimeout(milliseconds(request.timeout()));
        return exchange(open, request);
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException _) {
        // It was closed meanwhile.
      }
    }
    return exchange(open(request.timeout()), request);
  }

  private ApiResponse exchange(Wire wire, ApiRequest request) throws IOException {
    boolean kept = false;
    try {
      HttpResponseReader response = exchange(wire, request, KEEP);
      ApiResponse answer = new ApiResponse(response.code(), body(response));
      kept = isReusable(response.head()) && !closed;
      if (kept) {
        idle.add(wire);
      }
      return answer;
    } finally {
      if (!kept) {
        wire.close();
      }
    }
  }

  /// Read to its end before it is inflated: what ends the compressed text does not end the answer.
  private static byte[] body(HttpResponseReader response) throws IOException {
    byte[] sent = response.body().readAllBytes();
    if (!response.head().header("Content-Encoding").equalsIgnoreCase(GZIP)) {
      return sent;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(sent), INFLATE_BUFFER)) {
      return in.readAllBytes();
    }
  }

  /// Whether the answer has an end of its own, and the server goes on listening.
  private static boolean isReusable(HttpHead head) {
    boolean ends =
        !head.header("Content-Length").isEmpty() || !head.header("Transfer-Encoding").isEmpty();
    return ends && !head.header("Connection").equalsIgnoreCase("close");
  }

  @Override
  public LineStream stream(ApiRequest request) {
    Wire wire = null;
    try {
      wire = open(request.timeout());
      HttpResponseReader response = exchange(wire, request, "close");
      Wire opened = wire;
      InputLines lines =
          new InputLines(
              response.code(),
              response.body(),
              request.timeout(),
              stream -> {
                streams.remove(stream);
                opened.close();
              });
      streams.add(lines);
      return lines;
    } catch (IOException e) {
      if (wire != null) {
        wire.close();
      }
      throw unreachable(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    List.copyOf(streams).forEach(LineStream::close);
    for (Wire wire = idle.poll(); wire != null; wire = idle.poll()) {
      wire.close();
    }
  }

  /// @param afterwards what happens to the socket then
  private HttpResponseReader exchange(Wire wire, ApiRequest request, String afterwards)
      throws IOException {
    byte[] body = request.body() == null ? new byte[0] : Json.bytes(request.body());
    StringBuilder head = new StringBuilder(256);
    head.append(request.method()).append(' ').append(connection.basePath());
    head.append(request.target()).append(" HTTP/1.1\r\n");
    header(head, "Host", connection.server().getHost() + ":" + connection.port());
    header(head, "Accept", request.accept());
    if (afterwards.equals(KEEP)) {
      // Not for a stream, of which each line is wanted at once.
      header(head, "Accept-Encoding", GZIP);
    }
    header(head, "User-Agent", userAgent);
    header(head, "Connection", afterwards);
    Credentials.headers(connection.identity())
        .forEach(each -> header(head, each.getKey(), each.getValue()));
    if (request.body() != null) {
      header(head, "Content-Type", request.contentType());
      header(head, "Content-Length", Integer.toString(body.length));
    }
    head.append("\r\n");
    OutputStream out = wire.traffic().getOutputStream();
    byte[] headBytes = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = new byte[headBytes.length + body.length];
    System.arraycopy(headBytes, 0, all, 0, headBytes.length);
    System.arraycopy(body, 0, all, headBytes.length, body.length);
    out.write(all);
    out.flush();
    return HttpResponseReader.read(wire.in(), request.method());
  }

  private static void header(StringBuilder head, String name, String value) {
    if (value.indexOf('\r') >= 0 || value.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("header " + name + " holds a line break");
    }
    head.append(name).append(": ").append(value).append("\r\n");
  }

  /// Connects, by TLS where the server speaks it, and leaves it to the caller what to say, and to
  /// close.
  ///
  /// @param timeout how long a read may take
  Wire open(Duration timeout) throws IOException {
    String host = connection.server().getHost();
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    Socket plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.connect(new InetSocketAddress(bare, connection.port()), CONNECT_MILLISECONDS);
      plain.setSoTimeout(milliseconds(timeout));
      Socket traffic = connection.encrypted() ? encrypt(plain, bare) : plain;
      return new Wire(plain, traffic, new BufferedInputStream(traffic.getInputStream()));
    } catch (IOException | RuntimeException e) {
      closeQuietly(plain);
      throw e;
    }
  }

  private static int milliseconds(Duration timeout) {
    return (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
  }

  private Socket encrypt(Socket plain, String host) throws IOException {
    String name = connection.tlsServerName().orElse(host);
    SSLSocket socket;
    try {
      socket =
          (SSLSocket)
              TlsContexts.of(connection.trust(), connection.identity())
                  .getSocketFactory()
                  .createSocket(plain, name, connection.port(), true);
    } catch (GeneralSecurityException e) {
      throw new ConnectionException("cannot set up TLS for " + where(), e);
    }
    SSLParameters parameters = socket.getSSLParameters();
    TlsPolicy.restrict(parameters);
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    if (connection.tlsServerName().isPresent()) {
      parameters.setServerNames(List.of(new SNIHostName(name)));
    }
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private ConnectionException unreachable(IOException e) {
    return switch (e) {
      case ConnectException _ ->
          new ConnectionException("cannot reach " + where() + ": connection refused", e);
      case SSLException _ ->
          new ConnectionException("no TLS with " + where() + ": " + e.getMessage(), e);
      case java.net.UnknownHostException _ ->
          new ConnectionException("cannot reach " + where() + ": unknown host", e);
      default -> new ConnectionException(where() + " gave no answer: " + e.getMessage(), e);
    };
  }

  private String where() {
    return connection.server().toString();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // Nothing more can be done with it.
    }
  }
}
