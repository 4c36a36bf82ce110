package io.fairlead.proxy.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.node.SysctlFiles;
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
    try (ModeChangingNode node = new ModeChangingNode()) {
      node.start(ProxyMode.IPTABLES);
      node.connections().open();
      node.connections().beginMaking(PAUSE);
      for (int i = 0; i < TIMES; i++) {
        node.awaitMade();
        ModeChange.Result there = node.change(ProxyMode.IPVS);
        assertThat(there.left()).isEmpty();
        node.connections().check();
        assertThat(rules(node)).contains("KUBE-IPVS-FILTER").doesNotContain("KUBE-SVC-");
        node.awaitMade();
        ModeChange.Result back = node.change(ProxyMode.IPTABLES);
        assertThat(back.left()).isEmpty();
        assertThat(back.ending()).isTrue();
        node.connections().check();
        assertThat(rules(node)).contains("KUBE-SVC-").doesNotContain("KUBE-IPVS-FILTER");
        assertThat(inside(node, "ipvsadm", "-Sn")).as("virtual servers").isBlank();
        assertThat(inside(node, "ipset", "list", "-n")).as("sets").doesNotContain("KUBE-");
        assertThat(inside(node, "ip", "link")).doesNotContain("kube-ipvs0");
      }
      node.awaitMade();
      for (ProxyMode mode : List.of(ProxyMode.NFTABLES, ProxyMode.USERSPACE)) {
        assertThatThrownBy(() -> node.change(mode))
            .isInstanceOf(DataPlaneException.class)
            .hasMessageContaining("the kernel takes no IPv4 tables of nftables");
        assertThat(node.proxy().mode()).isEqualTo(ProxyMode.IPTABLES);
      }
      node.awaitMade();
    }
  }

  /// It knows nftables and lists tables; only making one tells.
  @Test
  void modeAutoTakesIptablesAndSaysWhy() {
    ProxyModes modes =
        new ProxyModes(ProxyConfiguration.defaults(), new SysctlFiles(Path.of("/proc/sys")));
    ProxyModes.Chosen chosen = modes.choose();
    assertThat(chosen.mode()).isEqualTo(ProxyMode.IPTABLES);
    assertThat(chosen.warning())
        .startsWith("mode auto takes iptables, not nftables: the kernel takes no IPv4 tables of");
    assertThat(chosen.event()).isEmpty();
  }

  private static String rules(ModeChangingNode node) {
    return inside(node, "iptables-save") + inside(node, "ip6tables-save");
  }

  private static String inside(ModeChangingNode node, String... words) {
    return CommandRunner.inside(node.lab().node(), ModeChangingNode.LIMIT)
        .run("", List.of(words))
        .output();
  }
}
