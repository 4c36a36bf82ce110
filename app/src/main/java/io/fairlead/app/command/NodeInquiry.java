package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.insight.gather.LocalNodeApi;
import io.fairlead.insight.gather.PodNodeApi;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Asks nodes about themselves: the one of this machine at its proxy's Unix socket, if this user
/// may use it, and all others through the API server.
public final class NodeInquiry {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private final Client client;
  private final PodNodeApi pods;
  private final List<Path> sockets;
  private Optional<LocalNodeApi> local = Optional.empty();
  private boolean looked;

  /// @param connection to the API server
  NodeInquiry(Arguments arguments, CommandContext context, Client client, ClientConfig connection) {
    this.client = client;
    this.pods = new PodNodeApi(connection, client);
    this.sockets = sockets(arguments, context);
  }

  /// Where the proxy of this machine may listen.
  public static List<Path> sockets(Arguments arguments, CommandContext context) {
    return arguments
        .find("control")
        .map(path -> List.of(Path.of(path)))
        .orElseGet(
            () ->
                context.asksThisMachine()
                    ? List.of(
                        DataDirectories.of(arguments, context).proxySocket(), LocalNodeApi.ALONE)
                    : List.of());
  }

  /// A node did not answer.
  static final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    private final int code;

    NoAnswerException(int code, String message) {
      super(message);
      this.code = code;
    }

    /// Of HTTP; 0 when the node was not reached.
    int code() {
      return code;
    }
  }

  /// The name of this machine's node; empty when no proxy answers here, or not to this user.
  Optional<String> localNode() {
    return local().map(LocalNodeApi::node);
  }

  private Optional<LocalNodeApi> local() {
    if (!looked) {
      looked = true;
      local = LocalNodeApi.find(sockets);
    }
    return local;
  }

  ObjectNode get(String node, String what, Map<String, String> query) throws NoAnswerException {
    return ask(
        node, new NodeApiRequest("GET", what, query, Json.object(), "", NodePodDirectory.NONE));
  }

  ObjectNode post(String node, String what, ObjectNode body) throws NoAnswerException {
    return ask(node, new NodeApiRequest("POST", what, Map.of(), body, "", NodePodDirectory.NONE));
  }

  private ObjectNode ask(String node, NodeApiRequest request) throws NoAnswerException {
    Optional<LocalNodeApi> here = local().filter(each -> each.node().equals(node));
    if (here.isPresent()) {
      Optional<ObjectNode> answer = askHere(here.get(), request);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    try {
      return askThere(node, request);
    } catch (ApiException e) {
      throw new NoAnswerException(e.status().code(), String.valueOf(e.getMessage()));
    } catch (ConnectionException e) {
      throw new NoAnswerException(0, String.valueOf(e.getMessage()));
    }
  }

  private ObjectNode askThere(String node, NodeApiRequest request) {
    ApiRequest wanted =
        (request.isPost()
                ? ApiRequest.with("POST", request.path(), request.query(), request.body())
                : ApiRequest.get(request.path(), request.query()))
            .within(LIMIT);
    String escaped = URLEncoder.encode(node, StandardCharsets.UTF_8);
    try {
      return client.raw(wanted.at("/fairlead/v1/nodes/" + escaped + "/" + request.path())).object();
    } catch (ApiException e) {
      return pods.of(node)
          .map(pod -> pod.raw(wanted.at("/fairlead/v1/" + request.path())).object())
          .orElseThrow(() -> e);
    }
  }

  private static Optional<ObjectNode> askHere(LocalNodeApi here, NodeApiRequest request)
      throws NoAnswerException {
    Optional<LocalNodeApi.Answer> answer;
    try {
      answer = here.ask(request);
    } catch (IOException e) {
      throw new NoAnswerException(0, String.valueOf(e.getMessage()));
    }
    if (answer.isPresent() && !answer.get().isFine()) {
      throw new NoAnswerException(
          answer.get().code(), Json.textOr(answer.get().body(), "", "message"));
    }
    return answer.map(LocalNodeApi.Answer::body);
  }
}
