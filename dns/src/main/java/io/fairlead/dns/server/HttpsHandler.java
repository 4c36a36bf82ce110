package io.fairlead.dns.server;

import io.fairlead.api.status.ApiException;
import io.fairlead.dns.plugin.QueryOrigin;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.QueryView.Verdict;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.wire.WireException;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.RequestHandler;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Takes questions out of HTTP requests and puts replies into responses. Runs on a virtual thread
/// for each request.
final class HttpsHandler implements RequestHandler {
  private static final String PATH = "/dns-query";
  private static final String TYPE = "application/dns-message";
  private static final int LARGEST = 65_535;
  private static final int FINE = 200;
  private static final int BAD = 400;
  private static final int MISSING = 404;
  private static final int BAD_METHOD = 405;
  private static final int BAD_TYPE = 415;
  private static final int NO_REPLY = 500;

  private final Supplier<Router> router;
  private final ChainRunner runner;
  private final Counter responses;

  HttpsHandler(Supplier<Router> router, ChainRunner runner, Counter responses) {
    this.router = router;
    this.runner = runner;
    this.responses = responses;
  }

  @Override
  public void handle(HttpServerExchange exchange) throws IOException {
    if (!exchange.path().equals(PATH)) {
      end(exchange, MISSING, null);
      return;
    }
    boolean get = exchange.method().equals("GET");
    if (!get && !exchange.method().equals("POST")) {
      end(exchange, BAD_METHOD, null);
      return;
    }
    if (!get && !TYPE.equals(exchange.header("Content-Type"))) {
      end(exchange, BAD_TYPE, null);
      return;
    }
    Optional<byte[]> packet = get ? parameter(exchange) : body(exchange);
    if (packet.isEmpty()) {
      end(exchange, BAD, null);
      return;
    }
    byte[] reply = answer(packet.get(), exchange);
    end(exchange, reply == null ? NO_REPLY : FINE, reply);
  }

  private static Optional<byte[]> parameter(HttpServerExchange exchange) {
    try {
      String text = exchange.query().text("dns");
      return text.isEmpty() || text.length() > LARGEST * 4 / 3 + 4
          ? Optional.empty()
          : question(Base64.getUrlDecoder().decode(text));
    } catch (IllegalArgumentException | ApiException _) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> body(HttpServerExchange exchange) throws IOException {
    try (InputStream in = exchange.body()) {
      byte[] bytes = in.readNBytes(LARGEST + 1);
      return bytes.length > LARGEST ? Optional.empty() : question(bytes);
    }
  }

  /// Bytes that can be answered; what is no message at all is HTTP's affair.
  private static Optional<byte[]> question(byte[] bytes) {
    Verdict verdict = new QueryView().read(bytes, bytes.length);
    return verdict == Verdict.DROP || verdict == Verdict.FORMAT_ERROR
        ? Optional.empty()
        : Optional.of(bytes);
  }

  private byte @Nullable [] answer(byte[] packet, HttpServerExchange exchange) {
    Router now = router.get();
    QueryOrigin origin =
        new QueryOrigin(
            (InetSocketAddress) exchange.remoteSocketAddress(),
            (InetSocketAddress) exchange.localSocketAddress(),
            QueryTransport.HTTPS,
            now.key().toString());
    AtomicReference<byte @Nullable []> reply = new AtomicReference<>();
    runner.run(packet, origin, now, reply::set);
    return reply.get();
  }

  private void end(HttpServerExchange exchange, int status, byte @Nullable [] message)
      throws IOException {
    responses.labelValues(router.get().key().toString(), Integer.toString(status)).inc();
    exchange.setStatus(status);
    if (message != null) {
      exchange.setHeader("Content-Type", TYPE);
      exchange.setHeader("Cache-Control", "max-age=" + lifetime(message));
      exchange.send(message, message.length);
    }
  }

  /// How long a reply may be kept: as long as the record that dies first.
  private static int lifetime(byte[] bytes) {
    try {
      DnsMessage message = DnsMessage.read(bytes);
      return Stream.of(message.answer(), message.authority(), message.additional())
          .flatMap(List::stream)
          .mapToInt(ResourceRecord::ttl)
          .min()
          .orElse(0);
    } catch (WireException e) {
      throw new IllegalStateException("a reply of our own cannot be read", e);
    }
  }
}
