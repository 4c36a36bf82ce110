package io.fairlead.client.transport;

import io.fairlead.api.json.Json;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.tls.TlsPolicy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocket;

/// Requests to a server of TLS in a pod, through the API server's `pods/portforward`: with the
/// caller's own certificate or token, which an API server that proxies would not hand on.
///
/// The pod is believed by the fingerprint of its certificate; no token is sent before that. Each
/// request has a connection of its own.
public final class PodTransport implements Transport {
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int NONCE_LENGTH = 16;

  private final ClientConfig connection;
  private final String userAgent;
  private final ObjectKey pod;
  private final int port;
  private final String fingerprint;

  /// @param connection to the API server
  /// @param fingerprint of the pod's certificate, SHA-256 in hexadecimal
  public PodTransport(
      ClientConfig connection, String userAgent, ObjectKey pod, int port, String fingerprint) {
    this.connection = connection;
    this.userAgent = userAgent;
    this.pod = pod;
    this.port = port;
    this.fingerprint = fingerprint;
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    try (SocketTransport api = new SocketTransport(connection, userAgent);
        SocketTransport.Wire wire = api.open(request.timeout())) {
      // With the wire all that is spoken over it ends.
      Socket secured = secured(tunnel(wire.traffic()));
      return exchange(new HttpClientConnection(secured), request);
    } catch (IOException | GeneralSecurityException e) {
      throw new ConnectionException("pod " + pod + " was not reached: " + e.getMessage(), e);
    }
  }

  private Socket tunnel(Socket socket) throws IOException {
    byte[] nonce = new byte[NONCE_LENGTH];
    new SecureRandom().nextBytes(nonce);
    List<Map.Entry<String, String>> headers =
        new ArrayList<>(Credentials.headers(connection.identity()));
    headers.add(Map.entry("Host", connection.server().getHost() + ":" + connection.port()));
    headers.add(Map.entry("User-Agent", userAgent));
    headers.add(Map.entry("Connection", "Upgrade"));
    headers.add(Map.entry("Upgrade", "websocket"));
    headers.add(Map.entry("Sec-WebSocket-Version", "13"));
    headers.add(Map.entry("Sec-WebSocket-Key", Base64.getEncoder().encodeToString(nonce)));
    headers.add(Map.entry("Sec-WebSocket-Protocol", PodTunnel.PROTOCOL));
    HttpClientConnection upgraded = new HttpClientConnection(socket);
    upgraded.send(
        "GET",
        connection.basePath() + ResourceType.PODS.path(pod) + "/portforward?ports=" + port,
        headers);
    int code = upgraded.head().code();
    if (code != SWITCHING_PROTOCOLS) {
      throw new IOException("port-forward was answered with " + code);
    }
    return new PodTunnel(socket, upgraded);
  }

  private SSLSocket secured(Socket tunnel) throws IOException, GeneralSecurityException {
    SSLSocket secured =
        (SSLSocket)
            TlsContexts.of(new Trust.Anyone(), connection.identity())
                .getSocketFactory()
                .createSocket(tunnel, pod.name(), port, true);
    TlsPolicy.restrict(secured);
    secured.startHandshake();
    Certificate shown = secured.getSession().getPeerCertificates()[0];
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(shown.getEncoded());
    if (!HexFormat.of().formatHex(digest).equalsIgnoreCase(fingerprint)) {
      throw new IOException("it shows another certificate than its report names");
    }
    return secured;
  }

  private ApiResponse exchange(HttpClientConnection http, ApiRequest request) throws IOException {
    byte[] body = request.body() == null ? new byte[0] : Json.bytes(request.body());
    List<Map.Entry<String, String>> headers =
        new ArrayList<>(Credentials.headers(connection.identity()));
    headers.add(Map.entry("Host", pod.name() + ":" + port));
    headers.add(Map.entry("Accept", request.accept()));
    headers.add(Map.entry("User-Agent", userAgent));
    headers.add(Map.entry("Connection", "close"));
    if (request.body() != null) {
      headers.add(Map.entry("Content-Type", request.contentType()));
      headers.add(Map.entry("Content-Length", Integer.toString(body.length)));
    }
    http.send(request.method(), request.target(), headers);
    http.body(new ByteArrayInputStream(body));
    int code = http.head().code();
    return new ApiResponse(code, http.body().readAllBytes());
  }

  /// Nothing there is told line by line.
  @Override
  public LineStream stream(ApiRequest request) {
    throw new UnsupportedOperationException("pods are asked one question at a time");
  }

  @Override
  public void close() {
    // No connection outlives its request.
  }
}
