package io.fairlead.agent.builtin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// Answers every HTTP request with the pod's host name, so that one sees which pod served it. On
/// port 9376, or where `PORT` says. `/source` answers with the caller's address instead, and
/// `/healthz` with ok.
final class HostNameServer implements Workload {
  private static final int PORT = 9376;

  @Override
  public Running start(Context context, ContainerConfig config, LogFile log) {
    int port = InProcessWorkload.port(config, PORT);
    HttpServer server =
        context.call(
            () -> {
              try {
                return HttpServer.create(new InetSocketAddress(port), 128);
              } catch (IOException e) {
                throw new RuntimeFailure(
                    "RunContainerError", "cannot listen on port " + port + ": " + e.getMessage());
              }
            });
    ExecutorService threads = Tasks.perTask("hostnames");
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, context.hostname()));
    server.start();
    log.line("serving the host name " + context.hostname() + " on port " + port);
    return new InProcessWorkload(
        () -> {
          server.stop(0);
          threads.shutdownNow();
        });
  }

  private static void answer(HttpExchange exchange, String hostname) throws IOException {
    try (exchange) {
      @Nullable String path = exchange.getRequestURI().getPath();
      String text =
          switch (path == null ? "/" : path) {
            case "/healthz" -> "ok\n";
            case "/source" -> exchange.getRemoteAddress().getAddress().getHostAddress() + "\n";
            default -> hostname + "\n";
          };
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
