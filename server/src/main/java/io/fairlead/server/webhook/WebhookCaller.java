package io.fairlead.server.webhook;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.stream.ServiceAddressResolver;
import io.fairlead.server.webhook.WebhookClientConfig.Destination;
import io.fairlead.server.webhook.WebhookClientConfig.ServiceReference;
import io.fairlead.server.webhook.WebhookClientConfig.Url;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Asks webhooks: sends a JSON document by HTTPS and returns the one that is answered.
///
/// How it works: a Service is not reached by its address but by a ready endpoint, chosen and
/// checked as for `services/proxy`, since this machine may have no service proxy. The certificate
/// must be for `NAME.NAMESPACE.svc`, or for the host of the URL, and lead to the CA bundle of the
/// configuration; before that nothing is sent. The whole call runs on a virtual thread, and when
/// its time is over its socket is closed: so names that do not resolve, peers that do not answer
/// and peers that do not read are bounded alike. A connection is used again; when the webhook had
/// closed it meanwhile, the document is sent once more on a new one. Redirects are not followed,
/// answers are at most 3 MiB.
///
/// Safe for many threads.
public final class WebhookCaller implements AutoCloseable {
  private static final int MOST_BYTES = 3 << 20;
  private static final int SHOWN = 1024;

  private final ServiceAddressResolver addresses;
  private final WebhookTls tls = new WebhookTls();
  private final WebhookConnectionPool pool = new WebhookConnectionPool(Ticker.system());

  public WebhookCaller(ServiceAddressResolver addresses) {
    this.addresses = addresses;
  }

  /// Sends the document and waits for the answer.
  ///
  /// @param timeout of all; it is also told to the webhook, as `?timeout=`
  /// @throws WebhookException with the reason; in the words of the original where it has some
  public ObjectNode call(WebhookClientConfig config, ObjectNode document, Duration timeout)
      throws WebhookException {
    Destination destination = config.destination();
    String query = "?timeout=" + Math.max(1, timeout.toSeconds()) + "s";
    Attempt attempt = new Attempt(config, destination.path() + query, Json.bytes(document));
    FutureTask<WebhookConnection.Answer> task = new FutureTask<>(attempt::run);
    Thread _ = Tasks.start("webhook-call", task::run);
    String prefix = "Post \"" + destination.shown() + query + "\": ";
    try {
      return read(task.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      attempt.abort();
      throw new WebhookException(prefix + "context deadline exceeded", e);
    } catch (InterruptedException e) {
      attempt.abort();
      Thread.currentThread().interrupt();
      throw new WebhookException(prefix + "context canceled", e);
    } catch (ExecutionException e) {
      throw new WebhookException(prefix + why(e.getCause()), e);
    }
  }

  private static String why(@Nullable Throwable cause) {
    return switch (cause) {
      case null -> "unknown";
      case ApiException refused -> refused.status().message();
      case GeneralSecurityException e -> "unable to load root certificates: " + e.getMessage();
      case SSLException e -> "tls: failed to verify certificate: x509: " + e.getMessage();
      default -> String.valueOf(cause.getMessage());
    };
  }

  private static ObjectNode read(WebhookConnection.Answer answer) throws WebhookException {
    int code = answer.code();
    if (code >= 300 && code < 400) {
      throw new WebhookException(
          "the server responded with the status code "
              + code
              + " but did not return more information");
    }
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    if (code == 404) {
      throw new WebhookException("the server could not find the requested resource");
    }
    if (code < 200 || code >= 300) {
      String shown = text.strip();
      throw new WebhookException(
          "an error on the server (\""
              + (shown.length() > SHOWN ? shown.substring(0, SHOWN) : shown)
              + "\") has prevented the request from succeeding");
    }
    try {
      if (Json.parse(answer.body()) instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      throw new WebhookException(
          "couldn't get version/kind; json parse error: " + e.getOriginalMessage(), e);
    }
    throw new WebhookException(
        "couldn't get version/kind; json parse error: the answer is no object");
  }

  /// Closes the connections that wait.
  @Override
  public void close() {
    pool.close();
  }

  /// One call. Its socket may be closed by another thread.
  private final class Attempt {
    private final WebhookClientConfig config;
    private final String target;
    private final byte[] body;
    // Guarded by this.
    private boolean aborted;
    private @Nullable Runnable abort;

    Attempt(WebhookClientConfig config, String target, byte[] body) {
      this.config = config;
      this.target = target;
      this.body = body;
    }

    synchronized void abort() {
      aborted = true;
      if (abort != null) {
        abort.run();
      }
    }

    private synchronized void abortWith(Runnable end) throws IOException {
      abort = end;
      if (aborted) {
        end.run();
        throw new IOException("the time of the call is over");
      }
    }

    WebhookConnection.Answer run() throws IOException, GeneralSecurityException {
      WebhookConnectionPool.Key key = WebhookConnectionPool.Key.of(config);
      WebhookConnection kept = pool.take(key);
      if (kept != null) {
        try {
          return post(key, kept);
        } catch (IOException e) {
          // The webhook has closed it, or its time is over: then a new one fails at once.
          kept.abort();
        }
      }
      return post(key, connect());
    }

    private WebhookConnection.Answer post(
        WebhookConnectionPool.Key key, WebhookConnection connection) throws IOException {
      abortWith(connection::abort);
      Destination destination = config.destination();
      String name = destination.serverName();
      String host = (name.indexOf(':') >= 0 ? "[" + name + "]" : name) + ":" + destination.port();
      try {
        WebhookConnection.Answer answer = connection.post(target, host, body, MOST_BYTES);
        if (connection.isReusable()) {
          pool.give(key, connection);
        } else {
          connection.abort();
        }
        return answer;
      } catch (IOException | RuntimeException e) {
        connection.abort();
        throw e;
      }
    }

    private WebhookConnection connect() throws IOException, GeneralSecurityException {
      Destination destination = config.destination();
      List<InetSocketAddress> places =
          switch (destination) {
            case ServiceReference service ->
                addresses.service(service.namespace(), service.name(), service.port());
            case Url url -> addresses.host(url.serverName(), url.port());
          };
      IOException last = null;
      for (InetSocketAddress place : places) {
        Socket plain = new Socket();
        abortWith(() -> close(plain));
        try {
          return WebhookConnection.open(
              plain, place, destination.serverName(), tls.trusting(config.caBundle()));
        } catch (ConnectException e) {
          // Only what does not listen: another endpoint may.
          last =
              new IOException(
                  "dial tcp "
                      + place.getAddress().getHostAddress()
                      + ":"
                      + place.getPort()
                      + ": connect: connection refused",
                  e);
        }
      }
      throw last == null ? new IOException("no address") : last;
    }

    private static void close(Socket socket) {
      try {
        socket.close();
      } catch (IOException _) {
        // It is gone either way.
      }
    }
  }
}
