package io.fairlead.bench.policy;

import io.fairlead.api.net.IpAddress;
import io.fairlead.bench.report.Report;
import io.fairlead.policy.core.Decision;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PolicyPlanner;
import io.fairlead.policy.testing.FakePolicyTable;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// Random packets of a cluster: what the table's look-ups say must be what the oracle says.
final class RandomPackets {
  private static final List<Integer> PROTOCOLS = List.of(6, 6, 17, 132, 1);
  private static final List<Integer> PORTS = List.of(0, 53, 80, 8080, 8999, 9000, 9050, 9100, 9101);

  private final SyntheticPolicies cluster;
  private final SplittableRandom random;

  RandomPackets(SyntheticPolicies cluster, long seed) {
    this.cluster = cluster;
    this.random = new SplittableRandom(seed);
  }

  void judge(Report report, int packets) {
    PolicyPlanner planner = cluster.planner();
    FakePolicyTable table = new FakePolicyTable(List.of(SyntheticPolicies.LOCAL));
    table.reconcile(planner.plan());
    Oracle oracle =
        new Oracle(
            new Oracle.Node(SyntheticPolicies.NODE, Set.of(), List.of(SyntheticPolicies.LOCAL)),
            cluster.namespaces(),
            cluster.pods(),
            cluster.policies());
    int denied = 0;
    long start = System.nanoTime();
    for (int i = 0; i < packets; i++) {
      IpAddress source = address();
      IpAddress destination = address();
      int protocol = pick(PROTOCOLS);
      int port = pick(PORTS);
      FakePolicyTable.Verdict verdict =
          table.walk(new FakePolicyTable.Packet(source, destination, protocol, port));
      Decision decision = oracle.decideHere(source, destination, protocol, port);
      if (verdict != expected(decision)) {
        throw new IllegalStateException(
            "%s to %s:%d/%d is %s, the oracle says %s"
                .formatted(source, destination, port, protocol, verdict, decision));
      }
      denied += decision.isAllowed() ? 0 : 1;
    }
    report.add(1, PolicyBench.DATA, "random-packets", "judged", packets);
    report.add(1, PolicyBench.DATA, "random-packets", "denied", denied);
    report.add(1, PolicyBench.DATA, "random-packets", "s", (System.nanoTime() - start) / 1e9);
  }

  private static FakePolicyTable.Verdict expected(Decision decision) {
    return switch (decision) {
      case Decision.Allowed _ -> FakePolicyTable.Verdict.PASSED;
      case Decision.Unknown _ -> FakePolicyTable.Verdict.UNKNOWN;
      case Decision.Denied denied ->
          denied.direction() == Direction.EGRESS
              ? FakePolicyTable.Verdict.EGRESS_DENIED
              : FakePolicyTable.Verdict.INGRESS_DENIED;
    };
  }

  /// Mostly pods; those of one namespace talk more often than chance has it.
  private IpAddress address() {
    return switch (random.nextInt(8)) {
      case 0 -> IpAddress.parse("172.16." + random.nextInt(4) + ".9");
      case 1 -> SyntheticPolicies.LOCAL.at(5);
      case 2, 3, 4 ->
          cluster
              .pods()
              .get(random.nextInt(Math.min(50, cluster.pods().size())))
              .address(IpAddress.Family.IPV4)
              .orElseThrow();
      default ->
          cluster
              .pods()
              .get(random.nextInt(cluster.pods().size()))
              .address(IpAddress.Family.IPV4)
              .orElseThrow();
    };
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
