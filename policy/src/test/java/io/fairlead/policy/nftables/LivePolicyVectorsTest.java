package io.fairlead.policy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.policy.core.AddressVectorsTest;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.policy.core.PolicyVectorsTest;
import io.fairlead.policy.core.Vector;
import io.fairlead.policy.core.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The vectors with real packets through the real table of node 1: what the oracle says about this
/// node is what happens. The table is changed step by step as plans change.
@Tag("system")
class LivePolicyVectorsTest {
  private static final Duration ALLOWED = Duration.ofSeconds(10);
  private static final Duration DENIED = Duration.ofMillis(200);

  private static PolicyLab lab;
  private static ExecutorService calls;

  private record Call(IpAddress from, IpAddress to, String protocol, int port) {}

  @BeforeAll
  static void build() {
    lab = PolicyLab.create();
    calls = Executors.newFixedThreadPool(24, Thread.ofPlatform().daemon().factory());
  }

  @AfterAll
  static void remove() {
    calls.shutdown();
    lab.close();
  }

  static Stream<Arguments> vectors() {
    Stream<Vector> both =
        Stream.concat(PolicyVectorsTest.readingAndDefaults(), PolicyVectorsTest.portVectors());
    Stream<Vector> all =
        Stream.of(
                PolicyVectorsTest.readingAndDefaults(),
                PolicyVectorsTest.peers(),
                PolicyVectorsTest.portVectors(),
                AddressVectorsTest.namedPorts(),
                AddressVectorsTest.blocks(),
                AddressVectorsTest.bothDirections())
            .flatMap(each -> each);
    return Stream.concat(
        all.map(vector -> Arguments.of(IpAddress.Family.IPV4, vector)),
        both.map(vector -> Arguments.of(IpAddress.Family.IPV6, vector)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("vectors")
  void holds(IpAddress.Family family, Vector vector) throws Exception {
    World world = new World(family);
    TableSettings settings =
        new TableSettings(
            World.node("node1").podRanges(),
            List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")),
            false,
            0,
            TableSettings.CUT_LABEL);
    try (KernelPolicyTable table =
        lab.node().call(() -> KernelPolicyTable.open(family, settings))) {
      table.reconcile(world.plan("node1"));
      vector.given().accept(world);
      for (String line : vector.expected()) {
        if (line.startsWith("!")) {
          Vector.change(world, line.split(" "), line);
          continue;
        }
        for (PlanChange change : world.takeChanges("node1")) {
          table.apply(change);
        }
        assertThat(table.installed(family)).isEqualTo(world.plan("node1"));
        check(world, calls(world, family, line), line);
      }
      assertThat(table.reconcile(world.plan("node1"))).isZero();
      table.remove();
    }
  }

  private static List<Call> calls(World world, IpAddress.Family family, String line) {
    String[] words = line.split(" ");
    List<Call> found = new ArrayList<>();
    if (words[1].startsWith("-")) {
      String target = words[2].substring(0, words[2].lastIndexOf(':'));
      String[] port = words[2].substring(words[2].lastIndexOf(':') + 1).split("/");
      add(world, family, found, words[0], target, port);
    } else {
      List<String> sources = new ArrayList<>(World.PODS);
      sources.add(family == IpAddress.Family.IPV4 ? World.CLIENT : "2001:db8:9::9");
      sources.removeIf(source -> source.equals(words[1]));
      for (String source : sources) {
        add(world, family, found, source, words[1], words[0].split("/"));
      }
    }
    return found;
  }

  /// What the lab can send: ports that exist, addresses it has, protocols of its sockets.
  private static void add(
      World world,
      IpAddress.Family family,
      List<Call> calls,
      String source,
      String target,
      String[] port) {
    if (!world.knows(source) || !world.knows(target)) {
      return;
    }
    IpAddress from = world.address(source);
    IpAddress to = world.address(target);
    boolean ports = !port[1].equals("ICMP");
    int number = Integer.parseInt(port[0]);
    if (from.family() == family
        && to.family() == family
        && lab.has(from)
        && !from.equals(to)
        && !port[1].equals("SCTP")
        && !(ports && number == 0)) {
      calls.add(new Call(from, to, port[1], number));
    }
  }

  private static void check(World world, List<Call> wanted, String line) throws Exception {
    Oracle oracle = world.oracle("node1");
    Map<Call, Future<Boolean>> results = new LinkedHashMap<>();
    for (Call call : wanted) {
      boolean allowed = allowed(oracle, call);
      results.put(
          call,
          calls.submit(
              () ->
                  lab.reaches(
                      call.from(),
                      call.to(),
                      call.protocol(),
                      call.port(),
                      allowed ? ALLOWED : DENIED)));
    }
    for (Map.Entry<Call, Future<Boolean>> each : results.entrySet()) {
      assertThat(each.getValue().get())
          .as(line + ": " + each.getKey())
          .isEqualTo(allowed(oracle, each.getKey()));
    }
  }

  private static boolean allowed(Oracle oracle, Call call) {
    int protocol =
        switch (call.protocol()) {
          case "TCP" -> 6;
          case "UDP" -> 17;
          default -> 1;
        };
    return oracle.decideHere(call.from(), call.to(), protocol, call.port()).isAllowed();
  }
}
