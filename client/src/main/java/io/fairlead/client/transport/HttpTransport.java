package io.fairlead.client.transport;

import io.fairlead.api.json.Json;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.TlsContexts;
import io.fairlead.http.tls.TlsPolicy;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import javax.net.ssl.SSLContext;

/// The transport of long-lived parts: `java.net.http`, HTTP/2 over TLS where the server offers it,
/// so that all watches of a process share a connection.
public final class HttpTransport implements Transport {
  private static final String BEARER = "Bearer ";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final ClientConfig connection;
  private final String userAgent;
  private final String base;
  private final ExecutorService threads;
  private final HttpClient http;
  private final Set<LineStream> streams = ConcurrentHashMap.newKeySet();

  /// Does not connect yet.
  ///
  /// @param userAgent how the caller is called in audit lines and, up to the slash, in managed
  ///   fields
  public HttpTransport(ClientConfig connection, String userAgent) {
    this.connection = connection;
    this.userAgent = userAgent;
    this.base =
        connection.server().getScheme() + "://" + authority(connection) + connection.basePath();
    this.threads = Tasks.perTask("http-client");
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .executor(threads)
            .connectTimeout(CONNECT_TIMEOUT);
    if (connection.tlsServerName().isPresent()) {
      // The JDK's client checks the certificate against the host of the address, and nothing else.
      throw new ConnectionException(
          "tls-server-name is not supported here; use a server address that is in its certificate");
    }
    if (connection.encrypted()) {
      configureTls(builder);
    } else {
      builder.version(HttpClient.Version.HTTP_1_1);
    }
    this.http = builder.build();
  }

  private void configureTls(HttpClient.Builder builder) {
    try {
      SSLContext context = TlsContexts.of(connection.trust(), connection.identity());
      builder.sslContext(context).sslParameters(TlsPolicy.parameters(context));
    } catch (GeneralSecurityException e) {
      throw new ConnectionException("cannot set up TLS for " + base, e);
    }
  }

  /// The same connections in the name of a service account. It closes nothing.
  ///
  /// @param reader answers lists and watches, which the account may not be allowed
  public Transport bearing(ServiceAccountToken token, Transport reader) {
    return new Bearing(token, reader);
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    return send(request, Credentials.headers(connection.identity()));
  }

  private ApiResponse send(ApiRequest request, List<Map.Entry<String, String>> who) {
    HttpResponse<byte[]> response = exchange(request, who, BodyHandlers.ofByteArray());
    return new ApiResponse(response.statusCode(), response.body());
  }

  @Override
  public LineStream stream(ApiRequest request) {
    HttpResponse<InputStream> response =
        exchange(request, Credentials.headers(connection.identity()), BodyHandlers.ofInputStream());
    InputLines lines =
        new InputLines(response.statusCode(), response.body(), request.timeout(), streams::remove);
    streams.add(lines);
    return lines;
  }

  @Override
  public void close() {
    List.copyOf(streams).forEach(LineStream::close);
    http.shutdownNow();
    http.close();
    threads.close();
  }

  private final class Bearing implements Transport {
    private static final int UNAUTHORIZED = 401;

    private final ServiceAccountToken token;
    private final Transport reader;

    Bearing(ServiceAccountToken token, Transport reader) {
      this.token = token;
      this.reader = reader;
    }

    @Override
    public ApiResponse send(ApiRequest request) {
      // Only lists are asked for with parameters.
      if (request.method().equals("GET") && !request.query().isEmpty()) {
        return reader.send(request);
      }
      String bearer = token.get();
      ApiResponse answer =
          HttpTransport.this.send(request, List.of(Map.entry("Authorization", BEARER + bearer)));
      if (answer.code() == UNAUTHORIZED) {
        token.refused(bearer);
      }
      return answer;
    }

    @Override
    public LineStream stream(ApiRequest request) {
      return reader.stream(request);
    }

    @Override
    public void close() {}
  }

  private <T> HttpResponse<T> exchange(
      ApiRequest request,
      List<Map.Entry<String, String>> who,
      HttpResponse.BodyHandler<T> handler) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(base + request.target()))
            .timeout(request.timeout())
            .header("Accept", request.accept())
            .header("User-Agent", userAgent);
    who.forEach(header -> builder.header(header.getKey(), header.getValue()));
    if (request.body() == null) {
      builder.method(request.method(), BodyPublishers.noBody());
    } else {
      builder.header("Content-Type", request.contentType());
      builder.method(request.method(), BodyPublishers.ofByteArray(Json.bytes(request.body())));
    }
    try {
      return http.send(builder.build(), handler);
    } catch (ConnectException e) {
      throw new ConnectionException("cannot reach " + base + ": connection refused", e);
    } catch (IOException e) {
      throw new ConnectionException(
          request.method() + " " + base + request.path() + " got no answer: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectionException(request.method() + " " + request.path() + " interrupted", e);
    }
  }

  private static String authority(ClientConfig connection) {
    return connection.server().getHost() + ":" + connection.port();
  }
}
