package io.fairlead.server.stream;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.tls.PemParser;
import io.fairlead.http.tls.TlsPolicy;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.pki.FrontProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/// Passes requests for aggregated APIs on to their servers, as the user who sent them.
///
/// How it works: the server is reached at a ready endpoint of its Service, over TLS with a
/// certificate for `NAME.NAMESPACE.svc`. This server shows its certificate of the front proxy and
/// names the user in headers; what the client sent of those is dropped, and so are its credentials.
/// A redirect is refused: the client would follow it with its own (CVE-2022-3172).
public final class AggregatedApiProxy {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int HANDSHAKE_MILLIS = 10_000;
  private static final String REMOTE = "x-remote-";

  private final ServiceAddressResolver addresses;
  private final Optional<FrontProxy> identity;

  public AggregatedApiProxy(ServiceAddressResolver addresses, Optional<FrontProxy> identity) {
    this.addresses = addresses;
    this.identity = identity;
  }

  /// An answer to a question of this server's own.
  public record Answer(int code, byte[] body) {}

  /// Asks for a document as this server itself.
  ///
  /// @throws IOException when there is no answer in time, or a larger one than that
  public Answer get(AggregatedApiEndpoint place, String path, int millis, int mostBytes)
      throws IOException {
    Socket socket = connect(place);
    try (HttpClientConnection peer = new HttpClientConnection(socket)) {
      socket.setSoTimeout(millis);
      List<Map.Entry<String, String>> headers = new ArrayList<>();
      headers.add(Map.entry("Host", place.serverName()));
      headers.add(Map.entry("Accept", "application/json"));
      headers.add(Map.entry("Connection", "close"));
      headers.addAll(
          user(new UserInfo("system:kube-aggregator", "", List.of("system:masters"), Map.of())));
      peer.send("GET", path, headers);
      HttpClientConnection.Head head = peer.head();
      byte[] body = peer.body().readNBytes(mostBytes + 1);
      if (body.length > mostBytes) {
        throw new IOException("the answer is larger than " + mostBytes + " bytes");
      }
      return new Answer(head.code(), body);
    }
  }

  /// Passes a request on, and the answer back.
  public void serve(HttpServerExchange exchange, AggregatedApiEndpoint place, UserInfo user)
      throws IOException {
    HttpClientConnection peer;
    try {
      peer = new HttpClientConnection(connect(place));
    } catch (IOException e) {
      throw unreachable(e);
    }
    try {
      UpgradeAwareProxy relay = new UpgradeAwareProxy(exchange, peer);
      long length = exchange.contentLength();
      boolean body = length > 0 || exchange.header("Transfer-Encoding") != null;
      relay.ask(
          exchange.method(),
          // The path that was authorized, which may not be how it was written.
          exchange.path() + ProxySubresourceHandler.query(exchange.uri()),
          headers(exchange, place, user, body ? length : 0));
      if (body) {
        relay.askWithBody(length);
      }
      int code = peer.head().code();
      if (code >= 300 && code < 400 && code != 304) {
        throw new ApiException(
            Status.of(
                502,
                "InternalError",
                "the backend attempted to redirect this request, which is not permitted"));
      }
      relay.answer(ProxiedLinks.NONE);
    } catch (IOException e) {
      peer.close();
      if (exchange.isCommitted()) {
        throw e;
      }
      throw unreachable(e);
    } catch (RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  private static List<Map.Entry<String, String>> headers(
      HttpServerExchange exchange, AggregatedApiEndpoint place, UserInfo user, long length) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (Map.Entry<String, String> each :
        ProxySubresourceHandler.headers(exchange, place.serverName(), length)) {
      if (!each.getKey().toLowerCase(Locale.ROOT).startsWith(REMOTE)) {
        headers.add(each);
      }
    }
    headers.addAll(user(user));
    return headers;
  }

  /// The user in the headers that [FrontProxy#published] names.
  static List<Map.Entry<String, String>> user(UserInfo user) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    headers.add(Map.entry(FrontProxy.USER, UserHeaders.value(user.name())));
    user.groups()
        .forEach(group -> headers.add(Map.entry(FrontProxy.GROUP, UserHeaders.value(group))));
    user.extra()
        .forEach(
            (key, values) -> {
              // Not every key can stand in a header; the other side unescapes it.
              String name = URLEncoder.encode(key.toLowerCase(Locale.ROOT), StandardCharsets.UTF_8);
              values.forEach(
                  value ->
                      headers.add(
                          Map.entry(FrontProxy.EXTRA_PREFIX + name, UserHeaders.value(value))));
            });
    return headers;
  }

  private Socket connect(AggregatedApiEndpoint place) throws IOException {
    FrontProxy proxy =
        identity.orElseThrow(() -> new IOException("this server has no certificate to show"));
    IOException last = new IOException("no endpoint");
    for (InetSocketAddress address :
        addresses.service(place.namespace(), place.service(), place.port())) {
      try {
        return connect(place, address, proxy);
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private static Socket connect(
      AggregatedApiEndpoint place, InetSocketAddress address, FrontProxy proxy) throws IOException {
    Socket plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.connect(address, CONNECT_MILLIS);
      plain.setSoTimeout(HANDSHAKE_MILLIS);
      SSLSocket secured =
          (SSLSocket)
              context(place, proxy)
                  .getSocketFactory()
                  .createSocket(plain, place.serverName(), address.getPort(), true);
      SSLParameters parameters = secured.getSSLParameters();
      TlsPolicy.restrict(parameters);
      if (!place.insecure()) {
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
      }
      secured.setSSLParameters(parameters);
      secured.startHandshake();
      plain.setSoTimeout(0);
      return secured;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    } catch (GeneralSecurityException e) {
      plain.close();
      throw new IOException("no TLS with " + place.serverName() + ": " + e.getMessage(), e);
    }
  }

  private static SSLContext context(AggregatedApiEndpoint place, FrontProxy proxy)
      throws GeneralSecurityException {
    TrustManager[] trust =
        place.insecure()
            ? TlsPolicy.trustingAnyone()
            : place.caBundle().isEmpty()
                ? null
                : TlsPolicy.trusting(
                    PemParser.certificates(place.caBundle().getBytes(StandardCharsets.ISO_8859_1)));
    return TlsPolicy.context(
        TlsPolicy.showing(proxy.client().chain(), proxy.client().key()), trust);
  }

  private static ApiException unreachable(IOException why) {
    return new ApiException(
        Status.of(
            503,
            "ServiceUnavailable",
            "error trying to reach service: " + String.valueOf(why.getMessage())));
  }
}
