package io.fairlead.proxy.userspace.balance;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.work.Ticker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The endpoints behind one listener, and the choice among them. One thread changes it; many
/// choose.
public final class EndpointPool {

  /// What a pool shall be.
  ///
  /// @param stickySeconds how long a client keeps its endpoint; 0 for not at all
  public record Specification(
      List<Backend> backends, BalancingPolicy policy, EndpointWeights weights, int stickySeconds) {
    public Specification {
      backends = List.copyOf(backends);
    }
  }

  /// A state of the pool; replaced as a whole.
  private record Choices(
      BalancingPolicy policy,
      Chooser chooser,
      Map<String, PooledEndpoint> byText,
      int stickySeconds) {}

  private final String name;
  private final Ticker ticker;
  private final RandomGenerator random;
  private final Affinity affinity = new Affinity();
  private volatile Choices choices =
      new Choices(
          BalancingPolicy.ROUND_ROBIN,
          Chooser.of(BalancingPolicy.ROUND_ROBIN, List.of()),
          Map.of(),
          0);

  /// @param name for people
  /// @param random orders endpoints, so that not every node begins with the same one
  public EndpointPool(String name, Ticker ticker, RandomGenerator random) {
    this.name = name;
    this.ticker = ticker;
    this.random = random;
  }

  public String name() {
    return name;
  }

  /// Makes it so. The turn starts again only when endpoints or policy really change.
  public void update(Specification wish) {
    Choices before = choices;
    Map<String, PooledEndpoint> byText = new HashMap<>();
    for (Backend backend : wish.backends) {
      int weight = wish.weights.of(backend);
      PooledEndpoint known = before.byText.get(backend.text());
      byText.put(
          backend.text(),
          known != null && known.weight() == weight
              ? known
              : new PooledEndpoint(backend.address(), backend.port(), weight));
    }
    if (byText.equals(before.byText) && wish.policy == before.policy) {
      choices = new Choices(before.policy, before.chooser, before.byText, wish.stickySeconds);
    } else {
      List<PooledEndpoint> targets = new ArrayList<>(byText.values());
      Collections.shuffle(targets, random);
      choices =
          new Choices(
              wish.policy,
              Chooser.of(wish.policy, targets),
              Map.copyOf(byText),
              wish.stickySeconds);
      affinity.keepOnly(new HashSet<>(targets));
    }
    affinity.sweep(wish.stickySeconds, ticker.nanos());
  }

  /// The endpoint for a new connection, or for its next attempt.
  ///
  /// @param tried endpoints that did not accept this connection; then stickiness gives way, and the
  ///   client sticks to what is tried next
  /// @return null when there is no endpoint to try
  public @Nullable PooledEndpoint choose(
      boolean ipv4, long high, long low, List<PooledEndpoint> tried) {
    Choices now = choices;
    int sticky = now.stickySeconds;
    IpAddress client = sticky == 0 ? null : ipv4 ? IpAddress.ipv4(low) : IpAddress.ipv6(high, low);
    long time = ticker.nanos();
    if (client != null && tried.isEmpty()) {
      PooledEndpoint kept = affinity.get(client, sticky, time);
      if (kept != null) {
        return kept;
      }
    }
    long key = high ^ Long.rotateLeft(low, 17);
    PooledEndpoint chosen =
        now.chooser.choose(key, target -> target.isAvoided(time) || tried.contains(target));
    if (chosen == null) {
      chosen = now.chooser.choose(key, tried::contains);
    }
    if (chosen == null) {
      chosen = now.chooser.choose(key, _ -> false);
    }
    if (client != null && chosen != null) {
      affinity.put(client, chosen, time);
    }
    return chosen;
  }

  /// Its endpoints, for people.
  public List<PooledEndpoint> targets() {
    return choices.byText.values().stream()
        .sorted(java.util.Comparator.comparing(PooledEndpoint::text))
        .toList();
  }

  public BalancingPolicy policy() {
    return choices.policy;
  }

  /// How many clients are remembered.
  public int stickyClients() {
    return affinity.size();
  }
}
