package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.ForeignWriter;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Carries out plans of one family by nftables.
///
/// How it works: see {@link NftablesChains} for the way of a packet. A change of a Service becomes
/// elements that are deleted and added, in one transaction over netlink, without a child process.
/// What was written is remembered as {@link ExpectedTable}, so a change costs what it changes. The
/// first plan, a change of the node's facts and a failed transaction make it read the kernel back
/// and write the difference.
///
/// Opened in the network namespace of the calling thread; used by one thread at a time.
public final class NftablesPlane implements DataPlane {
  private static final int ATTEMPTS = 10;
  private static final int RESTART = 85;
  private static final int MOST_ACTIONS = 2048;

  private final NftablesTableLayout layout;
  private final Nftables nftables;
  private final TableChangeMonitor.Registration registration;
  private @Nullable ExpectedTable state;

  private NftablesPlane(NftablesTableLayout layout, Nftables nftables, TableChangeMonitor monitor) {
    this.layout = layout;
    this.nftables = nftables;
    this.registration = monitor.join(nftables, layout.table());
  }

  /// @throws DataPlaneException when the kernel lacks nftables or the caller the right to it
  public static NftablesPlane open(IpAddress.Family family) {
    return open(family, new TableChangeMonitor());
  }

  /// @param monitor of all families
  /// @throws DataPlaneException when the kernel lacks nftables or the caller the right to it
  public static NftablesPlane open(IpAddress.Family family, TableChangeMonitor monitor) {
    try {
      return new NftablesPlane(new NftablesTableLayout(family), Nftables.open(), monitor);
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
      // Opening it says why not.
    }
  }

  /// Why the kernel cannot be used for this mode in a family; empty when it can.
  public static Optional<String> problem(IpAddress.Family family) {
    Table table = new NftablesTableLayout(family).table();
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
  public ApplyResult apply(Plan desired, PlanDiff change) {
    ExpectedTable held = state;
    if (held == null || change.nodeChanged() || held.actions().used().size() > MOST_ACTIONS) {
      return reconcile(desired);
    }
    if (change.isEmpty()) {
      return ApplyResult.nothing();
    }
    // Until the kernel has agreed it is not known what it holds.
    state = null;
    try {
      ElementDiff elements = held.change(desired, change);
      keepCounting(elements);
      NftablesChains chains = new NftablesChains(desired.node());
      List<NftablesChains.Content> fresh = new ArrayList<>();
      for (ChainAction action : held.actions().takeFresh()) {
        fresh.add(chains.of(action));
        ExpectedTable.containers(action)
            .forEach(container -> elements.put(container, held.actionElement(action)));
      }
      Transaction transaction = nftables.transaction();
      new TableWriter(layout, transaction).change(elements, fresh);
      registration.commit(transaction);
      state = held;
      return new ApplyResult(false, transaction.changes(), sizes(held));
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public ApplyResult reconcile(Plan desired) {
    state = null;
    return registration.alone(() -> reconcileAlone(desired));
  }

  private ApplyResult reconcileAlone(Plan desired) {
    for (int attempt = 1; ; attempt++) {
      try {
        return reconcileOnce(desired);
      } catch (NetlinkException e) {
        // Another program changed something while it was being read: read again.
        if (e.errno().number() != RESTART || attempt == ATTEMPTS) {
          throw refused(e);
        }
      } catch (SystemCallException e) {
        throw refused(e);
      }
    }
  }

  private ApplyResult reconcileOnce(Plan desired) {
    int generation = nftables.generation();
    InstalledTable found = InstalledTable.read(nftables, layout);
    ExpectedTable wanted = ExpectedTable.of(desired, found.actions(), found::placement);
    Transaction transaction = nftables.transaction().onlyAfter(generation);
    new TableWriter(layout, transaction).repair(found, wanted, new NftablesChains(desired.node()));
    wanted.actions().takeFresh();
    registration.commit(transaction);
    state = wanted;
    return new ApplyResult(true, transaction.changes(), sizes(wanted));
  }

  /// Hands the counters of elements that are replaced on to those in their place.
  private void keepCounting(ElementDiff elements) {
    for (ProxySet container : ProxySet.values()) {
      if (container.counts()) {
        elements.mapReplacing(
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

  private static Map<String, Integer> sizes(ExpectedTable state) {
    return Map.of("services", state.services(), "actions", state.actions().used().size());
  }

  private static DataPlaneException refused(SystemCallException e) {
    return new DataPlaneException("nftables: " + e.getMessage(), e);
  }

  @Override
  public DataPlaneSnapshot observe() {
    try {
      InstalledTable found = InstalledTable.read(nftables, layout);
      Map<String, Long> counters = new HashMap<>();
      for (ProxySet container : ProxySet.values()) {
        counters.put(container.setName(), (long) found.elements().of(container).size());
      }
      return new DataPlaneSnapshot(
          InstalledTableFormatter.of(layout, found),
          InstalledTableFormatter.traffic(found, state),
          counters);
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public void removeAll() {
    state = null;
    try {
      nftables.remove(layout.table(), NftablesChains.ENTRANCES);
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public void onDrift(Runnable listener) {
    registration.listen(listener);
  }

  @Override
  public Optional<ForeignWriter> lastForeignWriter() {
    return registration.lastWriter();
  }

  @Override
  public void close() {
    registration.leave();
    nftables.close();
  }
}
