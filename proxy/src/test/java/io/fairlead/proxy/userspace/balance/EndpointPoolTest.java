package io.fairlead.proxy.userspace.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Which endpoint a connection gets. The names begin with the vectors of spec/proxy.md 7.7.
class EndpointPoolTest {
  private static final long SEED = 7;

  private long now;
  private final EndpointPool pool = new EndpointPool("shop/cart", () -> now, new Random(SEED));

  private static List<Backend> backends(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> Backend.ready(IpAddress.parse("10.0.0." + i), 80, i == 1))
        .toList();
  }

  private void become(List<Backend> backends, BalancingPolicy policy, String weights, int sticky) {
    pool.update(
        new EndpointPool.Specification(backends, policy, EndpointWeights.parse(weights), sticky));
  }

  private PooledEndpoint choose(long client, PooledEndpoint... tried) {
    return Objects.requireNonNull(pool.choose(true, 0, client, List.of(tried)));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void u1SixConnectionsVisitThreeEndpointsTwiceInTurn() {
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 0);
    List<PooledEndpoint> seen = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      seen.add(choose(1));
    }
    assertThat(seen.subList(0, 3)).doesNotHaveDuplicates().hasSize(3);
    assertThat(seen.subList(3, 6)).isEqualTo(seen.subList(0, 3));
  }

  @Test
  void roundRobinDiffersByOneAtMostOverManyConnections() {
    become(backends(7), BalancingPolicy.ROUND_ROBIN, "", 0);
    Map<PooledEndpoint, Integer> counts = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      counts.merge(choose(i), 1, Integer::sum);
    }
    assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(14_285, 14_286));
  }

  @Test
  void u2AnAttemptThatFailedIsFollowedByAnotherEndpoint() {
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 0);
    PooledEndpoint first = choose(1);
    PooledEndpoint second = choose(1, first);
    PooledEndpoint third = choose(1, first, second);
    assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
    assertThat(choose(1, first, second, third)).isIn(first, second, third);
  }

  @Test
  void anEndpointThatFailedIsAvoidedForAWhile() {
    become(backends(2), BalancingPolicy.ROUND_ROBIN, "", 0);
    PooledEndpoint dead = choose(1);
    dead.failed(now);
    for (int i = 0; i < 10; i++) {
      assertThat(choose(i)).isNotSameAs(dead);
    }
    pass(Duration.ofSeconds(1));
    assertThat(IntStream.range(0, 2).mapToObj(i -> choose(i))).contains(dead);
    // The second failure in a row counts double, a success ends it.
    dead.failed(now);
    pass(Duration.ofMillis(1500));
    assertThat(IntStream.range(0, 4).mapToObj(i -> choose(i))).doesNotContain(dead);
    dead.accepted();
    assertThat(IntStream.range(0, 2).mapToObj(i -> choose(i))).contains(dead);
  }

  @Test
  void whenAllFailedAllAreTried() {
    become(backends(2), BalancingPolicy.ROUND_ROBIN, "", 0);
    pool.targets().forEach(target -> target.failed(now));
    assertThat(IntStream.range(0, 2).mapToObj(i -> choose(i))).doesNotHaveDuplicates();
  }

  @Test
  void u4AClientKeepsItsEndpointUntilItIsIdleForTheTime() {
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 10);
    PooledEndpoint own = choose(1);
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofSeconds(9));
      assertThat(choose(1)).isSameAs(own);
      assertThat(choose(100 + i)).isNotNull();
    }
    pass(Duration.ofSeconds(10));
    // The turn has moved on meanwhile: another one comes.
    List<PooledEndpoint> later = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      later.add(choose(1));
      pass(Duration.ofSeconds(10));
    }
    assertThat(later).doesNotHaveDuplicates();
  }

  @Test
  void u4AClientWhoseEndpointRefusesMovesAndIsRememberedThere() {
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 3600);
    PooledEndpoint own = choose(1);
    PooledEndpoint next = choose(1, own);
    assertThat(next).isNotSameAs(own);
    assertThat(choose(1)).isSameAs(next);
  }

  @Test
  void clientsOfAnEndpointThatIsGoneAreForgotten() {
    become(backends(2), BalancingPolicy.ROUND_ROBIN, "", 3600);
    PooledEndpoint own = choose(1);
    become(
        backends(2).stream().filter(each -> !each.address().equals(own.address())).toList(),
        BalancingPolicy.ROUND_ROBIN,
        "",
        3600);
    assertThat(pool.stickyClients()).isZero();
    assertThat(choose(1)).isNotSameAs(own);
  }

  @Test
  void aShorterTimeIsNoticed() {
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 3600);
    PooledEndpoint _ = choose(1);
    pass(Duration.ofSeconds(60));
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 30);
    assertThat(pool.stickyClients()).isZero();
  }

  @Test
  void u5WithoutEndpointsThereIsNobody() {
    become(List.of(), BalancingPolicy.ROUND_ROBIN, "", 0);
    assertThat(pool.choose(true, 0, 1, List.of())).isNull();
  }

  @Test
  void anUnchangedSetKeepsItsTurn() {
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 0);
    PooledEndpoint first = choose(1);
    become(backends(3), BalancingPolicy.ROUND_ROBIN, "", 0);
    assertThat(List.of(first, choose(1), choose(1))).doesNotHaveDuplicates();
  }

  @Test
  void leastConnectionsFillsTheEmptiest() {
    become(backends(3), BalancingPolicy.LEAST_CONNECTIONS, "", 0);
    PooledEndpoint busy = choose(1);
    for (int i = 0; i < 10; i++) {
      busy.begin();
    }
    Map<PooledEndpoint, Integer> counts = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      PooledEndpoint chosen = choose(i);
      chosen.begin();
      counts.merge(chosen, 1, Integer::sum);
    }
    assertThat(counts).doesNotContainKey(busy).hasSize(2);
    assertThat(counts.values()).containsOnly(5);
  }

  @Test
  void weightsShareAndMix() {
    become(backends(3), BalancingPolicy.WEIGHTED, "local=3, 10.0.0.3=0", 0);
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      seen.add(choose(i).address().toString());
    }
    assertThat(seen).filteredOn("10.0.0.1"::equals).hasSize(6);
    assertThat(seen).filteredOn("10.0.0.2"::equals).hasSize(2);
    // Mixed, not in blocks: the lighter one is never more than a round away.
    assertThat(seen.subList(0, 4)).contains("10.0.0.2");
    assertThat(seen.subList(4, 8)).contains("10.0.0.2");
  }

  @Test
  void hashGivesAClientTheSameAndMovesFewWhenOneGoes() {
    become(backends(10), BalancingPolicy.HASH, "", 0);
    Map<Long, IpAddress> before = new HashMap<>();
    Map<IpAddress, Integer> shares = new HashMap<>();
    for (long client = 0; client < 10_000; client++) {
      PooledEndpoint chosen = choose(client * 7919);
      assertThat(choose(client * 7919)).isSameAs(chosen);
      before.put(client, chosen.address());
      shares.merge(chosen.address(), 1, Integer::sum);
    }
    assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(800, 1200));
    IpAddress gone = IpAddress.parse("10.0.0.10");
    become(backends(9), BalancingPolicy.HASH, "", 0);
    for (long client = 0; client < 10_000; client++) {
      IpAddress was = Objects.requireNonNull(before.get(client));
      if (!was.equals(gone)) {
        assertThat(choose(client * 7919).address()).isEqualTo(was);
      }
    }
  }

  @Test
  void weightsThatMakeNoSenseAreNamed() {
    assertThat(EndpointWeights.parse("10.0.0.1=2,10.0.0.0/24=1,local=0,fd00::1=5").problems())
        .isEmpty();
    assertThat(
            EndpointWeights.parse("10.0.0.1, nonsense=1, local=-1, local=9999, local=x").problems())
        .hasSize(5)
        .allSatisfy(problem -> assertThat(problem).contains("is no weight"));
  }
}
