package io.fairlead.bench.loadbalancer;

import io.fairlead.api.loadbalancer.PoolFlagReader;
import io.fairlead.bench.api.Processes;
import io.fairlead.bench.endpoints.PopulatedApiServer;
import io.fairlead.bench.report.BenchArguments;
import io.fairlead.bench.report.Goal;
import io.fairlead.bench.report.Report;
import io.fairlead.bench.report.Samples;
import io.fairlead.client.Client;
import io.fairlead.controller.Controllers;
import io.fairlead.controller.loadbalancer.LoadBalancerOptions;
import io.fairlead.controller.loadbalancer.ServiceLoadBalancerController;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// How fast Services of type LoadBalancer get their addresses: one alone and one among many, many
/// at once, and what a restart of the controller does with all of them held. And for how long
/// clients cannot connect when the node that announces an address goes.
///
/// The server runs in a process of its own, the controller and a watcher in this one. Arguments:
/// `[--smoke] [--check] [rounds [many [kills]]]`; 10,000 Services and 50 kills when left out, and 0
/// leaves that part out.
public final class LoadbalancerBench {
  private static final String WHO = "fairlead";
  private static final List<Goal> GOALS =
      List.of(
          Goal.atMost("LB1", "allocate-alone", "p50_ms", 5),
          Goal.atMost("LB1", "allocate-among-many", "ratio", 1.2),
          Goal.atMost("LB3", "all-at-once", "seconds", 3),
          Goal.atMost("LB3", "restart", "writes", 0),
          Goal.atMost("LB5", "failover-power", "max_s", 2),
          Goal.atMost("LB5", "failover-killed", "max_s", 2),
          Goal.atMost("LB5", "failover-planned", "failed", 0));

  private final Report report;
  private final LoadbalancerSizes sizes;
  private final Path home;
  private int next = 1_000_000;

  private LoadbalancerBench(Report report, LoadbalancerSizes sizes, Path home) {
    this.report = report;
    this.sizes = sizes;
    this.home = home;
  }

  public static void main(String[] words) throws Exception {
    BenchArguments call = BenchArguments.of(words);
    Report report = call.report(GOALS);
    LoadbalancerBench bench =
        new LoadbalancerBench(
            report, LoadbalancerSizes.of(call), Path.of(System.getProperty("fairlead.home", ".")));
    for (int round = 1; round <= call.rounds(1); round++) {
      bench.round(round);
    }
    call.exit(report.table(WHO));
  }

  private void round(int round) throws Exception {
    if (sizes.many() > 0) {
      allocations(round);
    }
    if (sizes.kills() > 0) {
      failovers(round);
    }
  }

  private void allocations(int round) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-loadbalancer");
    Controllers.Options options =
        Controllers.Options.single("")
            .only(Controllers.list(List.of(ServiceLoadBalancerController.NAME)))
            .with(
                new LoadBalancerOptions(
                    PoolFlagReader.read(List.of("10.200.0.0/16;announce=none")), true, List.of()));
    try (PopulatedApiServer world = PopulatedApiServer.start(home, directory);
        Client client = world.newClient();
        Client watching = world.newClient();
        AddressWatcher addresses = new AddressWatcher(watching)) {
      double alone;
      try (Controllers _ = Controllers.start(client, options)) {
        // The first ones also wait for the compilers, of this process and of the server.
        Samples _ = one(world, addresses);
        alone = one(round, "allocate-alone", world, addresses);
      }
      int before = addresses.count();
      world.services(0, sizes.many(), "LoadBalancer");
      double used = ownProcessor();
      long begin = System.nanoTime();
      try (Controllers _ = Controllers.start(client, options)) {
        addresses.await(before + sizes.many());
        report.add(round, WHO, "all-at-once", "seconds", (System.nanoTime() - begin) / 1e9);
        report.add(round, WHO, "all-at-once", "cpu_us", micros(used, sizes.many()));
        double among = one(round, "allocate-among-many", world, addresses);
        report.add(round, WHO, "allocate-among-many", "ratio", among / alone);
      }
      restart(round, client, world, options, addresses);
    } finally {
      Processes.delete(directory);
    }
  }

  /// How long clients cannot connect when the node that announces their address goes.
  private void failovers(int round) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-bench-failover");
    try (FailoverTestbed testbed = new FailoverTestbed(home, directory)) {
      for (FailoverTestbed.Fault fault : FailoverTestbed.Fault.values()) {
        String what = "failover-" + fault.name().toLowerCase(Locale.ROOT);
        double[] seconds = new double[sizes.kills()];
        int failed = 0;
        for (int i = 0; i < seconds.length; i++) {
          seconds[i] = testbed.outage(fault);
          failed += testbed.failures();
        }
        Samples samples = new Samples(seconds);
        report.add(round, WHO, what, "p50_s", samples.quantile(0.5));
        report.add(round, WHO, what, "p99_s", samples.quantile(0.99));
        report.add(round, WHO, what, "max_s", samples.quantile(1));
        if (fault == FailoverTestbed.Fault.PLANNED) {
          report.add(round, WHO, what, "failed", failed);
        }
      }
    } finally {
      Processes.delete(directory);
    }
  }

  /// One Service after the other, from its creation until a watcher sees its address; and the
  /// processor time of each in this process, which other work on the machine changes little.
  private double one(int round, String what, PopulatedApiServer world, AddressWatcher addresses)
      throws Exception {
    double used = ownProcessor();
    Samples samples = one(world, addresses);
    report.add(round, WHO, what, "cpu_us", micros(used, sizes.samples()));
    report.add(round, WHO, what, "p50_ms", samples.quantile(0.5));
    report.add(round, WHO, what, "p99_ms", samples.quantile(0.99));
    return samples.quantile(0.5);
  }

  private static double ownProcessor() throws IOException {
    return Processes.processorSeconds(ProcessHandle.current().pid());
  }

  private static double micros(double since, int each) throws IOException {
    return (ownProcessor() - since) * 1e6 / each;
  }

  private Samples one(PopulatedApiServer world, AddressWatcher addresses) throws Exception {
    double[] millis = new double[sizes.samples()];
    for (int i = 0; i < millis.length; i++) {
      int number = next++;
      long begin = System.nanoTime();
      world.services(number, 1, "LoadBalancer");
      addresses.await("svc-" + number);
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    return new Samples(millis);
  }

  /// A new controller claims what all hold, and then serves a new Service.
  private void restart(
      int round,
      Client client,
      PopulatedApiServer world,
      Controllers.Options options,
      AddressWatcher addresses)
      throws Exception {
    int writes = addresses.writes();
    int number = next++;
    world.services(number, 1, "LoadBalancer");
    long begin = System.nanoTime();
    try (Controllers _ = Controllers.start(client, options)) {
      addresses.await("svc-" + number);
      report.add(round, WHO, "restart", "seconds", (System.nanoTime() - begin) / 1e9);
      // The new one: its creation, and the finalizer with the status.
      report.add(round, WHO, "restart", "writes", addresses.writes() - writes - 2);
    }
  }
}
