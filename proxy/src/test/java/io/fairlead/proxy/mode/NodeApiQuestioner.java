package io.fairlead.proxy.mode;

import static io.fairlead.proxy.mode.ModeChangingNode.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.nodeapi.NodeApi;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import io.fairlead.proxy.nodeapi.NodePodDirectory.NodePod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/// Asks the node API of a node of the lab, in the node's namespace.
final class NodeApiQuestioner {
  private static final AtomicInteger USERS = new AtomicInteger();

  private final ModeChangingNode node;

  NodeApiQuestioner(ModeChangingNode node) {
    this.node = node;
  }

  String shell(NetworkNamespace where, String script) {
    CommandRunner.Result result =
        CommandRunner.inside(where, LIMIT).run("set -e\n" + script, List.of("sh"));
    assertThat(result.exit()).as(script + result.error()).isZero();
    return result.output().strip();
  }

  /// The pods of the lab, by name.
  NodePodDirectory pods() {
    return uid ->
        Set.of("pod", "L1", "L2").contains(uid)
            ? Optional.of(
                new NodePod(
                    new ObjectKey("shop", uid), uid, Optional.of(node.lab().namespace(uid).path())))
            : Optional.empty();
  }

  /// As a user of its own for each request: the limit is tried elsewhere.
  NodeApi.Answer answer(String method, String path, Map<String, String> query, ObjectNode body) {
    return answer(method, path, query, body, "user-" + USERS.incrementAndGet());
  }

  NodeApi.Answer answer(
      String method, String path, Map<String, String> query, ObjectNode body, String user) {
    return node.lab()
        .node()
        .call(
            () ->
                node.nodeApi().answer(new NodeApiRequest(method, path, query, body, user, pods())));
  }

  ObjectNode get(String path, Map<String, String> query) {
    NodeApi.Answer answer = answer("GET", path, query, Json.object());
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
    assertThat(Json.textOr(answer.body(), "", "apiVersion")).isEqualTo("fairlead.dev/v1");
    return answer.body();
  }

  /// What a trace or a probe is asked for.
  ///
  /// @param from a pod; empty for the node
  static ObjectNode request(String from, String address, int port) {
    ObjectNode body = Json.object().put("timeoutMillis", 500);
    if (from.isEmpty()) {
      body.putObject("from").put("node", true);
    } else {
      body.putObject("from").put("pod", from);
    }
    body.putObject("to").put("address", address).put("port", port);
    return body;
  }
}
