package io.fairlead.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.testing.PlanFollower;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A process killed in the middle of its work leaves the rules of one plan, whole; connections go
/// on and new ones never fail; what belongs to others stays.
@Tag("system")
public abstract class KilledContract {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int FEW = 6;
  private static final int MANY = Integer.getInteger("fairlead.kills", 40);
  private static final int MOST_PLANS = 6;
  private static final int MOST_NANOS = 30_000_000;
  private static final String FOREIGN =
      """
      set -e
      nft add table ip foreign
      nft add chain ip foreign input '{ type filter hook input priority 5; }'
      nft add rule ip foreign input tcp dport 22 accept
      iptables -t nat -N FOREIGN
      iptables -t nat -A FOREIGN -p tcp -j RETURN
      iptables -t nat -A PREROUTING -j FOREIGN
      iptables -t filter -A INPUT -p tcp --dport 22 -j ACCEPT
      """;

  private Lab lab;
  private LongLivedConnections connections;

  /// The name of the mode.
  protected abstract String mode();

  /// Proves that the rules are exactly those of a plan.
  ///
  /// @param last the last plan known to be written; the one after may be there as well
  /// @return the number of the plan
  protected abstract int check(NetworkNamespace node, int last);

  @BeforeEach
  final void build() {
    lab = Lab.create();
    connections = new LongLivedConnections(lab);
  }

  @AfterEach
  final void remove() throws IOException {
    connections.close();
    lab.close();
  }

  @Test
  final void aFewKills() throws Exception {
    kill(FEW);
  }

  @Test
  @Tag("slow")
  final void manyKills() throws Exception {
    kill(MANY);
  }

  private void kill(int times) throws Exception {
    inside("sh", FOREIGN);
    String foreign = foreign();
    int number = 1;
    try (DataPlane plane = Churn.open(mode(), lab.node())) {
      PlanFollower.apply(plane, Churn.plan(number));
    }
    connections.open();
    connections.beginMaking();
    KilledChurn churn =
        new KilledChurn(mode(), lab.node(), MOST_PLANS, MOST_NANOS, new Random(times));
    for (int i = 0; i < times; i++) {
      number = check(lab.node(), churn.runAndKill(number, 1));
      connections.check();
      assertThat(connections.made()).isPositive();
    }
    assertThat(foreign()).isEqualTo(foreign);
    try (DataPlane plane = Churn.open(mode(), lab.node())) {
      assertThat(PlanFollower.apply(plane, Churn.plan(number)).writes()).isZero();
      assertThat(PlanFollower.apply(plane, Churn.plan(number + 1)).writes()).isPositive();
    }
    connections.check();
  }

  private String foreign() {
    return inside("nft", "", "list", "table", "ip", "foreign")
        + inside("iptables-save", "").lines().filter(KilledContract::isForeign).toList();
  }

  private static boolean isForeign(String line) {
    return line.contains("FOREIGN") || line.contains("--dport 22");
  }

  private String inside(String program, String input, String... words) {
    List<String> command = new java.util.ArrayList<>(List.of(program));
    command.addAll(List.of(words));
    CommandRunner.Result result = CommandRunner.inside(lab.node(), LIMIT).run(input, command);
    assertThat(result.exit()).as(program + ": " + result.error()).isZero();
    return result.output();
  }
}
