package io.fairlead.proxy.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.api.json.Json;
import io.fairlead.client.testing.FakeLines;
import io.fairlead.client.transport.Answer;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Request;
import io.fairlead.client.transport.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Any [Transport], such as an API in memory, as a plain HTTP server: what a proxy in a process of
/// its own talks to in tests. It is no Fairlead server, so the proxy is shown to stand alone.
public final class HttpApi implements AutoCloseable {
  private static final Duration LONG = Duration.ofHours(1);

  private final Transport api;
  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  /// Listens at once, in the network namespace of the calling thread.
  public HttpApi(Transport api, InetSocketAddress address) throws IOException {
    this.api = api;
    server = HttpServer.create(address, 0);
    server.setExecutor(executor);
    server.createContext("/", this::answer);
    server.start();
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
      Request request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getRawPath(),
              query,
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Accept"))
                  .orElse(Request.JSON),
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type")).orElse(""),
              body.length == 0 ? null : Json.parse(body),
              LONG);
      if ("true".equals(query.get("watch"))) {
        watch(exchange, request);
        return;
      }
      Answer answer = api.send(request);
      byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", Request.JSON);
      exchange.sendResponseHeaders(answer.code(), text.length == 0 ? -1 : text.length);
      exchange.getResponseBody().write(text);
    }
  }

  private void watch(HttpExchange exchange, Request request) throws IOException {
    try (LineStream lines = api.stream(request)) {
      exchange.getResponseHeaders().set("Content-Type", Request.JSON);
      exchange.sendResponseHeaders(lines.code(), 0);
      OutputStream out = exchange.getResponseBody();
      out.flush();
      for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
        write(out, line.get());
        // What is ready now goes out together.
        if (lines instanceof FakeLines fake) {
          for (Optional<byte[]> more = fake.poll(); more.isPresent(); more = fake.poll()) {
            write(out, more.get());
          }
        }
        out.flush();
      }
    }
  }

  private static void write(OutputStream out, byte[] line) throws IOException {
    out.write(line);
    out.write('\n');
  }

  private static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      int equal = pair.indexOf('=');
      if (equal > 0) {
        query.put(
            URLDecoder.decode(pair.substring(0, equal), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equal + 1), StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
