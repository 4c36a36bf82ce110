package io.fairlead.proxy.control;

import static io.fairlead.proxy.control.ChangingNode.FIXTURE;
import static io.fairlead.proxy.control.ChangingNode.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.node.Sysctls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// A node whose proxy changes modes while clients talk, with real rules and packets.
@Tag("system")
class LiveModeChangeTest {
  @TempDir Path directory;

  private ChangingNode node;

  @BeforeEach
  void build() {
    node = new ChangingNode();
  }

  @AfterEach
  void remove() throws IOException {
    node.close();
  }

  /// Everything of netfilter in the node, without what changes by itself.
  private String ruleset() {
    Tool tool = Tool.inside(node.lab().node(), LIMIT);
    String rules = tool.run("", List.of("nft", "list", "ruleset")).output();
    return rules.replaceAll("packets \\d+ bytes \\d+", "").replaceAll("(?m)^# Warning.*\\n", "");
  }

  /// Words that stand for a mode in the ruleset.
  private static String trace(String mode) {
    return switch (mode) {
      case Modes.IPTABLES -> "KUBE-SERVICES";
      case Modes.NFTABLES -> "fairlead-proxy";
      default -> "fairlead-userspace";
    };
  }

  /// Held connections go on, and clients that connect all the time never fail to.
  @Test
  void connectionsLiveOnThroughEveryChangeAndNothingIsLeft() {
    node.start(Modes.IPTABLES);
    node.connections().open();
    node.connections().beginMaking();
    String present = Modes.IPTABLES;
    for (String next :
        List.of(
            Modes.NFTABLES,
            Modes.USERSPACE,
            Modes.IPTABLES,
            Modes.USERSPACE,
            Modes.NFTABLES,
            Modes.IPTABLES)) {
      node.awaitMade();
      ModeChange.Result result = node.change(next);
      assertThat(result.was()).isEqualTo(present);
      assertThat(result.left()).isEmpty();
      assertThat(node.proxy().mode()).isEqualTo(next);
      node.connections().check();
      if (present.equals(Modes.USERSPACE)) {
        assertThat(result.carried()).as("those opened before").isGreaterThanOrEqualTo(2);
      }
      String rules = ruleset();
      for (String mode : List.of(Modes.IPTABLES, Modes.NFTABLES, Modes.USERSPACE)) {
        assertThat(rules.contains(trace(mode)))
            .as(mode + " in " + next)
            .isEqualTo(mode.equals(next));
      }
      node.connections().open();
      Attempt attempt =
          node.lab()
              .call(
                  Origin.EXTERNAL,
                  FIXTURE.source(Origin.EXTERNAL),
                  FIXTURE.source(Origin.NODE),
                  30080,
                  Protocol.TCP,
                  LIMIT);
      assertThat(attempt).isInstanceOf(Attempt.Reached.class);
      present = next;
    }
    node.awaitMade();
    assertThat(
            node.lab()
                .node()
                .call(
                    () ->
                        new Sysctls(Path.of("/proc/sys"))
                            .read("net/ipv4/conf/all/route_localnet", -1)))
        .isEqualTo(1);
  }

  @Test
  void goingThereAndBackLeavesTheRulesAsTheyWere() {
    node.start(Modes.NFTABLES);
    node.change(Modes.IPTABLES);
    node.change(Modes.USERSPACE);
    // Tables that iptables makes for itself stay, empty.
    node.change(Modes.NFTABLES);
    String before = ruleset();
    node.change(Modes.USERSPACE);
    node.change(Modes.IPTABLES);
    node.change(Modes.NFTABLES);
    assertThat(ruleset()).isEqualTo(before);
  }

  /// The kernel serves while there is no process to.
  @Test
  void aUserspaceProxyThatIsRestartedIsNotMissed() {
    node.start(Modes.USERSPACE);
    node.connections().beginMaking();
    for (int i = 0; i < 2; i++) {
      node.awaitMade();
      node.stop();
      assertThat(ruleset()).contains("fairlead-proxy").doesNotContain("fairlead-userspace");
      node.awaitMade();
      node.start(Modes.USERSPACE);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(ruleset())
                      .contains("fairlead-userspace")
                      .doesNotContain("fairlead-proxy"));
    }
    node.awaitMade();
  }

  @Test
  void aModeThatCannotBeHadChangesNothing() {
    node.start(Modes.NFTABLES);
    node.connections().open();
    String before = ruleset();
    assertThatThrownBy(() -> node.change("nonsense"))
        .isInstanceOf(DataPlaneException.class)
        .hasMessageContaining("there is no mode \"nonsense\"");
    assertThat(node.proxy().mode()).isEqualTo(Modes.NFTABLES);
    assertThat(ruleset()).isEqualTo(before);
    node.connections().check();
  }

  @Test
  void theModeIsChangedThroughTheSocketOfTheProxy() throws Exception {
    node.start(Modes.NFTABLES);
    Path path = directory.resolve("run/proxy.sock");
    try (ControlSocket _ =
        node.lab()
            .node()
            .call(
                () -> ControlSocket.open(path, new Orders(node.proxy(), node.changer())::answer))) {
      assertThat(Files.getPosixFilePermissions(path).toString()).doesNotContain("OTHERS", "GROUP");
      assertThat(ControlSocket.ask(path, Json.object()).path("mode").asString(""))
          .isEqualTo("nftables");
      ObjectNode changed = ControlSocket.ask(path, Json.object().put("mode", "userspace"));
      assertThat(changed.path("was").asString("")).isEqualTo("nftables");
      assertThat(node.proxy().mode()).isEqualTo("userspace");
      node.connections().open();
      ObjectNode refused = ControlSocket.ask(path, Json.object().put("mode", "nonsense"));
      assertThat(refused.path("error").asString("")).contains("there is no mode");
      assertThat(refused.path("mode").asString("")).isEqualTo("userspace");
      assertThatThrownBy(() -> ControlSocket.open(path, order -> order))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another proxy answers there");
    }
  }
}
