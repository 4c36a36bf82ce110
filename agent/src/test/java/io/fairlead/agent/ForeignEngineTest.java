package io.fairlead.agent;

import static io.fairlead.agent.ContainersFixture.BUSYBOX;
import static io.fairlead.agent.ContainersFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A containerd that was there before the agent: the agent is told its socket, uses it, and leaves
/// it as it was. Its addresses are none of the agent's business.
@Tag("system")
class ForeignEngineTest {
  private static final String WAITS =
      "containers: [{name: c, image: '"
          + BUSYBOX
          + "', command: [sh, -c, \"trap 'exit 0' TERM; while :; do sleep 0.1; done\"]}]";

  @TempDir static Path directory;
  private static NetworkNamespace node;
  private static Path home;
  private static PrivateContainerd engine;

  @BeforeAll
  static void start() throws InterruptedException {
    node = TestNode.machine("foreign");
    home = directory.resolve("engine");
    engine = new PrivateContainerd(home, HostNamespace.of(node), Pacer.system());
    engine.start(List.of(Cidr.parse("10.244.23.0/24")), directory.resolve("addresses"));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    try {
      engine.end();
    } finally {
      node.delete();
    }
  }

  @ParameterizedTest(name = "runtime={0}")
  @EnumSource(
      value = RuntimeOptions.Kind.class,
      names = {"CRI", "AUTO"})
  void itIsUsedAndLeftRunning(RuntimeOptions.Kind kind) throws IOException, InterruptedException {
    ContainersFixture lab =
        ContainersFixture.start(directory.resolve(kind.name()), node, home, kind);
    try (lab) {
      lab.pod("steady", WAITS);
      lab.cluster().awaitReady("steady");
      String before = Json.textOr(lab.cluster().status("steady"), "", "containerID");
      assertThat(before).startsWith("containerd://");
      assertThat(Json.textOr(lab.cluster().pod("steady"), "", "status", "podIP"))
          .startsWith("10.244.23.");
      if (kind == RuntimeOptions.Kind.AUTO) {
        lab.pod("plain", "containers: [{name: c, image: fairlead.dev/pause}]");
        lab.cluster().awaitReady("plain");
        assertThat(Json.textOr(lab.cluster().status("plain"), "", "containerID"))
            .startsWith("fairlead-builtin://");
      }

      restartEngine(lab);
      untouched(lab, before);
      lab.restartAgent();
      // One that comes later shows that the agent has looked at all pods.
      lab.pod("later", WAITS);
      lab.cluster().awaitReady("later");
      untouched(lab, before);
    }
    assertThat(engine.process()).as("the agent does not end what is not its own").isPresent();
    assertThat(lab.ctr("containers", "ls", "-q").output()).as("pods left in it").isEmpty();
  }

  /// Its supervisor starts it again.
  private static void restartEngine(ContainersFixture lab) {
    ProcessHandle first = engine.process().orElseThrow();
    first.destroyForcibly();
    await().atMost(PATIENCE).until(() -> !first.isAlive() && engine.process().isPresent());
    await().atMost(PATIENCE).until(() -> lab.ctr("version").succeeded());
  }

  private static void untouched(ContainersFixture lab, String before) {
    lab.cluster().awaitReady("steady");
    assertThat(Json.textOr(lab.cluster().status("steady"), "", "containerID")).isEqualTo(before);
    assertThat(lab.cluster().status("steady").path("restartCount").asInt(-1)).isZero();
  }
}
