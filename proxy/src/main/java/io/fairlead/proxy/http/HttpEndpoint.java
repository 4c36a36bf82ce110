package io.fairlead.proxy.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// A server that answers questions with small texts. Requests run on virtual threads.
public final class HttpEndpoint implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";

  /// What is asked.
  ///
  /// @param ipv4 it came to an IPv4 address
  public record Question(String path, boolean ipv4) {}

  /// What is answered.
  public record Answer(int status, String contentType, Map<String, String> headers, byte[] body) {
    public static Answer text(int status, String body) {
      return of(status, TEXT, body);
    }

    public static Answer of(int status, String contentType, String body) {
      return new Answer(status, contentType, Map.of(), body.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer notFound() {
      return text(404, "404 page not found\n");
    }
  }

  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

  /// Listens at once.
  ///
  /// @param address a port of 0 takes a free one
  public HttpEndpoint(InetSocketAddress address, Function<Question, Answer> handler)
      throws IOException {
    server = HttpServer.create(address, 0);
    server.setExecutor(executor);
    server.createContext("/", exchange -> answer(exchange, handler));
    server.start();
  }

  private static void answer(HttpExchange exchange, Function<Question, Answer> handler)
      throws IOException {
    try (exchange) {
      boolean ipv4 = exchange.getLocalAddress().getAddress().getAddress().length == 4;
      Answer answer = handler.apply(new Question(exchange.getRequestURI().getPath(), ipv4));
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
      boolean headOnly = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(
          answer.status(), headOnly || answer.body().length == 0 ? -1 : answer.body().length);
      if (!headOnly && answer.body().length > 0) {
        exchange.getResponseBody().write(answer.body());
      }
    }
  }

  public InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
