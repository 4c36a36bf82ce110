package io.fairlead.proxy.userspace.balance;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Ticker;
import io.fairlead.proxy.core.Backend;
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
public final class Pool {

  /// What a pool is told to be.
  ///
  /// @param stickySeconds how long a client keeps its endpoint; 0 for not at all
  public record Wish(List<Backend> backends, Policy policy, Weights weights, int stickySeconds) {
    public Wish {
      backends = List.copyOf(backends);
    }
  }

  /// A state of the pool; replaced as a whole.
  private record Choices(
      Policy policy, Chooser chooser, Map<String, Target> byText, int stickySeconds) {}

  private final String name;
  private final Ticker ticker;
  private final RandomGenerator random;
  private final Affinity affinity = new Affinity();
  private volatile Choices choices =
      new Choices(Policy.ROUND_ROBIN, Chooser.of(Policy.ROUND_ROBIN, List.of()), Map.of(), 0);

  /// @param name for people
  /// @param random orders endpoints, so that not every node begins with the same one
  public Pool(String name, Ticker ticker, RandomGenerator random) {
    this.name = name;
    this.ticker = ticker;
    this.random = random;
  }

  public String name() {
    return name;
  }

  /// Makes it so. The turn begins anew only when endpoints or policy really change.
  public void update(Wish wish) {
    Choices before = choices;
    Map<String, Target> byText = new HashMap<>();
    for (Backend backend : wish.backends) {
      int weight = wish.weights.of(backend);
      Target known = before.byText.get(backend.text());
      byText.put(
          backend.text(),
          known != null && known.weight() == weight
              ? known
              : new Target(backend.address(), backend.port(), weight));
    }
    if (byText.equals(before.byText) && wish.policy == before.policy) {
      choices = new Choices(before.policy, before.chooser, before.byText, wish.stickySeconds);
    } else {
      List<Target> targets = new ArrayList<>(byText.values());
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
  /// @return null when there is nobody to ask
  public @Nullable Target choose(boolean ipv4, long high, long low, List<Target> tried) {
    Choices now = choices;
    int sticky = now.stickySeconds;
    IpAddress client = sticky == 0 ? null : ipv4 ? IpAddress.ipv4(low) : IpAddress.ipv6(high, low);
    long time = ticker.nanos();
    if (client != null && tried.isEmpty()) {
      Target kept = affinity.get(client, sticky, time);
      if (kept != null) {
        return kept;
      }
    }
    long key = high ^ Long.rotateLeft(low, 17);
    Target chosen =
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
  public List<Target> targets() {
    return choices.byText.values().stream()
        .sorted(java.util.Comparator.comparing(Target::text))
        .toList();
  }

  public Policy policy() {
    return choices.policy;
  }

  /// How many clients are remembered.
  public int stickyClients() {
    return affinity.size();
  }
}
