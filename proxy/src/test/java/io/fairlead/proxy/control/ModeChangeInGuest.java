package io.fairlead.proxy.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.mode.Modes;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A node whose proxy goes to the ipvs mode and back while a client connects all the time. Runs in
/// a guest whose kernel has IPVS.
public final class ModeChangeInGuest {
  private static final int TIMES = 3;

  @Test
  void noConnectionFailsWhileIptablesAndIpvsTakeTurns() throws Exception {
    try (ChangingNode node = new ChangingNode()) {
      node.start(Modes.IPTABLES);
      node.connections().open();
      node.connections().beginMaking();
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
    }
  }

  private static String rules(ChangingNode node) {
    return inside(node, "iptables-save") + inside(node, "ip6tables-save");
  }

  private static String inside(ChangingNode node, String... words) {
    return Tool.inside(node.lab().node(), ChangingNode.LIMIT).run("", List.of(words)).output();
  }
}
