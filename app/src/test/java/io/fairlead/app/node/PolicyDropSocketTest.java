package io.fairlead.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.insight.gather.LocalNodeApi;
import io.fairlead.proxy.mode.ControlSocket;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class PolicyDropSocketTest {
  @TempDir private Path directory;

  private Path proxy() {
    return directory.resolve("proxy.sock");
  }

  private Path policy() {
    return directory.resolve("policy.sock");
  }

  private static ArrayNode drops() {
    ArrayNode drops = Json.array();
    drops.addObject().put("policy", "default/deny").put("count", 3);
    return drops;
  }

  @Test
  void theProxyOfTheNodeReadsThem() throws Exception {
    assertThat(PolicyDropSocket.ask(proxy(), "node-of-this-test")).isEmpty();
    try (AutoCloseable _ =
        PolicyDropSocket.serve(policy(), "node-of-this-test", PolicyDropSocketTest::drops)) {
      assertThat(PolicyDropSocket.ask(proxy(), "node-of-this-test")).contains(drops());
      assertThat(PolicyDropSocket.ask(proxy(), "other-node-of-this-test")).isEmpty();
    }
    assertThat(policy()).doesNotExist();
    assertThat(PolicyDropSocket.ask(proxy(), "node-of-this-test")).isEmpty();
  }

  @Test
  void aCommandReadsThemWhereTheProxyIsAnothers() throws Exception {
    try (AutoCloseable _ = PolicyDropSocket.serve(policy(), "a", PolicyDropSocketTest::drops)) {
      LocalNodeApi found = LocalNodeApi.findPolicy(List.of(proxy())).orElseThrow();
      assertThat(found.node()).isEqualTo("a");
      Optional<LocalNodeApi.Answer> answer =
          found.ask(
              new NodeApiRequest(
                  "GET", "drops", Map.of(), Json.object(), "", NodePodDirectory.NONE));
      assertThat(answer.map(LocalNodeApi.Answer::isFine)).contains(true);
      assertThat(answer.map(each -> each.body().path("drops"))).contains(drops());
      assertThat(answer.map(each -> Json.textOr(each.body(), "", "apiVersion")))
          .contains("fairlead.dev/v1");
    }
  }

  @Test
  void nothingElseIsAnsweredThere() throws Exception {
    try (AutoCloseable _ = PolicyDropSocket.serve(policy(), "a", PolicyDropSocketTest::drops)) {
      ObjectNode answer = ControlSocket.ask(policy(), Json.object().put("path", "about"));
      assertThat(answer.path("code").asInt()).isEqualTo(404);
      assertThat(Json.textOr(answer, "", "body", "kind")).isEqualTo("Status");
      assertThat(LocalNodeApi.find(List.of(policy()))).isEmpty();
    }
  }

  @Test
  void aSocketThatCannotBeHadIsNoObstacle() throws Exception {
    try (AutoCloseable _ = PolicyDropSocket.serve(policy(), "a", PolicyDropSocketTest::drops);
        AutoCloseable _ = PolicyDropSocket.serve(policy(), "b", PolicyDropSocketTest::drops)) {
      assertThat(PolicyDropSocket.ask(proxy(), "a")).contains(drops());
    }
  }
}
