package io.fairlead.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.ipvs.GuestNode;
import io.fairlead.proxy.ipvs.KernelState;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A whole proxy in mode ipvs while things go wrong around it, beside another program's virtual
/// server, set and rules, which stay as they are. When all of the mode is removed, nothing is left.
/// Runs in a guest.
public final class IpvsFaultsInGuest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration GLANCE = Duration.ofMillis(500);
  private static final String MODE = "ipvs";
  private static final Fixture FIXTURE = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);
  private static final IpAddress OTHER = IpAddress.parse("10.112.0.78");
  private static final String FOREIGN =
      """
      ipvsadm -A -t 10.98.0.1:80 -s wrr
      ipvsadm -a -t 10.98.0.1:80 -r 10.98.1.1:8080 -m -w 7
      ipset create foreign hash:ip
      ipset add foreign 10.98.2.1
      iptables -t nat -N FOREIGN
      iptables -t nat -A FOREIGN -p tcp -m set --match-set foreign dst -j RETURN
      iptables -t nat -A PREROUTING -j FOREIGN
      iptables -A INPUT -p tcp --dport 22 -j ACCEPT
      """;
  private static final String LOOK_AT_FOREIGN =
      """
      ipvsadm -Sn | grep -F 10.98.
      ipset save foreign | sed 's/ initval [^ ]*//'
      iptables-save | grep -E 'FOREIGN|dport 22' | sed 's/ \\[.*//'
      """;

  private Lab lab;
  private GuestNode node;
  private LongLivedConnections connections;
  private LiveProxy proxy;
  private String foreign;

  @BeforeEach
  void build() throws InterruptedException {
    lab = Lab.create();
    node = new GuestNode(lab.node());
    connections = new LongLivedConnections(lab);
    node.script(FOREIGN);
    foreign = node.script(LOOK_AT_FOREIGN);
    proxy = new LiveProxy(lab, MODE);
    proxy.create(LiveProxy.service("kept", LongLivedConnections.SERVICE, "TCP"));
    proxy.create(
        LiveProxy.slice("kept", "TCP", LongLivedConnections.TARGET_PORT, FIXTURE.endpoint("L1")));
    proxy.create(LiveProxy.service("other", OTHER, "TCP"));
    proxy.create(LiveProxy.slice("other", "TCP", Fixture.TARGET_PORT, FIXTURE.endpoint("L1")));
    proxy.start();
    awaitAnswer("L1");
    connections.open();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    try {
      connections.close();
      proxy.close();
      try (DataPlane plane = Churn.open(MODE, lab.node())) {
        lab.node().run(plane::removeAll);
      }
      assertThat(node.script(LOOK_AT_FOREIGN)).as("what is foreign").isEqualTo(foreign);
      node.script("ipvsadm -D -t 10.98.0.1:80");
      node.state().isEmpty();
    } finally {
      lab.close();
    }
  }

  private String answer() {
    Attempt attempt =
        lab.call(Origin.POD, FIXTURE.source(Origin.POD), OTHER, 80, Protocol.TCP, PATIENCE);
    return attempt instanceof Attempt.Reached reached ? reached.pod() : attempt.toString();
  }

  private void awaitAnswer(String pod) {
    await().atMost(LIMIT).until(() -> answer().equals(pod));
  }

  private void awaitState(KernelState whole) {
    await().atMost(LIMIT).pollInterval(GLANCE).untilAsserted(() -> node.state().isSameAs(whole));
  }

  /// Sets and rules are looked at every few seconds, for the kernel does not tell of them.
  @Test
  void whatSomebodyFlushesComesBackAndConnectionsGoOn() {
    KernelState whole = node.state();
    for (String flush :
        new String[] {
          "iptables -t nat -F KUBE-SERVICES; iptables -F KUBE-IPVS-FILTER",
          "ipset flush KUBE-CLUSTER-IP; ipset flush KUBE-LOOP-BACK",
          "ip addr flush dev kube-ipvs0",
          "ip link delete kube-ipvs0",
        }) {
      node.script(flush);
      awaitState(whole);
      connections.check();
      assertThat(answer()).as(flush).isEqualTo("L1");
    }
    // Connections of a virtual server that is deleted end with it; new ones are served again.
    node.script(
        "ipvsadm -D -t %s:80; ipvsadm -D -t %s:80".formatted(LongLivedConnections.SERVICE, OTHER));
    awaitState(whole);
    assertThat(answer()).isEqualTo("L1");
  }

  @Test
  void withTheApiAwayEverythingStaysAndLaterCatchesUp() {
    connections.beginMaking(PAUSE);
    proxy.way.cut();
    proxy.update(LiveProxy.slice("other", "TCP", Fixture.TARGET_PORT, FIXTURE.endpoint("L2")));
    int writes = proxy.writes();
    await().atMost(LIMIT).until(() -> proxy.way.refused() > 3);
    assertThat(answer()).isEqualTo("L1");
    assertThat(proxy.writes()).as("nothing is written or deleted meanwhile").isEqualTo(writes);
    connections.check();
    proxy.way.mend();
    awaitAnswer("L2");
    connections.check();
    assertThat(connections.made()).isPositive();
  }

  @Test
  void aRestartWritesNothingAndDisturbsNobody() throws InterruptedException {
    connections.beginMaking(PAUSE);
    for (int i = 0; i < 3; i++) {
      proxy.stop();
      int writes = proxy.writes();
      proxy.start();
      await().atMost(LIMIT).until(proxy::isReady);
      assertThat(proxy.writes()).isEqualTo(writes);
      connections.check();
    }
    assertThat(connections.made()).isPositive();
  }
}
