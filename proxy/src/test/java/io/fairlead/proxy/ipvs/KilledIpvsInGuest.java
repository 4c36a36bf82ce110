package io.fairlead.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.faults.Churn;
import io.fairlead.proxy.faults.KilledChurn;
import io.fairlead.proxy.faults.LongLivedConnections;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.testing.PlanFollower;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A process killed in the middle of its work leaves every Service as one of two plans in a row has
/// it; connections go on and new ones never fail; the next process puts everything in order.
///
/// IPVS has no transactions: a kill may fall between two Services, and between the endpoint that
/// comes and the one that goes. Every endpoint that gets new connections is one of the API's.
///
/// How often it is killed is `-Dfairlead.kills=100`, a dozen when left out.
class KilledIpvsInGuest {
  private static final String MODE = "ipvs";
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int KILLS = Integer.getInteger("fairlead.kills", 12);
  private static final int MOST_PLANS = 4;
  private static final int MOST_NANOS = 60_000_000;

  private Lab lab;
  private GuestNode node;
  private LongLivedConnections connections;

  @BeforeEach
  void build() {
    lab = Lab.create();
    node = new GuestNode(lab.node());
    connections = new LongLivedConnections(lab);
  }

  @AfterEach
  void remove() throws IOException {
    connections.close();
    lab.close();
  }

  @Test
  void aKilledProcessIsNotMissed() throws Exception {
    write(1);
    connections.open();
    connections.beginMaking(PAUSE);
    KilledChurn churn =
        new KilledChurn(MODE, lab.node(), MOST_PLANS, MOST_NANOS, new Random(KILLS));
    int last = 1;
    for (int i = 0; i < KILLS; i++) {
      last = churn.runAndKill(last, 0);
      check(last);
      connections.check();
      assertThat(connections.made()).isPositive();
    }
    int next = last + 1;
    write(next);
    KernelState after = node.state();
    connections.check();
    connections.close();
    try (DataPlane plane = Churn.open(MODE, lab.node())) {
      lab.node().run(plane::removeAll);
      node.state().isEmpty();
      PlanFollower.apply(plane, Churn.plan(next));
    }
    node.state().isSameAs(after);
  }

  private void write(int number) {
    try (DataPlane plane = Churn.open(MODE, lab.node())) {
      PlanFollower.apply(plane, Churn.plan(number));
    }
  }

  /// What the kernel has is of the last plan known to be written or the one after.
  private void check(int last) {
    Map<String, Set<Integer>> plans = new TreeMap<>();
    for (String line : node.must("ipvsadm", "-Sn").lines().toList()) {
      String[] words = line.strip().split(" ");
      Set<Integer> numbers = plans.computeIfAbsent(words[2], _ -> new TreeSet<>());
      if (words[0].equals("-a") && !words[2].equals(LongLivedConnections.SERVICE + ":80")) {
        String endpoint = words[4].substring(0, words[4].indexOf(':'));
        numbers.add(Churn.numberOf(IpAddress.parse(endpoint)));
      }
    }
    Plan plan = Churn.plan(last);
    assertThat(plans).as("every Service is there").hasSize(plan.services().size());
    plans.forEach(
        (server, numbers) ->
            assertThat(numbers).as(server + " after plan " + last).isSubsetOf(last, last + 1));
    long served = plans.values().stream().filter(numbers -> !numbers.isEmpty()).count();
    assertThat(served).as("Services that have endpoints in both plans").isGreaterThan(20);
  }
}
