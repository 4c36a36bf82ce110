package io.fairlead.proxy.mode;

import static io.fairlead.proxy.mode.ModeChangingNode.FIXTURE;
import static io.fairlead.proxy.mode.ModeChangingNode.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
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

  private ModeChangingNode node;

  @BeforeEach
  void build() {
    node = new ModeChangingNode();
  }

  @AfterEach
  void remove() throws IOException {
    node.close();
  }

  /// Everything of netfilter in the node, without what changes by itself.
  private String ruleset() {
    CommandRunner tool = CommandRunner.inside(node.lab().node(), LIMIT);
    String rules = tool.run("", List.of("nft", "list", "ruleset")).output();
    return rules.replaceAll("packets \\d+ bytes \\d+", "").replaceAll("(?m)^# Warning.*\\n", "");
  }

  /// Words that stand for a mode in the ruleset.
  private static String trace(ProxyMode mode) {
    return switch (mode) {
      case IPTABLES -> "KUBE-SERVICES";
      case NFTABLES -> "fairlead-proxy";
      default -> "fairlead-userspace";
    };
  }

  /// Held connections go on, and clients that connect all the time never fail to.
  @Test
  void connectionsLiveOnThroughEveryChangeAndNothingIsLeft() {
    node.start(ProxyMode.IPTABLES);
    node.connections().open();
    node.connections().beginMaking();
    ProxyMode present = ProxyMode.IPTABLES;
    for (ProxyMode next :
        List.of(
            ProxyMode.NFTABLES,
            ProxyMode.USERSPACE,
            ProxyMode.IPTABLES,
            ProxyMode.USERSPACE,
            ProxyMode.NFTABLES,
            ProxyMode.IPTABLES)) {
      node.awaitMade();
      ModeChange.Result result = node.change(next);
      assertThat(result.was()).isEqualTo(present);
      assertThat(result.left()).isEmpty();
      assertThat(node.proxy().mode()).isEqualTo(next);
      node.connections().check();
      if (present.equals(ProxyMode.USERSPACE)) {
        assertThat(result.carried()).as("those opened before").isGreaterThanOrEqualTo(2);
      }
      String rules = ruleset();
      for (ProxyMode mode : List.of(ProxyMode.IPTABLES, ProxyMode.NFTABLES, ProxyMode.USERSPACE)) {
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
                        new SysctlFiles(Path.of("/proc/sys"))
                            .read("net/ipv4/conf/all/route_localnet", -1)))
        .isEqualTo(1);
  }

  @Test
  void goingThereAndBackLeavesTheRulesAsTheyWere() {
    node.start(ProxyMode.NFTABLES);
    node.change(ProxyMode.IPTABLES);
    node.change(ProxyMode.USERSPACE);
    // Tables that iptables makes for itself stay, empty.
    node.change(ProxyMode.NFTABLES);
    String before = ruleset();
    node.change(ProxyMode.USERSPACE);
    node.change(ProxyMode.IPTABLES);
    node.change(ProxyMode.NFTABLES);
    assertThat(ruleset()).isEqualTo(before);
  }

  /// The kernel serves while there is no process to.
  @Test
  void aUserspaceProxyThatIsRestartedIsNotMissed() {
    node.start(ProxyMode.USERSPACE);
    node.connections().beginMaking();
    for (int i = 0; i < 2; i++) {
      node.awaitMade();
      node.stop();
      assertThat(ruleset()).contains("fairlead-proxy").doesNotContain("fairlead-userspace");
      node.awaitMade();
      node.start(ProxyMode.USERSPACE);
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
    node.start(ProxyMode.NFTABLES);
    node.connections().open();
    String before = ruleset();
    assertThatThrownBy(() -> node.change(ProxyMode.of("nonsense")))
        .isInstanceOf(DataPlaneException.class)
        .hasMessageContaining("there is no mode \"nonsense\"");
    assertThat(node.proxy().mode()).isEqualTo(ProxyMode.NFTABLES);
    assertThat(ruleset()).isEqualTo(before);
    node.connections().check();
  }

  @Test
  void theModeIsChangedThroughTheSocketOfTheProxy() throws Exception {
    node.start(ProxyMode.NFTABLES);
    Path path = directory.resolve("run/proxy.sock");
    try (ControlSocket _ =
        node.lab()
            .node()
            .call(
                () ->
                    ControlSocket.open(
                        path,
                        new ControlRequestHandler(
                                node.proxy(),
                                node.changer(),
                                node.nodeApi(),
                                () -> NodePodDirectory.NONE)
                            ::answer))) {
      assertThat(Files.getPosixFilePermissions(path).toString()).doesNotContain("OTHERS", "GROUP");
      assertThat(ControlSocket.ask(path, Json.object()).path("mode").asString(""))
          .isEqualTo("nftables");
      ObjectNode about = ControlSocket.ask(path, Json.object().put("path", "about"));
      assertThat(about.path("code").asInt()).isEqualTo(200);
      assertThat(about.path("body").path("node").asString("")).isEqualTo("node-a");
      ObjectNode changed = ControlSocket.ask(path, Json.object().put("mode", "userspace"));
      assertThat(changed.path("was").asString("")).isEqualTo("nftables");
      assertThat(node.proxy().mode()).isEqualTo(ProxyMode.USERSPACE);
      node.connections().open();
      ObjectNode refused = ControlSocket.ask(path, Json.object().put("mode", "nonsense"));
      assertThat(refused.path("error").asString("")).contains("there is no mode");
      assertThat(refused.path("mode").asString("")).isEqualTo("userspace");
      assertThatThrownBy(() -> ControlSocket.open(path, order -> order))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another process answers there");
    }
  }
}
