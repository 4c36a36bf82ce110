package io.fairlead.bench.ipvs;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.testing.PlanFollower;
import java.util.ArrayList;
import java.util.List;

/// Runs inside the guest. What is measured, among few and many Services:
/// - an exchange (connect, a byte each way) through the mode against one through rules made by hand
///   with `ipvsadm`, through the iptables mode, and straight to the pod;
/// - one changed endpoint against one call of `ipvsadm`;
/// - from a Service's first endpoint to the first packet, against the iptables mode: from the plan
///   on here, from the write to the API on in [GuestSync].
///
/// Every exchange checks its byte; one that fails ends the program.
public final class GuestBench {
  private static final List<Integer> SIZES = List.of(10, 1_000, 10_000);
  private static final List<Integer> SMOKE_SIZES = List.of(10);
  private static final List<Integer> API_SIZES = List.of(100, 1_000, 10_000);
  private static final String WHO = "ipvs";
  private static final String MEASURED = "10.111.0.1";
  private static final int PORT = 80;
  private static final int IN_A_TURN = 20;
  private static final IpAddress ADDRESSES = IpAddress.parse("10.96.0.0");
  private static final IpAddress ENDPOINTS = IpAddress.parse("10.200.0.0");
  private static final NodeFacts NODE =
      NodeFacts.of("bench", IpAddress.parse("192.0.2.10"))
          .withDetector(new LocalDetector.Source(Cidr.parse("10.200.0.0/13")));
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("D4", "exchange-10000-over-by-hand", "ratio", 1.03),
          Goal.atMost("D4", "exchange-10000-over-10", "ratio", 1.05),
          Goal.atMost("K4", "change-10000-over-ipvsadm", "ratio", 0.1),
          Goal.atMost("K4", "first-packet-10000-over-iptables", "ratio", 0.5),
          Goal.atMost("K4", "api-first-packet-10000-over-iptables", "ratio", 0.5));

  private final Report report = new Report(System.out, GOALS);
  private final int turns;
  private final int changes;
  // Round 0 is the cold one: in no median.
  private final int firstRound;

  private GuestBench(boolean smoke) {
    this.turns = smoke ? 2 : 15;
    this.changes = smoke ? 10 : 100;
    this.firstRound = smoke ? 1 : 0;
  }

  public static void main(String[] words) throws InterruptedException {
    BenchArguments call = BenchArguments.of(words);
    boolean smoke = call.smoke();
    int rounds = call.rounds(7);
    List<Integer> sizes = call.sizes();
    GuestBench bench = new GuestBench(smoke);
    bench.run(rounds, sizes.isEmpty() ? (smoke ? SMOKE_SIZES : SIZES) : sizes);
    new GuestSync(bench.report)
        .run(rounds, sizes.isEmpty() ? (smoke ? SMOKE_SIZES : API_SIZES) : sizes);
    call.exit(bench.report.table(WHO));
  }

  /// One contestant at one size.
  private record Contestant(IpvsTestbed site, DataPlane plane, Plan plan) implements AutoCloseable {
    @Override
    public void close() {
      plane.close();
      site.close();
    }
  }

  /// Where exchanges go.
  private record Way(String who, String what, IpvsTestbed site, String address, int port) {}

  private void run(int rounds, List<Integer> sizes) {
    // On a node of its own: IPVS remembers connections by the client's port for minutes, and would
    // take the answer to one that goes around it for its own.
    IpvsTestbed direct = new IpvsTestbed("plain");
    IpvsTestbed byHand = new IpvsTestbed("hand");
    IpvsTestbed.run(
        """
        ip netns exec %1$s sysctl -q -w net.ipv4.vs.conntrack=1
        ip -n %1$s link add kube-ipvs0 type dummy
        ip -n %1$s addr add %2$s/32 dev kube-ipvs0
        ip netns exec %1$s ipvsadm -A -t %2$s:80 -s rr
        ip netns exec %1$s ipvsadm -a -t %2$s:80 -r %3$s:%4$d -m
        ip netns exec %1$s iptables -t nat -A POSTROUTING -m ipvs --vaddr %2$s -j MASQUERADE
        """
            .formatted(byHand.node().name(), MEASURED, IpvsTestbed.POD, IpvsTestbed.POD_PORT));
    List<Contestant> ipvs = new ArrayList<>();
    List<Contestant> iptables = new ArrayList<>();
    for (int size : sizes) {
      progress(size + " services are loaded");
      ipvs.add(contestant("v" + size, size, GuestPlane::ipvs));
      iptables.add(contestant("t" + size, size, GuestPlane::iptables));
    }
    for (int round = firstRound; round <= rounds; round++) {
      progress("round " + round + " of " + rounds);
      exchanges(round, sizes, direct, byHand, ipvs, iptables);
      double ipvsadm = ipvsadm(round, byHand);
      for (int i = 0; i < sizes.size(); i++) {
        int size = sizes.get(i);
        ratio(round, "change-" + size + "-over-ipvsadm", change(round, size, ipvs.get(i)), ipvsadm);
        ratio(
            round,
            "first-packet-" + size + "-over-iptables",
            firstPacket(round, WHO, size, ipvs.get(i)),
            firstPacket(round, "iptables", size, iptables.get(i)));
      }
    }
    ipvs.forEach(Contestant::close);
    iptables.forEach(Contestant::close);
    byHand.close();
    direct.close();
  }

  /// Says what it is at: a whole run takes a while.
  static void progress(String what) {
    System.out.println("# " + what);
  }

  /// Contestants take short turns, so that what else the machine does meets all of them alike.
  private void exchanges(
      int round,
      List<Integer> sizes,
      IpvsTestbed direct,
      IpvsTestbed byHand,
      List<Contestant> ipvs,
      List<Contestant> iptables) {
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("direct", "exchange", direct, IpvsTestbed.POD, IpvsTestbed.POD_PORT));
    ways.add(new Way("by-hand", "exchange", byHand, MEASURED, PORT));
    for (int i = 0; i < sizes.size(); i++) {
      String what = "exchange-" + sizes.get(i);
      ways.add(new Way(WHO, what, ipvs.get(i).site, MEASURED, PORT));
      ways.add(new Way("iptables", what, iptables.get(i).site, MEASURED, PORT));
    }
    double[][] times = new double[ways.size()][turns * IN_A_TURN];
    for (int turn = 0; turn < turns; turn++) {
      for (int i = 0; i < ways.size(); i++) {
        Way way = ways.get(i);
        double[] some = way.site.exchanges(way.address, way.port, IN_A_TURN);
        System.arraycopy(some, 0, times[i], turn * IN_A_TURN, IN_A_TURN);
      }
    }
    double[] medians = new double[ways.size()];
    for (int i = 0; i < medians.length; i++) {
      medians[i] = new Samples(times[i]).quantile(0.5);
      report.add(round, ways.get(i).who, ways.get(i).what, "p50_us", medians[i]);
    }
    ratio(round, "by-hand-over-direct", medians[1], medians[0]);
    for (int i = 0; i < sizes.size(); i++) {
      String what = "exchange-" + sizes.get(i);
      double mine = medians[2 + 2 * i];
      ratio(round, what + "-over-by-hand", mine, medians[1]);
      ratio(round, what + "-over-iptables", mine, medians[3 + 2 * i]);
      if (i > 0) {
        ratio(round, what + "-over-" + sizes.getFirst(), mine, medians[2]);
      }
    }
  }

  private void ratio(int round, String what, double one, double other) {
    if (round > 0) {
      report.add(round, WHO, what, "ratio", one / other);
    }
  }

  /// How a mode is opened on a site.
  private interface Opening {
    DataPlane open(NetworkNamespace node);
  }

  private static Contestant contestant(String name, int size, Opening opening) {
    IpvsTestbed site = new IpvsTestbed(name);
    DataPlane plane = opening.open(site.node());
    Plan plan = Plan.empty(NODE);
    for (int i = 0; i < size; i++) {
      plan = plan.with(service("svc" + i, ADDRESSES.plus(i), filler(i)));
    }
    plan = plan.with(measured(List.of(pod())));
    PlanFollower.apply(plane, plan);
    return new Contestant(site, plane, plan);
  }

  /// One call of the tool: a process, a socket, a message.
  private double ipvsadm(int round, IpvsTestbed site) {
    double[] times = new double[Math.max(4, changes / 5)];
    for (int i = 0; i < times.length; i++) {
      List<String> command =
          new ArrayList<>(List.of("ipvsadm", i % 2 == 0 ? "-a" : "-d", "-t", MEASURED + ":80"));
      command.addAll(List.of("-r", "10.200.0.9:8080"));
      if (i % 2 == 0) {
        command.add("-m");
      }
      long start = System.nanoTime();
      if (!site.tool().run("", command).succeeded()) {
        throw new IllegalStateException("ipvsadm failed");
      }
      times[i] = (System.nanoTime() - start) / 1e3;
    }
    Samples samples = new Samples(times);
    report.add(round, "ipvsadm", "change", "p50_us", samples.quantile(0.5));
    return samples.quantile(0.5);
  }

  /// One endpoint more, one less, of a Service without clients.
  private double change(int round, int size, Contestant contestant) {
    double[] times = new double[changes];
    for (int i = 0; i < changes; i++) {
      List<Backend> endpoints = new ArrayList<>(filler(0));
      if (i % 2 == 0) {
        endpoints.add(Backend.ready(ENDPOINTS.plus(500_000), 8080, false));
      }
      Plan next = contestant.plan.with(service("svc0", ADDRESSES, endpoints));
      long start = System.nanoTime();
      int writes = PlanFollower.apply(contestant.plane, next).writes();
      times[i] = (System.nanoTime() - start) / 1e3;
      require(writes == 1, "one endpoint took " + writes + " writes");
    }
    Samples samples = new Samples(times);
    report.add(round, WHO, "change-" + size, "p50_us", samples.quantile(0.5));
    return samples.quantile(0.5);
  }

  /// From no endpoint to one: until the first byte comes back.
  private double firstPacket(int round, String who, int size, Contestant contestant) {
    PlanFollower.apply(contestant.plane, contestant.plan.with(measured(List.of())));
    require(!contestant.site.reaches(MEASURED, PORT), "reached without endpoints");
    long start = System.nanoTime();
    PlanFollower.apply(contestant.plane, contestant.plan);
    require(contestant.site.reaches(MEASURED, PORT), "not reached with an endpoint");
    double took = (System.nanoTime() - start) / 1e3;
    report.add(round, who, "first-packet-" + size, "us", took);
    return took;
  }

  private static List<Backend> filler(int number) {
    List<Backend> endpoints = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      endpoints.add(Backend.ready(ENDPOINTS.plus(3L * number + i), 8080, false));
    }
    return endpoints;
  }

  private static Backend pod() {
    return Backend.ready(IpAddress.parse(IpvsTestbed.POD), IpvsTestbed.POD_PORT, false);
  }

  private static ServicePlan measured(List<Backend> endpoints) {
    return service("zz-measured", IpAddress.parse(MEASURED), endpoints);
  }

  private static ServicePlan service(String name, IpAddress address, List<Backend> endpoints) {
    return ServicePlan.of(
        new ServicePort(
            new ServicePortName("bench", name, "http", Protocol.TCP),
            address,
            PORT,
            0,
            List.of(),
            List.of(),
            List.of(),
            TrafficPolicy.CLUSTER,
            TrafficPolicy.CLUSTER,
            0,
            0),
        endpoints,
        NODE);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }
}
