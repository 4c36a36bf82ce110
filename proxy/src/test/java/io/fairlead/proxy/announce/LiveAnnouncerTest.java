package io.fairlead.proxy.announce;

import static io.fairlead.proxy.announce.AnnouncerLab.VIP;
import static io.fairlead.proxy.announce.AnnouncerLab.VIP6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Three nodes on a bridge announce a Service's addresses to a client, with real frames, and change
/// owners. Vectors of spec/loadbalancer.md that need a kernel.
@Tag("system")
class LiveAnnouncerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static AnnouncerLab lab;

  @BeforeAll
  static void build() {
    lab = new AnnouncerLab();
  }

  @AfterAll
  static void remove() {
    lab.close();
  }

  @BeforeEach
  void start() {
    AnnouncerLab.NODES.forEach(node -> lab.cable(node, true));
    lab.run("client", "ip", "neigh", "flush", "all");
    lab.startAll(AnnouncerLab.service());
  }

  @AfterEach
  void stop() {
    lab.killAll();
  }

  private static Attempt call(IpAddress address, int port) {
    try {
      return Attempt.tcp(
          lab.namespace("client"),
          null,
          new InetSocketAddress(InetAddress.getByAddress(address.toBytes()), port),
          Duration.ofSeconds(1));
    } catch (IOException | IllegalStateException e) {
      return new Attempt.Unanswered();
    }
  }

  /// Waits until exactly one node answers for an address and says which.
  private static String owner(IpAddress address) {
    await().atMost(LIMIT).until(() -> lab.answering(address).size() == 1);
    return lab.answering(address).iterator().next();
  }

  private static void awaitReached(IpAddress address) {
    await().atMost(LIMIT).until(() -> call(address, 80) instanceof Attempt.Reached);
  }

  /// The hardware addresses that answer, as `arping` sees them.
  private static Set<String> arping() {
    String output =
        lab.run("client", "arping", "-c", "2", "-w", "3", "-I", "eth0", VIP.toString()).output();
    Set<String> found = new TreeSet<>();
    Matcher matcher = Pattern.compile("\\[([0-9A-Fa-f:]{17})\\]").matcher(output);
    while (matcher.find()) {
      found.add(matcher.group(1).toLowerCase(java.util.Locale.ROOT));
    }
    return found;
  }

  @Test
  void lv35OneNodeAnswersAndCarries() {
    assertThat(owner(VIP)).isEqualTo("a");
    assertThat(owner(VIP6)).isEqualTo("a");
    awaitReached(VIP);
    awaitReached(VIP6);
    assertThat(arping()).containsExactly(lab.hardware("a"));
    assertThat(Json.textOr(lab.lease("a"), "", "metadata", "annotations", "fairlead.dev/announces"))
        .isEqualTo("192.168.77.240,fd77::240");
    assertThat(Json.textOr(lab.lease("b"), "", "metadata", "annotations", "fairlead.dev/announces"))
        .isEmpty();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                lab.events().stream()
                    .anyMatch(one -> one.contains("192.168.77.240 is announced by node a")));
  }

  @Test
  void lv45PingIsAnsweredAndAPortOfNoServiceIsSilent() {
    assertThat(owner(VIP)).isEqualTo("a");
    awaitReached(VIP);
    for (IpAddress address : Set.of(VIP, VIP6)) {
      await()
          .atMost(LIMIT)
          .until(() -> lab.run("client", "ping", "-c1", "-W1", address.toString()).succeeded());
      assertThat(call(address, 81)).isInstanceOf(Attempt.Unanswered.class);
    }
    String rules = lab.run("a", "nft", "list", "table", "ip", "fairlead-announce").output();
    assertThat(rules)
        .contains("icmp type echo-request redirect")
        .containsPattern("counter packets [1-9]\\d* bytes \\d+ drop");
    assertThat(owner(VIP6)).isEqualTo("a");
    await().atMost(LIMIT).until(() -> !announceTables("b"));
  }

  private static boolean announceTables(String node) {
    return lab.run(node, "nft", "list", "tables").output().contains("fairlead-announce");
  }

  @Test
  void rulesThatAKilledProcessLeftGoWithTheNextOneAlsoWhereItHoldsNoAddress() {
    lab.killAll();
    for (String family : Set.of("ip", "ip6")) {
      lab.run("b", "nft", "add", "table", family, "fairlead-announce");
    }
    lab.startAll(AnnouncerLab.service());
    assertThat(owner(VIP)).isEqualTo("a");
    assertThat(owner(VIP6)).isEqualTo("a");
    await().atMost(LIMIT).until(() -> !announceTables("b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.168.77.240", "fd77::240"})
  void lv50AndLv51TheOwnerLosesPowerAndComesBack(String text) {
    IpAddress address = IpAddress.parse(text);
    String first = owner(address);
    awaitReached(address);
    lab.cable(first, false);
    lab.node(first).way.cut();
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              Set<String> who = new TreeSet<>(lab.answering(address));
              who.remove(first);
              return who.size() == 1;
            });
    awaitReached(address);
    Set<String> who = new TreeSet<>(lab.answering(address));
    who.remove(first);
    String next = who.iterator().next();
    lab.cable(first, true);
    lab.node(first).way.mend();
    await().atMost(LIMIT).until(() -> lab.answering(address).equals(Set.of(next)));
    awaitReached(address);
  }

  @Test
  void lv52AnOwnerThatEndsLosesNoConnection() throws InterruptedException {
    String first = owner(VIP);
    awaitReached(VIP);
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger good = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    InetSocketAddress to = new InetSocketAddress(InetAddress.ofLiteral(VIP.toString()), 80);
    Thread caller =
        lab.namespace("client")
            .start(
                "caller",
                () -> {
                  while (!over.get()) {
                    try (Socket socket = new Socket()) {
                      socket.connect(to, 2000);
                      good.incrementAndGet();
                    } catch (IOException _) {
                      failed.incrementAndGet();
                    }
                  }
                });
    await().atMost(LIMIT).until(() -> good.get() > 10);
    lab.node(first).end();
    String next = owner(VIP);
    assertThat(next).isNotEqualTo(first);
    int before = good.get();
    await().atMost(LIMIT).until(() -> good.get() > before + 50);
    over.set(true);
    caller.join();
    assertThat(failed).hasValue(0);
    assertThat(arping()).containsExactly(lab.hardware(next));
  }

  @Test
  void lv53AndLf2AKilledOwnersRulesGoOnUntilAnotherAnnounces() {
    String first = owner(VIP);
    awaitReached(VIP);
    lab.node(first).announcer.kill();
    assertThat(call(VIP, 80)).as("a client with a warm cache").isInstanceOf(Attempt.Reached.class);
    await()
        .atMost(LIMIT)
        .until(() -> AnnouncerLab.NODES.stream().anyMatch(node -> isNewOwner(node, first)));
    awaitReached(VIP);
  }

  private static boolean isNewOwner(String node, String former) {
    return !node.equals(former) && lab.node(node).announcer.answers().contains(VIP);
  }

  @Test
  void lv42AnExcludedOwnerHandsOver() {
    String first = owner(VIP);
    awaitReached(VIP);
    lab.label(first, "node.kubernetes.io/exclude-from-external-load-balancers", "");
    await().atMost(LIMIT).until(() -> !lab.answering(VIP).contains(first));
    awaitReached(VIP);
    lab.label(first, "node.kubernetes.io/exclude-from-external-load-balancers", "false");
  }

  @Test
  void lv54TheOwnerAnswersWhileTheApiIsAway() {
    String first = owner(VIP);
    awaitReached(VIP);
    AnnouncerLab.NODES.forEach(node -> lab.node(node).way.cut());
    // Longer than every limit.
    for (int i = 0; i < 3; i++) {
      assertThat(arping()).containsExactly(lab.hardware(first));
    }
    AnnouncerLab.NODES.forEach(node -> lab.node(node).way.mend());
    assertThat(owner(VIP)).isEqualTo(first);
  }

  @Test
  void lv55AnOwnerCutOffFromTheApiYields() {
    String first = owner(VIP);
    awaitReached(VIP);
    lab.node(first).way.cut();
    await().atMost(LIMIT).until(() -> !lab.answering(VIP).contains(first));
    String next = owner(VIP);
    assertThat(arping()).containsExactly(lab.hardware(next));
    lab.node(first).way.mend();
    awaitReached(VIP);
    assertThat(owner(VIP)).isEqualTo(next);
  }

  @Test
  void lv20TheServiceGoes() {
    String first = owner(VIP);
    AnnouncerLab.NODES.forEach(node -> lab.node(node).show(java.util.List.of()));
    await().atMost(LIMIT).until(() -> lab.answering(VIP).isEmpty());
    await()
        .atMost(LIMIT)
        .until(
            () ->
                Json.textOr(
                        lab.lease(first), "", "metadata", "annotations", "fairlead.dev/announces")
                    .isEmpty());
    assertThat(lab.run(first, "nft", "list", "tables").output())
        .doesNotContain("fairlead-announce");
    assertThat(arping()).isEmpty();
  }

  /// Packet sockets of a machine, by the kernel's list.
  private static long packetSockets(String machine) {
    return lab.run(machine, "cat", "/proc/net/packet").output().lines().skip(1).count();
  }

  @Test
  void lv48WithoutAddressesThereIsNoSocketAndNoTable() {
    String first = owner(VIP);
    assertThat(packetSockets(first)).isPositive();
    AnnouncerLab.NODES.forEach(node -> lab.node(node).show(java.util.List.of()));
    await().atMost(LIMIT).until(() -> packetSockets(first) == 0);
    await()
        .atMost(LIMIT)
        .until(() -> !lab.run(first, "nft", "list", "tables").output().contains("announce"));
    assertThat(AnnouncerTiming.IDLE.period()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void lv49InIpvsModeNothingIsAnnouncedWithoutStrictArp() {
    assertThat(owner(VIP)).isEqualTo("a");
    lab.mayAnnounce.set(false);
    try {
      await().atMost(LIMIT).until(() -> lab.answering(VIP).isEmpty());
      await()
          .atMost(LIMIT)
          .until(
              () -> AnnouncerLease.of(lab.lease("b")).obstacle(),
              "needs strictARP in ipvs mode"::equals);
      assertThat(arping()).isEmpty();
    } finally {
      lab.mayAnnounce.set(true);
    }
    String again = owner(VIP);
    await().atMost(LIMIT).until(() -> arping().equals(Set.of(lab.hardware(again))));
  }

  @Test
  void lx8TheCableOfAPodHasNoResponder() {
    String node = lab.namespace("a").name();
    lab.shell(
        """
        ip -n %1$s link add cable type veth peer name podside
        ip -n %1$s addr add 10.244.0.1/32 dev cable
        ip -n %1$s link set cable up
        ip -n %1$s link set podside up
        """
            .formatted(node));
    try {
      assertThat(new AnnouncerLab.SegmentInside(lab.namespace("a")).interfaces())
          .extracting(AnnounceInterface::name)
          .containsExactly("eth0");
    } finally {
      lab.shell("ip -n %s link del cable".formatted(node));
    }
  }

  @Test
  void lf11AnotherHardwareAddressIsAnnounced() {
    String first = owner(VIP);
    awaitReached(VIP);
    lab.shell(
        "ip -n %s link set eth0 address 02:77:00:00:00:0f".formatted(lab.namespace(first).name()));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                lab.run("client", "ip", "neigh", "show", VIP.toString())
                    .output()
                    .contains("02:77:00:00:00:0f"));
    awaitReached(VIP);
  }

  @Test
  void lv58AnAddressThatADeviceHasIsNotAnnounced() {
    IpAddress taken = IpAddress.parse("192.168.77.241");
    assertThat(owner(VIP)).isEqualTo("a");
    String client = lab.namespace("client").name();
    lab.shell("ip -n %s addr add %s/24 dev eth0".formatted(client, taken));
    try {
      String mac = lab.hardware("client");
      AnnouncerLab.NODES.forEach(
          node ->
              lab.node(node)
                  .show(
                      AnnouncerLab.service(
                          "[{ip: 192.168.77.240, ipMode: VIP}, {ip: 192.168.77.241, ipMode: VIP}]")));
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  lab.events()
                      .contains(
                          "AddressInUse: 192.168.77.241 is answered by "
                              + mac
                              + ", which is no node (FL402)"));
      assertThat(lab.answering(taken)).isEmpty();
      assertThat(lab.answering(VIP)).containsExactly("a");
    } finally {
      lab.shell("ip -n %s addr del %s/24 dev eth0".formatted(client, taken));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Announcer.LOOP, LeaseRenewal.LOOP, "packet-listener"})
  void aLoopGoesOnAfterAFailureNothingExpects(String loop) {
    String first = owner(VIP);
    awaitReached(VIP);
    assertThat(LoopFaults.failOnce(loop)).isPositive();
    if (loop.equals("packet-listener")) {
      arping();
    }
    await()
        .atMost(LIMIT)
        .until(
            () ->
                LoopRegistry.statuses().stream()
                    .filter(each -> each.kind().equals(loop))
                    .allMatch(each -> each.restarts() > 0 && each.failingSince() == null));
    await().atMost(LIMIT).until(() -> arping().equals(Set.of(lab.hardware(owner(VIP)))));
    assertThat(first).isNotEmpty();
  }
}
