package io.fairlead.dns.forward;

import io.fairlead.client.tls.TlsContexts;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.WireException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// DNS over HTTPS (RFC 8484), at the path `/dns-query`.
///
/// The client is made with the first query: most Corefiles never need it. The certificate must name
/// the address that is asked, as those of the public resolvers do; `tls_servername` is sent as the
/// name of the server but cannot replace that check, because the platform's client checks what it
/// connects to.
final class HttpsExchange implements AutoCloseable {
  private static final String TYPE = "application/dns-message";
  private static final int OK = 200;

  private final ForwardOptions.Tls tls;
  // Guarded by this.
  private @Nullable HttpClient client;

  HttpsExchange(ForwardOptions.Tls tls) {
    this.tls = tls;
  }

  DnsMessage ask(UpstreamAddress target, DnsMessage query, Duration time) throws IOException {
    // The id is 0 on the way, so that caches between can help.
    DnsMessage sent =
        DnsMessage.query(0, query.questions().getFirst(), query.header().flags(), query.edns());
    byte[] bytes = sent.write(SocketExchange.LARGEST);
    HttpRequest.Builder request = HttpRequest.newBuilder().timeout(time).header("Accept", TYPE);
    String url = "https://" + target + "/dns-query";
    if (tls.httpGet()) {
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
      request.uri(URI.create(url + "?dns=" + text)).GET();
    } else {
      request
          .uri(URI.create(url))
          .header("Content-Type", TYPE)
          .POST(HttpRequest.BodyPublishers.ofByteArray(bytes));
    }
    try {
      HttpResponse<byte[]> response =
          client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != OK) {
        throw new IOException("the upstream answered HTTP " + response.statusCode());
      }
      return withId(DnsMessage.read(response.body()), query.header().id());
    } catch (WireException e) {
      throw new IOException("the upstream sent no DNS message: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static DnsMessage withId(DnsMessage answer, int id) {
    return new DnsMessage(
        new Header(id, answer.header().opcode(), answer.header().flags(), answer.header().rcode()),
        answer.questions(),
        answer.answer(),
        answer.authority(),
        answer.additional(),
        answer.edns());
  }

  private synchronized HttpClient client() throws IOException {
    HttpClient existing = client;
    if (existing != null) {
      return existing;
    }
    try {
      SSLParameters parameters = new SSLParameters();
      if (tls.serverName() != null) {
        parameters.setServerNames(List.of(new SNIHostName(tls.serverName())));
      }
      HttpClient made =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_2)
              .sslContext(TlsContexts.of(tls.trust(), tls.identity()))
              .sslParameters(parameters)
              .build();
      client = made;
      return made;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot set up TLS", e);
    }
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
    }
  }
}
