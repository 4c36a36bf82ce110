package io.fairlead.proxy.userspace.balance;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Chooses among a fixed list of targets by one policy. Used by many threads.
///
/// Targets that a connection has tried already, and those that are avoided now, are passed over
/// while others are left.
interface Chooser {

  /// What must not, or should not, be chosen.
  interface Unwanted {
    boolean is(PooledEndpoint target);
  }

  /// @param client what stays the same for a client
  /// @return null when all are unwanted
  @Nullable PooledEndpoint choose(long client, Unwanted unwanted);

  static Chooser of(BalancingPolicy policy, List<PooledEndpoint> targets) {
    return switch (policy) {
      case ROUND_ROBIN -> new RoundRobin(targets);
      case LEAST_CONNECTIONS -> new LeastConnections(targets);
      case WEIGHTED -> new Weighted(targets);
      case HASH -> new Hash(targets);
    };
  }

  /// Each in turn, for any client.
  final class RoundRobin implements Chooser {
    private final PooledEndpoint[] targets;
    private final AtomicLong next = new AtomicLong();

    RoundRobin(List<PooledEndpoint> targets) {
      this.targets = targets.toArray(PooledEndpoint[]::new);
    }

    @Override
    public @Nullable PooledEndpoint choose(long client, Unwanted unwanted) {
      for (int i = 0; i < targets.length; i++) {
        PooledEndpoint target =
            targets[(int) Long.remainderUnsigned(next.getAndIncrement(), targets.length)];
        if (!unwanted.is(target)) {
          return target;
        }
      }
      return null;
    }
  }

  /// The one with the fewest connections; among equals, in turn.
  final class LeastConnections implements Chooser {
    private final PooledEndpoint[] targets;
    private final AtomicLong next = new AtomicLong();

    LeastConnections(List<PooledEndpoint> targets) {
      this.targets = targets.toArray(PooledEndpoint[]::new);
    }

    @Override
    public @Nullable PooledEndpoint choose(long client, Unwanted unwanted) {
      PooledEndpoint best = null;
      int fewest = Integer.MAX_VALUE;
      long start = next.getAndIncrement();
      for (int i = 0; i < targets.length; i++) {
        PooledEndpoint target = targets[(int) Long.remainderUnsigned(start + i, targets.length)];
        int connections = target.connections();
        if (connections < fewest && !unwanted.is(target)) {
          best = target;
          fewest = connections;
        }
      }
      return best;
    }
  }

  /// In turn by weight, evenly mixed: each choice gives every target its weight in credit, takes
  /// the richest, and charges it the sum of all weights. With 3 and 1 that is a, a, b, a.
  final class Weighted implements Chooser {
    private final PooledEndpoint[] targets;
    private final long[] credit; // guarded by this

    Weighted(List<PooledEndpoint> targets) {
      this.targets = targets.toArray(PooledEndpoint[]::new);
      this.credit = new long[targets.size()];
    }

    @Override
    public synchronized @Nullable PooledEndpoint choose(long client, Unwanted unwanted) {
      int best = -1;
      long sum = 0;
      for (int i = 0; i < targets.length; i++) {
        if (targets[i].weight() == 0 || unwanted.is(targets[i])) {
          continue;
        }
        credit[i] += targets[i].weight();
        sum += targets[i].weight();
        if (best < 0 || credit[i] > credit[best]) {
          best = i;
        }
      }
      if (best < 0) {
        return null;
      }
      credit[best] -= sum;
      return targets[best];
    }
  }

  /// The highest of the hashes of client and target together ("rendezvous"): a target that goes
  /// moves its own clients only, one that comes takes its share and no more.
  final class Hash implements Chooser {
    private final PooledEndpoint[] targets;
    private final long[] seeds;

    Hash(List<PooledEndpoint> targets) {
      this.targets = targets.toArray(PooledEndpoint[]::new);
      this.seeds = new long[targets.size()];
      for (int i = 0; i < seeds.length; i++) {
        PooledEndpoint target = this.targets[i];
        seeds[i] =
            mix(
                target.address().high()
                    ^ mix(target.address().low())
                    ^ ((long) target.port() << 48));
      }
    }

    @Override
    public @Nullable PooledEndpoint choose(long client, Unwanted unwanted) {
      PooledEndpoint best = null;
      long highest = 0;
      for (int i = 0; i < targets.length; i++) {
        long score = mix(client ^ seeds[i]);
        if ((best == null || Long.compareUnsigned(score, highest) > 0)
            && !unwanted.is(targets[i])) {
          best = targets[i];
          highest = score;
        }
      }
      return best;
    }

    /// The finisher of SplitMix64: every bit of the input moves every bit of the output.
    static long mix(long value) {
      long z = value + 0x9e3779b97f4a7c15L;
      z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      return z ^ (z >>> 31);
    }
  }
}
