package io.fairlead.agent.api;

import io.fairlead.agent.log.LogOptions;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.http.status.LoopHealth;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers requests to the node's server, each on a virtual thread. Everything but `/healthz` is
/// for those whom [NodeAccess] lets in.
final class NodeHandler implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(NodeHandler.class);

  private static final Set<String> STREAMS = Set.of("exec", "attach", "portForward");
  private static final String EXPOSITION = "text/plain; version=0.0.4; charset=utf-8";

  private final NodePods pods;
  private final NodeStatsProvider figures;
  private final NodeAccess access;
  private final InstantSource clock;
  private final StreamingHandler streams;
  private final NodeInsightEndpoint insight;
  private final NodeLogFiles logs = new NodeLogFiles(Path.of("/var/log"));

  NodeHandler(
      NodePods pods, NodeStatsProvider figures, NodeServerOptions options, InstantSource clock) {
    this.pods = pods;
    this.figures = figures;
    this.clock = clock;
    this.access = options.access();
    this.insight = new NodeInsightEndpoint(options, pods);
    this.streams = new StreamingHandler(pods);
  }

  @Override
  public void handle(HttpServerExchange exchange) throws IOException, InterruptedException {
    NodeCall call = new NodeCall(exchange);
    try {
      answer(call);
    } catch (ApiException e) {
      refuse(call, e);
    } catch (RuntimeFailure e) {
      refuse(call, ApiException.internal(e.text()));
    } catch (RuntimeException e) {
      log.atError().addKeyValue("path", exchange.maskedUri()).setCause(e).log("request failed");
      refuse(call, ApiException.internal("this is a fault of the node; its log says more"));
    }
  }

  private static void refuse(NodeCall call, ApiException why) throws IOException {
    if (call.isCommitted()) {
      throw why;
    }
    call.send(why.status());
  }

  private void answer(NodeCall call) throws IOException, InterruptedException {
    List<String> path = call.path();
    String first = path.isEmpty() ? "" : path.getFirst();
    if (first.equals("healthz") && path.size() == 1) {
      health(call);
      return;
    }
    if (first.equals("fairlead")) {
      insight.serve(call, path);
      return;
    }
    access.check(call.certificates(), call.token(), verb(first, call), subresource(first));
    call.setAuthenticated();
    switch (first) {
      case "pods" -> only("GET", call, () -> list(call, pods.all()));
      case "runningpods" -> only("GET", call, () -> list(call, pods.running()));
      case "metrics" -> only("GET", call, () -> metrics(call, path));
      case "stats" -> only("GET", call, () -> stats(call, path));
      case "configz" -> only("GET", call, () -> json(call, figures.configuration()));
      case "containerLogs" -> only("GET", call, () -> log(call, path));
      case "logs" -> only("GET", call, () -> logs.serve(call, path));
      case "exec", "attach", "portForward" -> streams.serve(first, call, path);
      default -> throw ApiException.noSuchResource();
    }
  }

  /// A failing loop shows with `?verbose` and changes no code: see [LoopHealth].
  private static void health(NodeCall call) throws IOException {
    String text =
        call.has("verbose")
            ? "[+]ping ok\n" + LoopHealth.line() + "\nhealthz check passed\n"
            : "ok";
    call.send(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  private interface Answer {
    void give() throws IOException, InterruptedException;
  }

  private static void only(String method, NodeCall call, Answer answer)
      throws IOException, InterruptedException {
    if (!call.method().equals(method)) {
      throw ApiException.methodNotAllowed();
    }
    answer.give();
  }

  /// Numbers are for more people than the rest.
  private static String subresource(String first) {
    return switch (first) {
      case "metrics", "stats" -> first;
      case "logs" -> "log";
      default -> "proxy";
    };
  }

  private void metrics(NodeCall call, List<String> path) throws IOException {
    String text =
        switch (String.join("/", path)) {
          case "metrics" -> figures.metrics();
          case "metrics/resource" -> figures.resources();
          case "metrics/probes" -> figures.probes();
          default -> throw ApiException.noSuchResource();
        };
    call.send(200, EXPOSITION, text.getBytes(StandardCharsets.UTF_8));
  }

  private void stats(NodeCall call, List<String> path) throws IOException {
    if (!path.equals(List.of("stats", "summary"))) {
      throw ApiException.noSuchResource();
    }
    json(call, figures.summary());
  }

  private static void json(NodeCall call, ObjectNode body) throws IOException {
    call.send(200, "application/json", Json.bytes(body));
  }

  /// To run programs and reach ports takes more than to look on, with any method: a WebSocket
  /// begins with a GET.
  private static String verb(String first, NodeCall call) {
    if (STREAMS.contains(first)) {
      return "create";
    }
    return switch (call.method()) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> "delete";
      default -> "get";
    };
  }

  private static void list(NodeCall call, List<ObjectNode> pods) throws IOException {
    ObjectNode list = Json.object().put("kind", "PodList").put("apiVersion", "v1");
    list.putObject("metadata");
    ArrayNode items = list.putArray("items");
    pods.forEach(items::add);
    json(call, list);
  }

  private void log(NodeCall call, List<String> path) throws IOException, InterruptedException {
    if (path.size() != 4) {
      throw ApiException.noSuchResource();
    }
    LogOptions wanted =
        new LogOptions(
            call.isOn("follow"),
            call.isOn("timestamps"),
            call.number("tailLines").map(lines -> (int) Math.min(lines, Integer.MAX_VALUE)),
            since(call),
            call.number("limitBytes"));
    // Not closed on the way of an error, which must still be able to answer.
    OutputStream out = call.stream("text/plain");
    pods.log(
        new ObjectKey(path.get(1), path.get(2)), path.get(3), call.isOn("previous"), wanted, out);
    out.close();
  }

  private Optional<Instant> since(NodeCall call) {
    Optional<Long> seconds = call.number("sinceSeconds");
    String moment = call.text("sinceTime");
    if (seconds.isPresent()) {
      return Optional.of(clock.instant().minusSeconds(seconds.get()));
    }
    if (moment.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(moment));
    } catch (DateTimeException e) {
      throw ApiException.badRequest("sinceTime is no time: " + moment);
    }
  }
}
