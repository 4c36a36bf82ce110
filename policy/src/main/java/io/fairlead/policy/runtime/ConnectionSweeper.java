package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackLabels;
import io.fairlead.policy.core.Decision;
import io.fairlead.policy.core.IpProtocol;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Ends the connections of one family that a narrower plan denies, and forgets those of pods that
/// are gone: off the path of changes, at most once a second.
///
/// How it works: a denied connection gets a label, which the table drops both ways; when a later
/// plan allows it, the label goes and it flows on. Deleting its entry instead would let the other
/// end go on with a connection that looks new (specification, 6.3).
final class ConnectionSweeper implements AutoCloseable {
  static final String KIND = "policy-sweep";

  private static final Duration PACE = Duration.ofSeconds(1);

  private final int family;
  private final boolean cut;
  private final ConntrackLabels labels;
  private final Conntrack conntrack;
  private final Supplier<Oracle> oracles;
  private final PolicyMetrics metrics;
  private final Consumer<CutConnections> told;
  private final Ticker ticker;
  private final SupervisedLoop loop;
  private final Object lock = new Object();
  // Guarded by the lock.
  private Set<IpAddress> gone = new HashSet<>();
  private boolean wanted;
  // Labels of an earlier process are looked at after the first plan, not before it.
  private boolean first = true;
  private boolean labelled;
  // Owned by the loop.
  private final CutMemory memory;

  /// @param cut whether connections are ended; otherwise labels are only taken away
  /// @param told gets the connections that a sweep has cut, pod by pod
  ConnectionSweeper(
      IpAddress.Family family,
      boolean cut,
      int label,
      Supplier<Oracle> oracles,
      PolicyMetrics metrics,
      Consumer<CutConnections> told,
      Ticker ticker) {
    this.ticker = ticker;
    this.memory = new CutMemory(ticker);
    this.family = family == IpAddress.Family.IPV4 ? Conntrack.IPV4 : Conntrack.IPV6;
    this.cut = cut;
    this.labels = ConntrackLabels.open(label);
    this.conntrack = Conntrack.open();
    this.oracles = oracles;
    this.metrics = metrics;
    this.told = told;
    this.loop = SupervisedLoop.of(KIND).key(family).platform().every(PACE).build(this::step);
  }

  void start() {
    loop.start();
  }

  /// The kernel shows a changed plan.
  void changed(PlanChange change) {
    synchronized (lock) {
      gone.addAll(change.released());
      wanted |= first || labelled || change.narrows();
      first = false;
    }
    loop.wake();
  }

  private void step() {
    Set<IpAddress> left;
    boolean sweep;
    synchronized (lock) {
      left = gone;
      gone = new HashSet<>();
      sweep = wanted;
      wanted = false;
    }
    try {
      if (!left.isEmpty()) {
        forget(left);
      }
      if (sweep) {
        sweep();
      }
      memory.cutAgain(entry -> labels.set(entry, true));
    } catch (RuntimeException e) {
      synchronized (lock) {
        gone.addAll(left);
        wanted |= sweep;
      }
      throw e;
    }
  }

  /// The next pod with an address inherits no connection.
  private void forget(Set<IpAddress> addresses) {
    conntrack.deleteIf(
        family,
        0,
        entry ->
            addresses.contains(address(entry.original().source()))
                || addresses.contains(address(entry.original().destination()))
                || addresses.contains(address(entry.reply().source()))
                || addresses.contains(address(entry.reply().destination())));
  }

  private static IpAddress address(InetAddress address) {
    return IpAddress.ofBytes(address.getAddress());
  }

  private void sweep() {
    long began = ticker.nanos();
    Oracle oracle = oracles.get();
    memory.keepIf(entry -> cut && !decide(oracle, entry).isAllowed());
    Map<ObjectKey, CutConnections> ended = new LinkedHashMap<>();
    int count = 0;
    boolean any = false;
    for (ConntrackLabels.Labelled each :
        labels.list(family, (entry, on) -> on || isDenied(oracle, entry))) {
      ConntrackEntry entry = each.entry();
      Decision decision = decide(oracle, entry);
      boolean denied = cut && !decision.isAllowed();
      any |= denied;
      if (denied != each.labelled() && set(entry, denied) && denied) {
        count++;
        memory.add(entry);
        note(ended, oracle, entry, decision);
      }
    }
    ended.values().forEach(told);
    synchronized (lock) {
      labelled = any;
    }
    metrics.swept(count, Duration.ofNanos(ticker.nanos() - began));
  }

  /// Judged while the kernel lists them: of a hundred thousand connections few are denied.
  private boolean isDenied(Oracle oracle, ConntrackEntry entry) {
    return cut && concerns(oracle, entry) && !decide(oracle, entry).isAllowed();
  }

  /// About the addresses after destination NAT and before source NAT.
  private static Decision decide(Oracle oracle, ConntrackEntry entry) {
    return oracle.decideHere(
        address(entry.original().source()),
        address(entry.reply().source()),
        entry.original().protocol(),
        entry.reply().sourcePort());
  }

  private static void note(
      Map<ObjectKey, CutConnections> ended,
      Oracle oracle,
      ConntrackEntry entry,
      Decision decision) {
    IpAddress source = address(entry.original().source());
    IpAddress destination = address(entry.reply().source());
    String example =
        "%s -> %s:%d/%s"
            .formatted(
                oracle.name(source),
                oracle.name(destination),
                entry.reply().sourcePort(),
                IpProtocol.text(entry.original().protocol()));
    CutConnections one =
        decision instanceof Decision.Denied denied
            ? new CutConnections(denied.pod(), denied.isolatedBy(), example, 1)
            : oracle
                .pod(oracle.isIsolatedHere(destination) ? destination : source)
                .map(pod -> new CutConnections(pod, List.of(), example, 1))
                .orElse(null);
    if (one != null) {
      ended.merge(one.pod().key(), one, (known, _) -> known.oneMore());
    }
  }

  private static boolean concerns(Oracle oracle, ConntrackEntry entry) {
    return oracle.isIsolatedHere(address(entry.original().source()))
        || oracle.isIsolatedHere(address(entry.reply().source()));
  }

  private boolean set(ConntrackEntry entry, boolean on) {
    return switch (labels.set(entry, on)) {
      case DONE -> true;
      case GONE -> false;
      // Older than the table: there is no room for a label.
      case NO_LABELS -> on && conntrack.delete(entry);
    };
  }

  @Override
  public void close() {
    loop.close();
    labels.close();
    conntrack.close();
  }
}
