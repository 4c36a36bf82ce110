package io.fairlead.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `fairlead proxy` against an API that is not ours, with a real kernel under it.
@Tag("system")
class ProxyProcessTest {
  private static final String LOCALHOST = "--iptables-localhost-nodeports=true";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path home;
  private ProxyProcess proxy;

  @BeforeEach
  void make() throws Exception {
    proxy = new ProxyProcess(home);
  }

  @AfterEach
  void close() throws Exception {
    proxy.close();
  }

  private int routeLocalnet() {
    return Integer.parseInt(proxy.must("sysctl", "-n", "net.ipv4.conf.all.route_localnet").strip());
  }

  private long nat(String text) {
    return proxy.must("iptables-save", "-t", "nat").lines().filter(l -> l.contains(text)).count();
  }

  @Test
  void rulesFollowTheApiSurviveTheProcessAndAreCleanedUp() throws Exception {
    proxy.must("iptables", "-A", "INPUT", "-p", "tcp", "--dport", "22", "-j", "ACCEPT");
    proxy.service("web", 1);
    proxy.slice("web", 1);
    proxy.start("--mode=iptables", LOCALHOST);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(nat("web:h cluster IP")).isEqualTo(2));
    await().atMost(LIMIT).until(() -> routeLocalnet() == 1);
    assertThat(proxy.must("iptables-save", "-t", "filter"))
        .as("the rule that keeps 127.0.0.0/8 shut")
        .contains("block incoming localnet connections");
    assertThat(proxy.must("nft", "list", "tables")).contains("fairlead-loopback");
    proxy.service("shop", 2);
    await()
        .atMost(LIMIT)
        .until(
            () ->
                proxy
                    .must("iptables-save", "-t", "filter")
                    .contains("default/shop:h has no endpoints"));
    proxy.kill();
    String after = proxy.must("iptables-save", "-t", "nat");
    proxy.client.delete(
        ProxyProcess.SERVICES, new ObjectKey("default", "shop"), DeleteOptions.DEFAULT);
    assertThat(after).contains("web:h cluster IP");
    assertThat(routeLocalnet()).as("after a kill").isEqualTo(1);
    proxy.start("--mode=iptables", LOCALHOST);
    await()
        .atMost(LIMIT)
        .until(() -> !proxy.must("iptables-save", "-t", "filter").contains("default/shop:h"));
    proxy.kill();
    assertThat(proxy.run("--cleanup")).isZero();
    assertThat(routeLocalnet()).as("what was found before the first start").isZero();
    assertThat(proxy.must("nft", "list", "tables")).doesNotContain("fairlead-loopback");
    assertThat(nat("KUBE-")).isZero();
    assertThat(proxy.must("iptables-save", "-t", "filter"))
        .contains("--dport 22 -j ACCEPT")
        .doesNotContain("KUBE-SERVICES");
  }

  /// What the proxy's own node API answers to a caller it does not know; 000 before it listens.
  private String askedWithoutCredential() {
    String about = "https://127.0.0.1:10261/fairlead/v1/about";
    return proxy
        .inside
        .run("", List.of("curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", about))
        .output();
  }

  /// It knows before it has read the cluster, by what the process before it has written down.
  @Test
  void aSuccessorKnowsThatNothingHasChanged() throws Exception {
    String known = "nothing has changed since the last process: its rules are right";
    Path note = proxy.home().resolve("standing.json");
    String control = "--control=" + proxy.home().resolve("proxy.sock");
    proxy.service("web", 1);
    proxy.slice("web", 1);
    proxy.start("--mode=nftables", control);
    await().atMost(LIMIT).until(() -> Files.exists(note));
    String rules = listing("--mode=nftables");
    await().atMost(LIMIT).until(this::askedWithoutCredential, "401"::equals);
    proxy.kill();
    proxy.start("--mode=nftables", control);
    await().atMost(LIMIT).until(() -> proxy.log().contains(known));
    assertThat(listing("--mode=nftables")).isEqualTo(rules);
    proxy.kill();
    assertThat(proxy.run("--cleanup", control)).isZero();
    assertThat(note).doesNotExist();
  }

  /// Its listeners end with the process; until the next one is there the kernel serves.
  @Test
  void aUserspaceProxyThatEndsLeavesTheWorkToTheKernel() throws Exception {
    proxy.must("ip", "addr", "add", "192.0.2.10/32", "dev", "lo");
    proxy.service("web", 1);
    proxy.slice("web", 1);
    proxy.start("--mode=userspace");
    await().atMost(LIMIT).until(() -> listing("--mode=userspace").contains("map portals"));
    await().atMost(LIMIT).until(() -> listing("--mode=userspace").contains("default/web:h"));
    proxy.end();
    assertThat(listing("--mode=nftables"))
        .contains("table ip fairlead-proxy", "10.64.0.2 . 8080")
        .doesNotContain("fairlead-userspace");
    proxy.start("--mode=userspace");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(listing("--mode=userspace"))
                    .contains("table ip fairlead-userspace", "default/web:h")
                    .doesNotContain("fairlead-proxy"));
  }

  @Test
  void killedInTheMiddleOfItsWorkItLeavesWholeStatesAndCatchesUp() throws Exception {
    for (String mode : List.of("--mode=iptables", "--mode=nftables")) {
      int base = mode.endsWith("iptables") ? 0 : 1000;
      for (int round = 0; round < 3; round++) {
        proxy.start(mode);
        for (int i = 0; i < 20; i++) {
          int number = base + round * 20 + i;
          proxy.service("s" + number, number);
          proxy.slice("s" + number, number);
        }
        proxy.kill();
      }
      proxy.start(mode);
      int last = base + 59;
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(listing(mode))
                      .contains(ProxyProcess.address(last), ProxyProcess.address(base)));
      if (mode.endsWith("nftables")) {
        // Last of all, when its own rules are in place.
        await()
            .atMost(LIMIT)
            .untilAsserted(
                () -> assertThat(nat("KUBE-")).as("the other mode's rules are gone").isZero());
      }
      proxy.kill();
    }
  }

  private String listing(String mode) {
    return mode.endsWith("iptables")
        ? proxy.must("iptables-save", "-t", "nat")
        : proxy.must("nft", "list", "ruleset");
  }
}
