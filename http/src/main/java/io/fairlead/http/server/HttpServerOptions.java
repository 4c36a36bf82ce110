package io.fairlead.http.server;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/// What differs between the HTTP servers of this program. Everything else, the TLS policy above
/// all, is the same for all of them.
///
/// @param name of its threads
/// @param address an IP address
/// @param port 0 takes a free one
/// @param tls asked with every connection, so that a renewed certificate counts at once; empty
///   serves plain HTTP, which only loopback addresses may
/// @param clientCertificates whether clients are asked for one
/// @param http2 whether HTTP/2 is offered beside HTTP/1.1
/// @param streams how many requests an HTTP/2 connection may have at once; beyond it the connection
///   waits, not the server
/// @param headerBytes the largest head of a request
/// @param receiveWindow how many bytes of a body an HTTP/2 client may send ahead
/// @param connections how many connections there may be at once; 0 for any number
/// @param fewestThreads platform threads that are kept; requests run on virtual ones
/// @param mostThreads platform threads there may be
/// @param keepsProcess whether the process lives as long as this server
/// @param reusePort whether another process may listen on the same port
/// @param idle when a silent connection is closed
/// @param webSocketIdle the same for WebSockets; empty serves none
/// @param farewell how long running requests may go on after [HttpServer#close]
public record HttpServerOptions(
    String name,
    String address,
    int port,
    Optional<Supplier<SSLContext>> tls,
    ClientCertificates clientCertificates,
    boolean http2,
    int streams,
    int headerBytes,
    int receiveWindow,
    int connections,
    int fewestThreads,
    int mostThreads,
    boolean keepsProcess,
    boolean reusePort,
    Duration idle,
    Optional<Duration> webSocketIdle,
    Duration farewell) {
  /// Whether a client must show a certificate in the TLS handshake.
  public enum ClientCertificates {
    NONE,
    /// Asked for; a client without one gets in, and the handler decides.
    WANTED,
    NEEDED
  }

  private static final Duration IDLE = Duration.ofSeconds(90);

  /// For many clients with long answers, HTTP/2 and WebSockets: an API server.
  public static HttpServerOptions forApi(
      String address, int port, Optional<Supplier<SSLContext>> tls) {
    return new HttpServerOptions(
        "http",
        address,
        port,
        tls,
        ClientCertificates.WANTED,
        true,
        1000,
        64 << 10,
        1 << 20,
        0,
        8,
        64,
        true,
        false,
        IDLE,
        // A watch may be silent for long; its own time-out ends it.
        Optional.of(Duration.ofHours(2)),
        Duration.ofSeconds(2));
  }

  /// For one client, the API server, with raw streams that last as long as their users want: a
  /// node's server. HTTP/1.1 only, since an HTTP/2 connection cannot be upgraded.
  public static HttpServerOptions forNode(String address, int port, SSLContext tls) {
    return new HttpServerOptions(
        "node server",
        address,
        port,
        Optional.of(() -> tls),
        ClientCertificates.WANTED,
        false,
        0,
        64 << 10,
        0,
        0,
        2,
        16,
        false,
        false,
        IDLE,
        Optional.of(UpgradedConnection.IDLE),
        Duration.ZERO);
  }

  /// For many clients with short questions: DNS over HTTPS.
  public static HttpServerOptions forDns(
      String address,
      int port,
      Supplier<SSLContext> tls,
      ClientCertificates clientCertificates,
      Duration idle) {
    return new HttpServerOptions(
        "dns-https",
        address,
        port,
        Optional.of(tls),
        clientCertificates,
        true,
        256,
        8 << 10,
        256 << 10,
        200,
        4,
        16,
        true,
        true,
        idle,
        Optional.empty(),
        Duration.ZERO);
  }
}
