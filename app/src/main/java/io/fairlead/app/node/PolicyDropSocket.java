package io.fairlead.app.node;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.insight.gather.LocalNodeApi;
import io.fairlead.proxy.mode.ControlSocket;
import io.fairlead.proxy.nodeapi.NodeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What NetworkPolicies dropped, from a policy component that runs alone: it answers `drops` of the
/// node API at a Unix socket, and the proxy of the same node, another process, asks there.
public final class PolicyDropSocket {
  private static final Logger log = LoggerFactory.getLogger(PolicyDropSocket.class);
  private static final int NOT_FOUND = 404;

  private PolicyDropSocket() {}

  /// Answers from now on; where that cannot be, policies are enforced without.
  ///
  /// @param drops the newest, as documents have them
  /// @return what ends it
  public static AutoCloseable serve(Path socket, String node, Supplier<ArrayNode> drops) {
    try {
      return ControlSocket.open(socket, "policy-control", request -> answer(request, node, drops));
    } catch (IOException | UnsupportedOperationException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("takes no questions: explain will not know what was dropped here");
      return () -> {};
    }
  }

  private static ObjectNode answer(ObjectNode request, String node, Supplier<ArrayNode> drops) {
    if (!Json.textOr(request, "", "path").equals("drops")) {
      ObjectNode message = Json.object().put("code", NOT_FOUND);
      message.set("body", ApiException.noSuchResource().status().toJson());
      return message;
    }
    ObjectNode message = Json.object().put("code", 200);
    message.set("body", NodeApi.drops(node, drops.get()));
    return message;
  }

  /// What the policy component of this node says at the socket beside that of a proxy, or at the
  /// usual place; empty when none answers, or only that of another node.
  ///
  /// @param proxySocket where the proxy takes orders
  static Optional<ArrayNode> ask(Path proxySocket, String node) {
    for (Path socket : LocalNodeApi.policySockets(List.of(proxySocket, LocalNodeApi.ALONE))) {
      Optional<ArrayNode> drops = at(socket, node);
      if (drops.isPresent()) {
        return drops;
      }
    }
    return Optional.empty();
  }

  private static Optional<ArrayNode> at(Path socket, String node) {
    if (!Files.exists(socket)) {
      return Optional.empty();
    }
    try {
      ObjectNode answer = ControlSocket.ask(socket, Json.object().put("path", "drops"));
      return node.equals(Json.textOr(answer, "", "body", "node"))
              && answer.path("body").path("drops") instanceof ArrayNode drops
          ? Optional.of(drops)
          : Optional.empty();
    } catch (IOException _) {
      // A socket that a killed process left.
      return Optional.empty();
    }
  }
}
