package io.fairlead.proxy.userspace.rules;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftEvent;
import io.fairlead.kernel.nftables.NftMonitor;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Redirects by one table of nftables. Services are data in maps; a change is a few elements in one
/// transaction. Opened in the network namespace of the calling thread.
public final class NftablesRedirects implements Redirects {
  private final RedirectTableLayout layout;
  private final Nftables nftables;
  private RedirectElements written = new RedirectElements();
  private @Nullable NftMonitor monitor;

  private NftablesRedirects(RedirectTableLayout layout, Nftables nftables) {
    this.layout = layout;
    this.nftables = nftables;
  }

  /// @throws DataPlaneException when the kernel lacks nftables or the caller the right to it
  public static NftablesRedirects open(IpAddress.Family family) {
    try {
      return new NftablesRedirects(new RedirectTableLayout(family), Nftables.open());
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  private static DataPlaneException refused(SystemCallException e) {
    return new DataPlaneException("nftables: " + e.getMessage(), e);
  }

  @Override
  public int replace(NodeFacts node, Collection<RedirectRoute> routes) {
    RedirectElements wanted = new RedirectElements();
    routes.forEach(wanted::add);
    if (node.nodePortAddresses() instanceof NodePortAddresses.Only(List<IpAddress> only)) {
      only.forEach(
          address ->
              wanted.add(
                  RedirectSet.NODE_PORT_IPS, SetElement.of(RedirectTableLayout.address(address))));
    }
    Map<String, RedirectChains.Content> chains = RedirectChains.of(node);
    try {
      boolean there = nftables.tables(layout.table().family()).contains(layout.table());
      if (there && isThere(wanted, chains)) {
        written = wanted;
        return 0;
      }
      Transaction transaction = nftables.transaction();
      if (there) {
        transaction.deleteTable(layout.table());
      }
      write(transaction, wanted, chains);
      transaction.commit();
      written = wanted;
      return transaction.changes();
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  private void write(
      Transaction transaction,
      RedirectElements wanted,
      Map<String, RedirectChains.Content> chains) {
    Table table = layout.table();
    transaction.addTable(table, "Services of the userspace proxy");
    for (RedirectSet container : RedirectSet.values()) {
      transaction.addSet(table, layout.set(container));
      transaction.addElements(table, layout.set(container), wanted.of(container));
    }
    chains.values().forEach(content -> transaction.addChain(table, content.chain()));
    chains.forEach(
        (name, content) -> content.rules().forEach(rule -> transaction.addRule(table, name, rule)));
  }

  private boolean isThere(RedirectElements wanted, Map<String, RedirectChains.Content> chains) {
    Map<String, List<ListedRule>> rules = nftables.rules(layout.table());
    for (Map.Entry<String, RedirectChains.Content> chain : chains.entrySet()) {
      List<ListedRule> found = rules.getOrDefault(chain.getKey(), List.of());
      if (!found.stream().map(ListedRule::rule).toList().equals(chain.getValue().rules())) {
        return false;
      }
    }
    for (RedirectSet container : RedirectSet.values()) {
      List<SetElement> found = nftables.elements(layout.table(), container.setName());
      if (found.size() != wanted.size(container)) {
        return false;
      }
      for (SetElement each : found) {
        SetElement same = wanted.get(container, RedirectElements.keyOf(each));
        if (same == null || !same.sameAs(each)) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public int change(List<RedirectRoute> removed, List<RedirectRoute> added) {
    Map<RedirectSet, Set<NftData>> touched = new EnumMap<>(RedirectSet.class);
    Map<RedirectSet, Map<NftData, SetElement>> before = new EnumMap<>(RedirectSet.class);
    RedirectElements.Each note =
        (container, element) -> {
          NftData key = RedirectElements.keyOf(element);
          touched.computeIfAbsent(container, _ -> new LinkedHashSet<>()).add(key);
          SetElement old = written.get(container, key);
          if (old != null) {
            before.computeIfAbsent(container, _ -> new java.util.HashMap<>()).putIfAbsent(key, old);
          }
        };
    removed.forEach(route -> RedirectElements.each(route, note));
    added.forEach(route -> RedirectElements.each(route, note));
    removed.forEach(written::remove);
    added.forEach(written::add);
    try {
      Transaction transaction = nftables.transaction();
      touched.forEach(
          (container, keys) ->
              change(transaction, container, keys, before.getOrDefault(container, Map.of())));
      transaction.commit();
      return transaction.changes();
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  private void change(
      Transaction transaction,
      RedirectSet container,
      Set<NftData> keys,
      Map<NftData, SetElement> before) {
    List<SetElement> out = new ArrayList<>();
    List<SetElement> in = new ArrayList<>();
    for (NftData key : keys) {
      SetElement old = before.get(key);
      SetElement now = written.get(container, key);
      if (old != null && now != null && old.sameAs(now)) {
        continue;
      }
      if (old != null) {
        out.add(old);
      }
      if (now != null) {
        in.add(now);
      }
    }
    SetSpecification set = layout.set(container);
    transaction.deleteElements(layout.table(), set, out);
    transaction.addElements(layout.table(), set, in);
  }

  @Override
  public void removeAll() {
    written = new RedirectElements();
    try {
      nftables.remove(layout.table(), RedirectChains.ENTRANCES);
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public String listing() {
    StringBuilder text = new StringBuilder();
    for (RedirectSet container : RedirectSet.values()) {
      SetSpecification set = layout.set(container);
      for (SetElement element : written.of(container)) {
        text.append(container.setName())
            .append(' ')
            .append(SetSpecification.text(set.key(), element.key()));
        NftData value = element.value();
        if (value != null) {
          text.append(" : ").append(SetSpecification.text(set.value(), value));
        }
        text.append(element.comment().isEmpty() ? "" : "  # " + element.comment()).append('\n');
      }
    }
    return text.toString();
  }

  @Override
  public void onDrift(Runnable listener) {
    NftMonitor old = monitor;
    monitor =
        NftMonitor.changes(
            event -> {
              if (event instanceof NftEvent.Lost
                  || (event instanceof NftEvent.Changed changed
                      && changed.table().equals(layout.table())
                      && changed.port() != nftables.port())) {
                listener.run();
              }
            });
    if (old != null) {
      old.close();
    }
  }

  @Override
  public void close() {
    if (monitor != null) {
      monitor.close();
      monitor = null;
    }
    nftables.close();
  }
}
