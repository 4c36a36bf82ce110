package io.fairlead.ui;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A trace that tells its hops while it runs: lines of JSON, each with the `hops` that are known so
/// far, the last with the `answer`, or with the `status` that says why there is none.
///
/// How it works: the command runs on a thread of its own, and the node is asked meanwhile how far
/// the packet has come.
record TraceLines(Supplier<Optional<ObjectNode>> progress) {
  /// A node answers ten questions a second of one user, and others are asked of it besides.
  private static final Duration PAUSE = Duration.ofMillis(250);

  void serve(HttpServerExchange exchange, Supplier<ObjectNode> trace)
      throws IOException, InterruptedException {
    try (ExecutorService threads = Tasks.perTask("ui-trace")) {
      Future<ObjectNode> answer = threads.submit(trace::get);
      exchange.setHeader("Content-Type", "application/x-ndjson");
      OutputStream out = exchange.output();
      try {
        line(out, "answer", awaited(answer, out));
      } catch (ExecutionException e) {
        line(out, "status", status(e.getCause()).toJson());
      }
    }
  }

  private ObjectNode awaited(Future<ObjectNode> answer, OutputStream out)
      throws IOException, InterruptedException, ExecutionException {
    int known = 0;
    while (true) {
      try {
        return answer.get(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) {
        JsonNode hops = progress.get().map(said -> said.path("hops")).orElse(Json.array());
        if (hops.size() > known) {
          known = hops.size();
          line(out, "hops", hops);
        }
      }
    }
  }

  private static Status status(@Nullable Throwable why) {
    return why instanceof ApiException refused
        ? refused.status()
        : ApiException.internal(String.valueOf(why)).status();
  }

  private static void line(OutputStream out, String name, JsonNode value) throws IOException {
    ObjectNode line = Json.object();
    line.set(name, value);
    byte[] text = Json.bytes(line);
    byte[] ended = Arrays.copyOf(text, text.length + 1);
    ended[text.length] = '\n';
    out.write(ended);
    out.flush();
  }
}
