package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.testing.PlanFollower;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How the mode keeps a real table in step with plans.
@Tag("system")
class NftablesPlaneTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final NetworkNamespace namespace =
      NetworkNamespace.create("flp-nft-" + ProcessHandle.current().pid());
  private NftablesPlane plane;

  @BeforeEach
  void open() {
    plane = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4));
  }

  @AfterEach
  void remove() {
    plane.close();
    namespace.delete();
  }

  private String nft(String... arguments) {
    CommandRunner.Result result =
        CommandRunner.inside(namespace, LIMIT)
            .run("", Stream.concat(Stream.of("nft"), Stream.of(arguments)).toList());
    assertThat(result.exit()).as(result.error()).isZero();
    return result.output();
  }

  private NftablesPlane another() {
    return namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4));
  }

  @Test
  void aRestartWithNothingChangedWritesNothing() {
    Plan plan = Plan.empty(NftablesTestPlans.NODE);
    Random random = new Random(7);
    for (int i = 0; i < 60; i++) {
      plan = plan.with(NftablesTestPlans.random(i, random));
    }
    assertThat(PlanFollower.apply(plane, plan).writes()).isPositive();
    String before = nft("list", "ruleset");
    try (NftablesPlane next = another()) {
      assertThat(PlanFollower.apply(next, plan).writes()).isZero();
      assertThat(PlanFollower.reconcile(next, plan).writes()).isZero();
    }
    assertThat(nft("list", "ruleset")).isEqualTo(before);
  }

  @Test
  void aChangeWritesWhatChangesOnly() {
    Plan plan = NftablesTestPlans.many(100);
    PlanFollower.apply(plane, plan);
    Plan next = plan.with(NftablesTestPlans.service(50, 150, 151, 999));
    assertThat(PlanFollower.apply(plane, next).writes()).isEqualTo(2);
    assertThat(PlanFollower.apply(plane, next).writes()).isZero();
    // A fourth endpoint: one more slot, another action for the front, the action's chain of 2 rules
    // and its place in two maps.
    Plan more = next.with(NftablesTestPlans.service(51, 153, 154, 155, 1000));
    assertThat(PlanFollower.apply(plane, more).writes()).isEqualTo(3 + 3 + 2);
    assertThat(PlanFollower.apply(plane, more.without(NftablesTestPlans.name(51))).writes())
        .isEqualTo(1 + 4 + 1 + 1);
  }

  @Test
  void afterManyChangesTheTableIsThatOfAFreshLoad() {
    Random random = new Random(11);
    Plan plan = Plan.empty(NftablesTestPlans.NODE);
    PlanFollower.apply(plane, plan);
    for (int i = 0; i < 1500; i++) {
      for (int j = random.nextInt(3); j >= 0; j--) {
        int number = random.nextInt(30);
        plan =
            random.nextInt(4) == 0
                ? plan.without(NftablesTestPlans.name(number))
                : plan.with(NftablesTestPlans.random(number, random));
      }
      assertThat(PlanFollower.apply(plane, plan).full()).isFalse();
    }
    // What a plan does not decide: which of several equal slots an endpoint has, and chains of
    // actions no longer used. Reading back must find nothing else to do.
    try (NftablesPlane fresh = another()) {
      PlanFollower.reconcile(fresh, plan);
      assertThat(PlanFollower.reconcile(fresh, plan).writes()).isZero();
    }
    String incremental = elements();
    plane.removeAll();
    PlanFollower.apply(plane, plan);
    assertThat(elements()).isEqualTo(incremental);
  }

  /// The fronts with their actions, and the endpoints of each without their slots.
  private String elements() {
    return plane
        .observe()
        .listing()
        .lines()
        .map(line -> line.replaceAll(" \\. f1[0-9a-f]{2}:[0-9a-f]+ :", " :"))
        .map(line -> line.replaceAll(": f1[0-9a-f]{2}:[0-9a-f]+", ": number"))
        .filter(line -> !line.contains(": goto ") && !line.contains("chain "))
        .sorted()
        .reduce("", (a, b) -> a + "\n" + b);
  }

  @Test
  void twoServicesWithOneAddressDoNotStopTheOthers() {
    ServicePlan first = external("alpha");
    ServicePlan second = external("beta");
    Plan plan = Plan.empty(NftablesTestPlans.NODE).with(second);
    PlanFollower.apply(plane, plan);
    assertThat(owner()).isEqualTo("shop/beta");
    plan = plan.with(first);
    PlanFollower.apply(plane, plan);
    assertThat(owner()).isEqualTo("shop/alpha");
    try (NftablesPlane fresh = another()) {
      assertThat(PlanFollower.reconcile(fresh, plan).writes()).isZero();
    }
    PlanFollower.apply(plane, plan.without(first.name()));
    assertThat(owner()).isEqualTo("shop/beta");
  }

  /// One address as external and load balancer's, also sticky: its elements are asked for twice.
  @Test
  void aServiceThatHasAnAddressTwiceIsNotWrittenAgain() {
    Plan plan = Plan.empty(NftablesTestPlans.NODE);
    for (int sticky : List.of(0, 600)) {
      IpAddress twice = IpAddress.parse("198.18.0." + (sticky == 0 ? 7 : 8));
      plan =
          plan.with(
              ServicePlan.of(
                  new ServicePort(
                      new ServicePortName("shop", "twice-" + sticky, "", Protocol.TCP),
                      NftablesTestPlans.clusterIp(sticky == 0 ? 7 : 8),
                      80,
                      0,
                      List.of(twice),
                      List.of(twice),
                      List.of(),
                      TrafficPolicy.CLUSTER,
                      TrafficPolicy.LOCAL,
                      sticky,
                      0),
                  List.of(
                      Backend.ready(NftablesTestPlans.endpoint(1), 80, true),
                      Backend.ready(NftablesTestPlans.endpoint(2), 80, false)),
                  NftablesTestPlans.NODE));
    }
    assertThat(PlanFollower.apply(plane, plan).writes()).isPositive();
    try (NftablesPlane fresh = another()) {
      assertThat(PlanFollower.reconcile(fresh, plan).writes()).isZero();
    }
  }

  private String owner() {
    return plane
        .observe()
        .listing()
        .lines()
        .filter(line -> line.contains("198.18.0.1 . tcp . 80 : pick"))
        .map(line -> line.substring(line.indexOf("# ") + 2))
        .reduce("", String::concat);
  }

  private static ServicePlan external(String name) {
    return ServicePlan.of(
        new ServicePort(
            new ServicePortName("shop", name, "", Protocol.TCP),
            NftablesTestPlans.clusterIp(name.hashCode() & 0xff),
            80,
            0,
            List.of(IpAddress.parse("198.18.0.1")),
            List.of(),
            List.of(),
            TrafficPolicy.CLUSTER,
            TrafficPolicy.CLUSTER,
            0,
            0),
        NftablesTestPlans.backends(1, 2),
        NftablesTestPlans.NODE);
  }

  @Test
  void namesOfAnyLengthAreFine() {
    ServicePlan plain = NftablesTestPlans.service(1);
    String service = "s".repeat(63);
    ServicePlan named =
        ServicePlan.of(
            new ServicePort(
                new ServicePortName("n".repeat(63), service, "p".repeat(15), Protocol.TCP),
                plain.port().clusterIp(),
                80,
                0,
                List.of(),
                List.of(),
                List.of(),
                TrafficPolicy.CLUSTER,
                TrafficPolicy.CLUSTER,
                0,
                0),
            List.of(),
            NftablesTestPlans.NODE);
    PlanFollower.apply(plane, Plan.empty(NftablesTestPlans.NODE).with(named));
    assertThat(nft("list", "ruleset"))
        .contains("comment \"" + named.name().displayName().substring(0, 128) + "\"");
  }

  @Test
  void foreignTablesAreNeverTouched() {
    nft("add", "table", "ip", "foreign");
    nft("add", "chain", "ip", "foreign", "c", "{ type filter hook input priority 0; }");
    nft("add", "rule", "ip", "foreign", "c", "counter");
    String foreign = nft("list", "table", "ip", "foreign");
    PlanFollower.apply(plane, NftablesTestPlans.many(3));
    PlanFollower.reconcile(plane, NftablesTestPlans.many(2));
    plane.removeAll();
    plane.removeAll();
    assertThat(nft("list", "ruleset")).isEqualTo(foreign);
  }

  @Test
  void whatOthersChangeInOurTableIsNoticedAndRepaired() {
    Plan plan = NftablesTestPlans.many(20).with(external("alpha"));
    PlanFollower.apply(plane, plan);
    String before = nft("list", "ruleset");
    AtomicInteger noticed = new AtomicInteger();
    namespace.run(() -> plane.onDrift(noticed::incrementAndGet));
    PlanFollower.apply(plane, plan.without(NftablesTestPlans.name(3)));
    PlanFollower.apply(plane, plan);
    assertThat(noticed).as("own changes").hasValue(0);
    List<String[]> damages =
        List.of(
            new String[] {"flush", "ruleset"},
            new String[] {
              "delete",
              "element",
              "ip",
              NftablesTableLayout.TABLE_NAME,
              "fronts",
              "{ 10.96.0.5 . tcp . 80 }"
            },
            new String[] {"flush", "chain", "ip", NftablesTableLayout.TABLE_NAME, "services"},
            new String[] {"add", "rule", "ip", NftablesTableLayout.TABLE_NAME, "services", "drop"},
            new String[] {"add", "chain", "ip", NftablesTableLayout.TABLE_NAME, "intruder"},
            new String[] {
              "add", "element", "ip", NftablesTableLayout.TABLE_NAME, "cluster-ips", "{ 1.2.3.4 }"
            },
            new String[] {
              "add", "set", "ip", NftablesTableLayout.TABLE_NAME, "x", "{ type ipv4_addr; }"
            });
    for (String[] damage : damages) {
      int count = noticed.get();
      nft(damage);
      await().atMost(LIMIT).until(() -> noticed.get() > count);
      assertThat(PlanFollower.reconcile(plane, plan).writes())
          .as(String.join(" ", damage))
          .isPositive();
      assertThat(sorted(nft("list", "ruleset"))).isEqualTo(sorted(before));
    }
    assertThat(PlanFollower.reconcile(plane, plan).writes()).isZero();
  }

  private static List<String> sorted(String listing) {
    return Stream.of(listing.split("[\\n,]"))
        .map(line -> line.replaceAll("elements = \\{|\\}", "").strip())
        .sorted()
        .toList();
  }

  @Test
  void aFailedChangeIsMadeGoodByTheNext() {
    Plan plan = NftablesTestPlans.many(10);
    PlanFollower.apply(plane, plan);
    nft("flush", "ruleset");
    Plan next = plan.with(NftablesTestPlans.service(11, 1, 2));
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(() -> PlanFollower.apply(plane, next)))
        .hasMessageContaining("fairlead-proxy")
        .hasMessageContaining("ENOENT");
    assertThat(PlanFollower.apply(plane, next).full()).isTrue();
    try (NftablesPlane fresh = another()) {
      assertThat(PlanFollower.reconcile(fresh, next).writes()).isZero();
    }
  }

  @Test
  void anAddressOfThisMachineIsNoUnallocatedClusterIp() {
    PlanFollower.apply(
        plane,
        Plan.empty(NftablesTestPlans.NODE.withServiceCidrs(List.of(Cidr.parse("10.96.0.0/12")))));
    assertThat(nft("list", "ruleset"))
        .contains("ip daddr 10.96.0.0/12 fib daddr type != local drop");
  }

  @Test
  void theListingCanBeLoadedByTheTool() {
    Random random = new Random(3);
    Plan plan =
        Plan.empty(NftablesTestPlans.NODE.withServiceCidrs(List.of(Cidr.parse("10.96.0.0/12"))));
    for (int i = 0; i < 40; i++) {
      plan = plan.with(NftablesTestPlans.random(i, random));
    }
    PlanFollower.apply(plane, plan);
    String listing = nft("list", "ruleset");
    nft("flush", "ruleset");
    CommandRunner.Result loaded =
        CommandRunner.inside(namespace, LIMIT).run(listing, List.of("nft", "-f", "-"));
    assertThat(loaded.error()).isEmpty();
    try (NftablesPlane fresh = another()) {
      PlanFollower.apply(fresh, plan);
      assertThat(sorted(nft("list", "ruleset"))).isEqualTo(sorted(listing));
    }
  }

  @Test
  void aStickyServiceKeepsTheNumbersOfEndpointsThatStay() {
    ServicePort sticky = NftablesTestPlans.port(1, 10800);
    Plan plan =
        Plan.empty(NftablesTestPlans.NODE)
            .with(
                ServicePlan.of(
                    sticky, NftablesTestPlans.backends(1, 2, 3), NftablesTestPlans.NODE));
    PlanFollower.apply(plane, plan);
    List<String> before = numbers();
    PlanFollower.apply(
        plane,
        Plan.empty(NftablesTestPlans.NODE)
            .with(
                ServicePlan.of(
                    sticky, NftablesTestPlans.backends(2, 3, 4), NftablesTestPlans.NODE)));
    List<String> after = numbers();
    assertThat(after).hasSize(3);
    assertThat(after.stream().filter(before::contains)).hasSize(2);
    assertThat(after).noneMatch(line -> line.contains("10.64.0.1 "));
    try (NftablesPlane fresh = another()) {
      assertThat(
              PlanFollower.reconcile(
                      fresh,
                      Plan.empty(NftablesTestPlans.NODE)
                          .with(
                              ServicePlan.of(
                                  sticky,
                                  NftablesTestPlans.backends(2, 3, 4),
                                  NftablesTestPlans.NODE)))
                  .writes())
          .isZero();
    }
  }

  private List<String> numbers() {
    return plane
        .observe()
        .listing()
        .lines()
        .filter(line -> line.matches(".*80 \\. f1\\S+ : 10\\.64.*"))
        .toList();
  }
}
