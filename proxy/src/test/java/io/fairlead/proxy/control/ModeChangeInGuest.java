package io.fairlead.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.node.Sysctls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A node whose proxy goes to the ipvs mode and back while a client connects all the time. Runs in
/// a guest, whose kernel has IPVS and was built without nftables for IPv4.
public final class ModeChangeInGuest {
  private static final int TIMES = 3;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /// Connections through IPVS that are short enough to end by themselves are not cut off either.
  @Test
  void noConnectionFailsWhileIptablesAndIpvsTakeTurns() throws Exception {
    try (ChangingNode node = new ChangingNode()) {
      node.start(Modes.IPTABLES);
      node.connections().open();
      node.connections().beginMaking(PAUSE);
      for (int i = 0; i < TIMES; i++) {
        node.awaitMade();
        ModeChange.Result there = node.change(Modes.IPVS);
        assertThat(there.left()).isEmpty();
        node.connections().check();
        assertThat(rules(node)).contains("KUBE-IPVS-FILTER").doesNotContain("KUBE-SVC-");
        node.awaitMade();
        ModeChange.Result back = node.change(Modes.IPTABLES);
        assertThat(back.left()).isEmpty();
        assertThat(back.ending()).isTrue();
        node.connections().check();
        assertThat(rules(node)).contains("KUBE-SVC-").doesNotContain("KUBE-IPVS-FILTER");
        assertThat(inside(node, "ipvsadm", "-Sn")).as("virtual servers").isBlank();
        assertThat(inside(node, "ipset", "list", "-n")).as("sets").doesNotContain("KUBE-");
        assertThat(inside(node, "ip", "link")).doesNotContain("kube-ipvs0");
      }
      node.awaitMade();
      for (String mode : List.of(Modes.NFTABLES, Modes.USERSPACE)) {
        assertThatThrownBy(() -> node.change(mode))
            .isInstanceOf(DataPlaneException.class)
            .hasMessageContaining("the kernel takes no IPv4 tables of nftables");
        assertThat(node.proxy().mode()).isEqualTo(Modes.IPTABLES);
      }
      node.awaitMade();
    }
  }

  /// It knows nftables and lists tables; only making one tells.
  @Test
  void modeAutoTakesIptablesAndSaysWhy() {
    Modes modes = new Modes(ProxyConfiguration.defaults(), new Sysctls(Path.of("/proc/sys")));
    Modes.Chosen chosen = modes.choose();
    assertThat(chosen.mode()).isEqualTo(Modes.IPTABLES);
    assertThat(chosen.warning())
        .startsWith("mode auto takes iptables, not nftables: the kernel takes no IPv4 tables of");
    assertThat(chosen.event()).isEmpty();
  }

  private static String rules(ChangingNode node) {
    return inside(node, "iptables-save") + inside(node, "ip6tables-save");
  }

  private static String inside(ChangingNode node, String... words) {
    return Tool.inside(node.lab().node(), ChangingNode.LIMIT).run("", List.of(words)).output();
  }
}
