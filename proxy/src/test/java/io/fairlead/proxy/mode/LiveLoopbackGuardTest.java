package io.fairlead.proxy.mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.EchoServer;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.node.SysctlFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Who opens 127.0.0.0/8, who is kept out of it then, and that it is shut again (CVE-2020-8558). A
/// neighbour sends packets for 127.0.0.1 over the wire to a server of the node that listens on
/// loopback.
@Tag("system")
class LiveLoopbackGuardTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int OWN_PORT = 9099;
  private static final String SYSCTL = "net/ipv4/conf/all/route_localnet";
  private static final SysctlFiles SYSCTLS = new SysctlFiles(Path.of("/proc/sys"));

  private static Lab lab;
  private static EchoServer own;

  @BeforeAll
  static void build() {
    lab = Lab.create();
    own = new EchoServer(lab.node(), "node", OWN_PORT);
    run(
        Origin.EXTERNAL,
        """
        set -e
        sysctl -q -w net.ipv4.conf.all.route_localnet=1
        ip addr del 127.0.0.1/8 dev lo
        ip route add 127.0.0.1/32 via 192.0.2.10 dev eth0
        """);
  }

  @AfterAll
  static void remove() throws Exception {
    own.close();
    lab.close();
  }

  @BeforeEach
  void clean() {
    run(Origin.NODE, "nft flush ruleset; sysctl -q -w net.ipv4.conf.all.route_localnet=0");
  }

  private static String run(Origin where, String script) {
    CommandRunner.Result result =
        CommandRunner.inside(lab.namespace(where), LIMIT).run(script, List.of("sh"));
    assertThat(result.exit()).as(result.error()).isZero();
    return result.output();
  }

  private static ModeChange change(String localhost) {
    ProxyConfiguration configuration = ProxyConfiguration.defaults();
    if (!localhost.isEmpty()) {
      configuration =
          configuration.with(
              ProxyFlag.find("iptables-localhost-nodeports").orElseThrow(), localhost);
    }
    return new ModeChange(configuration, new ProxyModes(configuration, SYSCTLS), SYSCTLS);
  }

  private static void inside(Runnable action) {
    lab.node().run(action::run);
  }

  private static int sysctl() {
    return lab.node().call(() -> SYSCTLS.read(SYSCTL, -1));
  }

  private static void set(int value) {
    run(Origin.NODE, "sysctl -q -w net.ipv4.conf.all.route_localnet=" + value);
  }

  private static String tables() {
    return run(Origin.NODE, "nft list tables");
  }

  private static Attempt neighbour() {
    return Attempt.tcp(
        lab.namespace(Origin.EXTERNAL),
        new InetSocketAddress("192.0.2.1", 0),
        new InetSocketAddress("127.0.0.1", OWN_PORT),
        Duration.ofMillis(500));
  }

  @ParameterizedTest
  @EnumSource(ProxyMode.class)
  void withoutBeingAskedNoModeOpensLoopback(ProxyMode mode) {
    ModeChange change = change("");
    inside(() -> change.enter(mode));
    assertThat(sysctl()).isZero();
    assertThat(neighbour()).isEqualTo(new Attempt.Unanswered());
    inside(change::end);
    assertThat(tables()).doesNotContain("fairlead-loopback");
  }

  @Test
  void loopbackThatWasAskedForStaysShutForNeighboursWhenAllRulesAreFlushed() {
    set(1);
    assertThat(neighbour()).as("the trial is a real one").isInstanceOf(Attempt.Reached.class);
    set(0);
    ModeChange change = change("true");
    inside(() -> change.enter(ProxyMode.IPTABLES));
    assertThat(sysctl()).isEqualTo(1);
    assertThat(neighbour()).isEqualTo(new Attempt.Unanswered());
    run(Origin.NODE, "nft flush ruleset");
    assertThat(neighbour()).as("after the flush").isEqualTo(new Attempt.Unanswered());
    inside(change::end);
    assertThat(sysctl()).as("no process guards it now").isZero();
    run(Origin.NODE, "nft flush ruleset");
    assertThat(neighbour()).as("without a proxy").isEqualTo(new Attempt.Unanswered());
  }

  @ParameterizedTest(name = "found {0}")
  @ValueSource(ints = {0, 1})
  void aProxyThatWasKilledLeavesTheGuardAndCleanupPutsBackWhatWasFound(int found) {
    set(found);
    // Ends without being asked to: only its connection to the kernel closes.
    LoopbackGuard killed = new LoopbackGuard(SYSCTLS);
    inside(killed::open);
    inside(killed::close);
    assertThat(sysctl()).isEqualTo(1);
    assertThat(neighbour()).isEqualTo(new Attempt.Unanswered());
    LoopbackGuard next = new LoopbackGuard(SYSCTLS);
    inside(next::open);
    inside(next::close);
    assertThat(lab.node().call(() -> ModeChange.cleanUpLoopback(SYSCTLS))).isEmpty();
    assertThat(sysctl()).isEqualTo(found);
    assertThat(tables()).doesNotContain("fairlead-loopback");
  }

  @Test
  void aProxyThatIsKilledShutsLoopbackForThoseWhoFlush() throws Exception {
    Process proxy =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Opener.class.getName(),
                lab.node().name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = proxy.inputReader()) {
      assertThat(said.readLine()).isEqualTo("open");
      assertThat(sysctl()).isEqualTo(1);
      assertThat(neighbour()).isEqualTo(new Attempt.Unanswered());
      proxy.destroyForcibly();
    } finally {
      proxy.destroyForcibly().waitFor();
    }
    await().atMost(LIMIT).until(() -> sysctl() == 0);
    run(Origin.NODE, "nft flush ruleset");
    assertThat(neighbour()).as("no table, no proxy").isEqualTo(new Attempt.Unanswered());
  }

  /// A process that opens loopback of a node and waits to be killed.
  static final class Opener {
    public static void main(String[] arguments) throws IOException {
      LoopbackGuard guard = new LoopbackGuard(SYSCTLS);
      new NetworkNamespace(arguments[0]).run(guard::open);
      System.out.println("open");
      int _ = System.in.read();
    }
  }

  @Test
  void whereAnotherProgramHasOpenedLoopbackNeighboursAreKeptOutAndTheSysctlStays() {
    set(1);
    ModeChange change = change("");
    inside(() -> change.enter(ProxyMode.NFTABLES));
    run(Origin.NODE, "nft flush ruleset");
    assertThat(neighbour()).isEqualTo(new Attempt.Unanswered());
    inside(change::end);
    assertThat(sysctl()).isEqualTo(1);
    assertThat(neighbour()).as("the guard stays").isEqualTo(new Attempt.Unanswered());
  }

  @Test
  void aRunningProxysGuardIsNotCleanedUp() {
    LoopbackGuard running = new LoopbackGuard(SYSCTLS);
    inside(running::open);
    assertThat(lab.node().call(() -> ModeChange.cleanUpLoopback(SYSCTLS))).isNotEmpty();
    inside(running::shut);
    assertThat(tables()).doesNotContain("fairlead-loopback");
  }
}
