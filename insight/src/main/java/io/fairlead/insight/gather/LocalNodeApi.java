package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.proxy.mode.ControlSocket;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The node API of this machine's node, at the Unix socket of its proxy or of its policy component:
/// for root, without an API server of ours between.
///
/// @param node the name of the node
/// @param socket where that component listens
public record LocalNodeApi(String node, Path socket) {
  /// Where a proxy that runs alone listens.
  public static final Path ALONE = Path.of("/run/fairlead/proxy.sock");

  private static final String POLICY = "policy.sock";
  private static final int FINE = 200;
  private static final int NOT_FOUND = 404;

  /// What it said.
  ///
  /// @param code of HTTP
  public record Answer(int code, ObjectNode body) {
    public boolean isFine() {
      return code == FINE;
    }
  }

  /// The first of some sockets at which a node answers this user.
  public static Optional<LocalNodeApi> find(List<Path> sockets) {
    return find(sockets, "about");
  }

  /// The policy component of this machine's node, where it is a process of its own: it answers
  /// `drops` only.
  ///
  /// @param sockets where the node's proxy may listen
  public static Optional<LocalNodeApi> findPolicy(List<Path> sockets) {
    return find(policySockets(sockets), "drops");
  }

  /// Where a policy component that runs alone may listen: beside these sockets of proxies.
  public static List<Path> policySockets(List<Path> proxies) {
    return proxies.stream().map(socket -> socket.resolveSibling(POLICY)).distinct().toList();
  }

  private static Optional<LocalNodeApi> find(List<Path> sockets, String question) {
    for (Path socket : sockets) {
      if (Files.isWritable(socket)) {
        Optional<LocalNodeApi> found = at(socket, question);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<LocalNodeApi> at(Path socket, String question) {
    try {
      ObjectNode answer =
          ControlSocket.ask(socket, Json.object().put("method", "GET").put("path", question));
      String name = Json.textOr(answer, "", "body", "node");
      return name.isEmpty() ? Optional.empty() : Optional.of(new LocalNodeApi(name, socket));
    } catch (IOException _) {
      // A socket that a killed proxy left.
      return Optional.empty();
    }
  }

  /// Empty when the proxy does not know the pod that is named: its agent is another process, which
  /// the API server reaches.
  public Optional<Answer> ask(NodeApiRequest request) throws IOException {
    ObjectNode answer = ControlSocket.ask(socket, request.toJson());
    int code = answer.path("code").asInt(0);
    if (code == NOT_FOUND && !request.podUid().isEmpty()) {
      return Optional.empty();
    }
    return answer.path("body") instanceof ObjectNode body
        ? Optional.of(new Answer(code, body))
        : Optional.empty();
  }
}
