package io.fairlead.agent.pod;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Something to do to a container from outside: the body of a probe or of a lifecycle hook.
public sealed interface HandlerAction {
  /// Asks over HTTP.
  ///
  /// @param host empty for the pod's address
  /// @param port a number or the name of a port of the container
  record HttpGet(
      String host,
      String port,
      String path,
      boolean encrypted,
      List<Map.Entry<String, String>> headers)
      implements HandlerAction {
    public HttpGet {
      headers = List.copyOf(headers);
    }
  }

  /// Opens a connection.
  record TcpSocket(String host, String port) implements HandlerAction {}

  /// Runs a program in the container.
  record Exec(List<String> command) implements HandlerAction {
    public Exec {
      command = List.copyOf(command);
    }
  }

  /// Asks the health service of gRPC.
  record Grpc(int port, String service) implements HandlerAction {}

  /// Waits.
  record Sleep(long seconds) implements HandlerAction {}

  /// Reads the handler inside a probe or a hook; empty when it has none that is known.
  static Optional<HandlerAction> of(JsonNode handler) {
    if (handler.path("httpGet") instanceof JsonNode http && http.isObject()) {
      List<Map.Entry<String, String>> headers = new ArrayList<>();
      for (JsonNode header : http.path("httpHeaders")) {
        headers.add(Map.entry(Json.textOr(header, "", "name"), Json.textOr(header, "", "value")));
      }
      return Optional.of(
          new HttpGet(
              Json.textOr(http, "", "host"),
              http.path("port").asString(""),
              Json.textOr(http, "/", "path"),
              Json.textOr(http, "HTTP", "scheme").equals("HTTPS"),
              headers));
    }
    if (handler.path("tcpSocket").isObject()) {
      JsonNode tcp = handler.path("tcpSocket");
      return Optional.of(
          new TcpSocket(Json.textOr(tcp, "", "host"), tcp.path("port").asString("")));
    }
    if (handler.path("exec").isObject()) {
      return Optional.of(new Exec(Pod.texts(handler.path("exec").path("command"))));
    }
    if (handler.path("grpc").isObject()) {
      JsonNode grpc = handler.path("grpc");
      return Optional.of(new Grpc(grpc.path("port").asInt(0), Json.textOr(grpc, "", "service")));
    }
    if (handler.path("sleep").isObject()) {
      return Optional.of(new Sleep(handler.path("sleep").path("seconds").asLong(0)));
    }
    return Optional.empty();
  }
}
