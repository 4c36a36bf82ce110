package io.fairlead.agent.probe;

import io.fairlead.agent.pod.HandlerAction;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.client.tls.Trust;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Asks over HTTP or HTTPS. The connection is opened by the calling thread, in whatever network
/// that thread is. Certificates are not looked at: a probe asks about health, not about identity.
final class HttpProber {
  private static final int MOST_REDIRECTS = 10;

  static {
    // A probe may name its own Host header; the JDK forbids that unless a property is set before
    // first use.
    System.setProperty("sun.net.http.allowRestrictedHeaders", "true");
  }

  private final String agent;

  HttpProber(String agent) {
    this.agent = agent;
  }

  ProbeOutcome ask(HandlerAction.HttpGet get, String host, int port, Duration timeout) {
    URI target;
    try {
      URI path = new URI(get.path().startsWith("/") ? get.path() : "/" + get.path());
      target =
          new URI((get.encrypted() ? "https" : "http") + "://" + joined(host, port)).resolve(path);
    } catch (URISyntaxException e) {
      return new ProbeOutcome.Unknown("not a path: " + get.path());
    }
    URI first = target;
    for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      try {
        HttpURLConnection connection = open(target, get, timeout);
        try {
          int code = connection.getResponseCode();
          @Nullable String location = connection.getHeaderField("Location");
          if (code >= 300 && code < 400 && code != 304 && location != null) {
            URI next = target.resolve(location);
            if (next.getHost() == null || !next.getHost().equals(first.getHost())) {
              return new ProbeOutcome.Success(
                  "Probe terminated redirects, Response body: " + location);
            }
            target = next;
            continue;
          }
          return code >= 200 && code < 400
              ? new ProbeOutcome.Success("")
              : new ProbeOutcome.Failure("HTTP probe failed with statuscode: " + code);
        } finally {
          connection.disconnect();
        }
      } catch (IOException e) {
        return new ProbeOutcome.Failure("Get \"" + target + "\": " + reason(e));
      }
    }
    return new ProbeOutcome.Failure("Get \"" + first + "\": stopped after 10 redirects");
  }

  private HttpURLConnection open(URI target, HandlerAction.HttpGet get, Duration timeout)
      throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) target.toURL().openConnection(Proxy.NO_PROXY);
    if (connection instanceof HttpsURLConnection encrypted) {
      encrypted.setSSLSocketFactory(trustingAnyone().getSocketFactory());
      encrypted.setHostnameVerifier((_, _) -> true);
    }
    connection.setConnectTimeout((int) timeout.toMillis());
    connection.setReadTimeout((int) timeout.toMillis());
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setRequestProperty("User-Agent", agent);
    connection.setRequestProperty("Accept", "*/*");
    connection.setRequestProperty("Connection", "close");
    for (Map.Entry<String, String> header : get.headers()) {
      connection.setRequestProperty(header.getKey(), header.getValue());
    }
    return connection;
  }

  private static SSLContext trustingAnyone() {
    try {
      return TlsContexts.of(new Trust.Anyone(), new ClientIdentity.Anonymous());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  static String joined(String host, int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /// In the words people know from other agents.
  static String reason(IOException e) {
    if (e instanceof SocketTimeoutException) {
      return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
    }
    String text = String.valueOf(e.getMessage());
    return text.startsWith("Connection refused") ? "connect: connection refused" : text;
  }
}
