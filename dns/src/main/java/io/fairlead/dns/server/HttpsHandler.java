package io.fairlead.dns.server;

import io.fairlead.dns.plugin.Origin;
import io.fairlead.dns.plugin.Transport;
import io.fairlead.dns.wire.Message;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.QueryView.Verdict;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.wire.WireException;
import io.prometheus.metrics.core.metrics.Counter;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/// Takes questions out of HTTP requests and puts replies into responses. Runs on a virtual thread
/// for each request.
final class HttpsHandler extends Handler.Abstract {
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
    super(InvocationType.BLOCKING);
    this.router = router;
    this.runner = runner;
    this.responses = responses;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (!Request.getPathInContext(request).equals(PATH)) {
      return end(response, callback, MISSING, null);
    }
    boolean get = HttpMethod.GET.is(request.getMethod());
    if (!get && !HttpMethod.POST.is(request.getMethod())) {
      return end(response, callback, BAD_METHOD, null);
    }
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    if (!get && !TYPE.equals(type)) {
      return end(response, callback, BAD_TYPE, null);
    }
    Optional<byte[]> packet = get ? parameter(request) : body(request);
    if (packet.isEmpty()) {
      return end(response, callback, BAD, null);
    }
    byte[] reply = answer(packet.get(), request);
    return end(response, callback, reply == null ? NO_REPLY : FINE, reply);
  }

  private static Optional<byte[]> parameter(Request request) {
    Fields fields = Request.extractQueryParameters(request);
    String text = fields.getValue("dns");
    if (text == null || text.length() > LARGEST * 4 / 3 + 4) {
      return Optional.empty();
    }
    try {
      return question(Base64.getUrlDecoder().decode(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> body(Request request) throws IOException {
    try (InputStream in = Content.Source.asInputStream(request)) {
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

  private byte @Nullable [] answer(byte[] packet, Request request) {
    Router now = router.get();
    Origin origin =
        new Origin(
            (InetSocketAddress) request.getConnectionMetaData().getRemoteSocketAddress(),
            (InetSocketAddress) request.getConnectionMetaData().getLocalSocketAddress(),
            Transport.HTTPS,
            now.key().toString());
    AtomicReference<byte @Nullable []> reply = new AtomicReference<>();
    runner.run(packet, origin, now, reply::set);
    return reply.get();
  }

  private boolean end(Response response, Callback callback, int status, byte @Nullable [] message) {
    responses.labelValues(router.get().key().toString(), Integer.toString(status)).inc();
    response.setStatus(status);
    if (message == null) {
      callback.succeeded();
      return true;
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, TYPE);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "max-age=" + lifetime(message));
    response.write(true, ByteBuffer.wrap(message), callback);
    return true;
  }

  /// How long a reply may be kept: as long as the record that dies first.
  private static int lifetime(byte[] bytes) {
    try {
      Message message = Message.read(bytes);
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
