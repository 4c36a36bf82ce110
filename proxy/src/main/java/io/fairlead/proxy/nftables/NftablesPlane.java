package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.Applied;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Observed;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Carries out plans of one family by nftables.
///
/// How it works: see {@link Chains} for the way of a packet. A change of a Service becomes elements
/// that are deleted and added, in one transaction over netlink, without a child process. What was
/// written is remembered as {@link State}, so a change costs what it changes. The first plan, a
/// change of the node's facts and a failed transaction make it read the kernel back and write the
/// difference.
///
/// Opened in the network namespace of the calling thread; used by one thread at a time.
public final class NftablesPlane implements DataPlane {
  private static final int ATTEMPTS = 10;
  private static final int RESTART = 85;
  private static final int MOST_ACTIONS = 2048;

  private final Layout layout;
  private final Nftables nftables;
  private final Lookout.Post post;
  private @Nullable State state;

  private NftablesPlane(Layout layout, Nftables nftables, Lookout lookout) {
    this.layout = layout;
    this.nftables = nftables;
    this.post = lookout.join(nftables, layout.table());
  }

  /// @throws DataPlaneException when the kernel lacks nftables or the caller the right to it
  public static NftablesPlane open(IpAddress.Family family) {
    return open(family, new Lookout());
  }

  /// @param lookout of all families
  /// @throws DataPlaneException when the kernel lacks nftables or the caller the right to it
  public static NftablesPlane open(IpAddress.Family family, Lookout lookout) {
    try {
      return new NftablesPlane(new Layout(family), Nftables.open(), lookout);
    } catch (SystemCallException e) {
      throw new DataPlaneException("nftables cannot be used here: " + e.getMessage(), e);
    }
  }

  /// Makes calls to the kernel ready, which takes a fresh process a moment. Only asks something
  /// small; does nothing where the kernel has no nftables.
  public static void preload() {
    try (Nftables nftables = Nftables.open()) {
      int _ = nftables.generation();
    } catch (SystemCallException _) {
      // Who wants to use it is told why not.
    }
  }

  /// Why the kernel cannot be used for this mode in a family; empty when it can.
  public static Optional<String> problem(IpAddress.Family family) {
    Table table = new Layout(family).table();
    try (Nftables nftables = Nftables.open()) {
      // Trying would be a write, which a start that finds everything in place does without.
      Optional<String> refusal =
          nftables.tables(table.family()).contains(table)
              ? Optional.empty()
              : nftables.refusal(table.family());
      return refusal.map(why -> "the kernel takes no " + family + " tables of nftables: " + why);
    } catch (SystemCallException e) {
      return Optional.of("the kernel has no nftables: " + e.getMessage());
    }
  }

  @Override
  public Applied apply(Plan desired) {
    State held = state;
    if (held == null) {
      return reconcile(desired);
    }
    PlanDiff difference = PlanDiff.between(held.plan(), desired);
    if (difference.nodeChanged() || held.actions().used().size() > MOST_ACTIONS) {
      return reconcile(desired);
    }
    if (difference.isEmpty()) {
      return Applied.nothing();
    }
    // Until the kernel has agreed nobody knows what it holds.
    state = null;
    try {
      Delta delta = held.change(desired, difference);
      keepCounting(delta);
      Transaction transaction = nftables.transaction();
      Repair repair = new Repair(layout, transaction);
      Chains chains = new Chains(desired.node());
      repair.deleteElements(delta);
      for (Action action : held.actions().takeFresh()) {
        repair.addAction(chains.of(action));
        State.containers(action)
            .forEach(container -> delta.add(container, held.actionElement(action)));
      }
      repair.addElements(delta);
      post.commit(transaction);
      state = held;
      return new Applied(false, transaction.changes(), sizes(held));
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public Applied reconcile(Plan desired) {
    state = null;
    return post.alone(() -> reconcileAlone(desired));
  }

  private Applied reconcileAlone(Plan desired) {
    for (int attempt = 1; ; attempt++) {
      try {
        return reconcileOnce(desired);
      } catch (NetlinkException e) {
        // Somebody changed something while it was being read: look again.
        if (e.errno().number() != RESTART || attempt == ATTEMPTS) {
          throw refused(e);
        }
      } catch (SystemCallException e) {
        throw refused(e);
      }
    }
  }

  private Applied reconcileOnce(Plan desired) {
    int generation = nftables.generation();
    Found found = Found.read(nftables, layout);
    State wanted = State.of(desired, found.actions(), found::placement);
    Transaction transaction = nftables.transaction().onlyAfter(generation);
    new Repair(layout, transaction).write(found, wanted, new Chains(desired.node()));
    wanted.actions().takeFresh();
    post.commit(transaction);
    state = wanted;
    return new Applied(true, transaction.changes(), sizes(wanted));
  }

  /// Hands the counters of elements that are replaced on to those in their place.
  private void keepCounting(Delta delta) {
    for (Container container : Container.values()) {
      if (container.counts()) {
        delta.replaced(
            container,
            element ->
                nftables
                    .element(layout.table(), layout.set(container), element.key())
                    .filter(old -> old.packets() > 0)
                    .map(old -> element.counting(old.packets(), old.bytes()))
                    .orElse(element));
      }
    }
  }

  private static Map<String, Integer> sizes(State state) {
    return Map.of("services", state.services(), "actions", state.actions().used().size());
  }

  private static DataPlaneException refused(SystemCallException e) {
    return new DataPlaneException("nftables: " + e.getMessage(), e);
  }

  @Override
  public Observed observe() {
    try {
      Found found = Found.read(nftables, layout);
      Map<String, Long> counters = new HashMap<>();
      for (Container container : Container.values()) {
        counters.put(container.setName(), (long) found.elements().of(container).size());
      }
      return new Observed(Listing.of(layout, found), Listing.traffic(found, state), counters);
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public void removeAll() {
    state = null;
    try {
      nftables.remove(layout.table(), Chains.ENTRANCES);
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public void onDrift(Runnable listener) {
    post.listen(listener);
  }

  @Override
  public void close() {
    post.leave();
    nftables.close();
  }
}
