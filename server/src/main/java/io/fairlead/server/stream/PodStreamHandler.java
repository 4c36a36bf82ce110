package io.fairlead.server.stream;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.QueryParameters;
import io.fairlead.server.auth.WebSocketBearer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import tools.jackson.databind.node.ObjectNode;

/// Serves what a pod's node has: logs, exec, attach, port-forward. The request is passed on to the
/// node's own server; what is spoken after an upgrade is between the client and the node.
public final class PodStreamHandler {
  private static final List<String> LOG_PARAMETERS =
      List.of(
          "follow",
          "previous",
          "timestamps",
          "sinceSeconds",
          "sinceTime",
          "tailLines",
          "limitBytes");

  /// The API's names of a program's streams, and the node's.
  private static final Map<String, String> STREAMS =
      Map.of("stdin", "input", "stdout", "output", "stderr", "error", "tty", "tty");

  private static final List<String> UPGRADE_HEADERS =
      List.of(
          "Sec-WebSocket-Key",
          "Sec-WebSocket-Version",
          "Sec-WebSocket-Extensions",
          "X-Stream-Protocol-Version");

  private final NodeDirectory nodes;

  public PodStreamHandler(NodeDirectory nodes) {
    this.nodes = nodes;
  }

  /// The output of a container. A pod that is on no node yet has none.
  public void log(HttpServerExchange exchange, ObjectNode pod) throws IOException {
    QueryParameters query = exchange.query();
    String container = ContainerSelector.choose(query.text("container"), pod);
    String node = node(pod);
    if (node.isEmpty()) {
      exchange.setStatus(204);
      return;
    }
    StringJoiner parameters = new StringJoiner("&", "?", "").setEmptyValue("");
    for (String name : LOG_PARAMETERS) {
      if (query.has(name)) {
        parameters.add(name + "=" + encode(query.text(name)));
      }
    }
    HttpClientConnection peer = nodes.connect(node);
    UpgradeAwareProxy relay = new UpgradeAwareProxy(exchange, peer);
    try {
      relay.ask("GET", path("containerLogs", pod, container) + parameters, headers(node));
      if (exchange.wantsWebSocket()) {
        WebSocketLog.serve(exchange, relay, node, offered(exchange));
      } else {
        relay.nodeAnswer(node, ProxiedLinks.NONE);
      }
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  /// Exec, attach or port-forward.
  ///
  /// @param what the subresource
  /// @throws ApiException 400 when the pod is on no node, or the client cannot speak both ways
  public void stream(String what, HttpServerExchange exchange, ObjectNode pod) throws IOException {
    String node = node(pod);
    if (node.isEmpty()) {
      throw ApiException.badRequest(
          "pod " + Json.textOr(pod, "", "metadata", "name") + " does not have a host assigned");
    }
    String upgrade = exchange.header("Upgrade");
    if (upgrade == null) {
      throw ApiException.badRequest("Upgrade request required");
    }
    String target = target(what, exchange.query(), pod);
    List<Map.Entry<String, String>> headers = new ArrayList<>(headers(node));
    headers.add(Map.entry("Connection", "Upgrade"));
    headers.add(Map.entry("Upgrade", upgrade));
    for (String name : UPGRADE_HEADERS) {
      for (String value : exchange.headers(name)) {
        headers.add(Map.entry(name, value));
      }
    }
    // A browser's token is for this server only.
    List<String> protocols = WebSocketBearer.of(offered(exchange)).protocols();
    if (!protocols.isEmpty()) {
      headers.add(Map.entry("Sec-WebSocket-Protocol", String.join(", ", protocols)));
    }
    HttpClientConnection peer = nodes.connect(node);
    UpgradeAwareProxy relay = new UpgradeAwareProxy(exchange, peer);
    try {
      relay.ask(exchange.method(), target, headers);
      relay.nodeAnswer(node, ProxiedLinks.NONE);
    } catch (IOException | RuntimeException e) {
      peer.close();
      throw e;
    }
  }

  private static String target(String what, QueryParameters query, ObjectNode pod) {
    StringJoiner parameters = new StringJoiner("&", "?", "").setEmptyValue("");
    if (what.equals("portforward")) {
      query.all("ports").forEach(port -> parameters.add("port=" + encode(port)));
      return path("portForward", pod, "") + parameters;
    }
    if (what.equals("exec")) {
      query.all("command").forEach(word -> parameters.add("command=" + encode(word)));
    }
    for (Map.Entry<String, String> stream : STREAMS.entrySet()) {
      if (query.isOn(stream.getKey())) {
        parameters.add(stream.getValue() + "=1");
      }
    }
    return path(what, pod, ContainerSelector.choose(query.text("container"), pod)) + parameters;
  }

  private static String path(String what, ObjectNode pod, String container) {
    String path =
        "/"
            + what
            + "/"
            + encode(Json.textOr(pod, "", "metadata", "namespace"))
            + "/"
            + encode(Json.textOr(pod, "", "metadata", "name"));
    return container.isEmpty() ? path : path + "/" + encode(container);
  }

  private static String node(ObjectNode pod) {
    return Json.textOr(pod, "", "spec", "nodeName");
  }

  private static List<String> offered(HttpServerExchange exchange) {
    return exchange.headers("Sec-WebSocket-Protocol").stream()
        .flatMap(header -> Arrays.stream(header.split(",")))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static List<Map.Entry<String, String>> headers(String node) {
    return List.of(Map.entry("Host", node), Map.entry("User-Agent", "fairlead-apiserver"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
