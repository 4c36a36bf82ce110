package io.fairlead.proxy.userspace.rules;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.kernel.nftables.Event;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.Monitor;
import io.fairlead.kernel.nftables.Nftables;
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
  private final Layout layout;
  private final Nftables nftables;
  private Elements written = new Elements();
  private @Nullable Monitor monitor;

  private NftablesRedirects(Layout layout, Nftables nftables) {
    this.layout = layout;
    this.nftables = nftables;
  }

  /// @throws DataPlaneException when the kernel lacks nftables or the caller the right to it
  public static NftablesRedirects open(IpAddress.Family family) {
    try {
      return new NftablesRedirects(new Layout(family), Nftables.open());
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  private static DataPlaneException refused(SystemCallException e) {
    return new DataPlaneException("nftables: " + e.getMessage(), e);
  }

  @Override
  public int replace(NodeFacts node, Collection<Route> routes) {
    Elements wanted = new Elements();
    routes.forEach(wanted::add);
    if (node.nodePortAddresses() instanceof NodePortAddresses.Only(List<IpAddress> only)) {
      only.forEach(
          address -> wanted.add(Container.NODE_PORT_IPS, Element.of(Layout.address(address))));
    }
    Map<String, Chains.Content> chains = Chains.of(node);
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

  private void write(Transaction transaction, Elements wanted, Map<String, Chains.Content> chains) {
    Table table = layout.table();
    transaction.addTable(table, "Services of the userspace proxy");
    for (Container container : Container.values()) {
      transaction.addSet(table, layout.set(container));
      transaction.addElements(table, layout.set(container), wanted.of(container));
    }
    chains.values().forEach(content -> transaction.addChain(table, content.chain()));
    chains.forEach(
        (name, content) -> content.rules().forEach(rule -> transaction.addRule(table, name, rule)));
  }

  private boolean isThere(Elements wanted, Map<String, Chains.Content> chains) {
    Map<String, List<ListedRule>> rules = nftables.rules(layout.table());
    for (Map.Entry<String, Chains.Content> chain : chains.entrySet()) {
      List<ListedRule> found = rules.getOrDefault(chain.getKey(), List.of());
      if (!found.stream().map(ListedRule::rule).toList().equals(chain.getValue().rules())) {
        return false;
      }
    }
    for (Container container : Container.values()) {
      List<Element> found = nftables.elements(layout.table(), container.setName());
      if (found.size() != wanted.size(container)) {
        return false;
      }
      for (Element each : found) {
        Element same = wanted.get(container, Elements.keyOf(each));
        if (same == null || !same.sameAs(each)) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public int change(List<Route> removed, List<Route> added) {
    Map<Container, Set<Bytes>> touched = new EnumMap<>(Container.class);
    Map<Container, Map<Bytes, Element>> before = new EnumMap<>(Container.class);
    Elements.Each note =
        (container, element) -> {
          Bytes key = Elements.keyOf(element);
          touched.computeIfAbsent(container, _ -> new LinkedHashSet<>()).add(key);
          Element old = written.get(container, key);
          if (old != null) {
            before.computeIfAbsent(container, _ -> new java.util.HashMap<>()).putIfAbsent(key, old);
          }
        };
    removed.forEach(route -> Elements.each(route, note));
    added.forEach(route -> Elements.each(route, note));
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
      Transaction transaction, Container container, Set<Bytes> keys, Map<Bytes, Element> before) {
    List<Element> out = new ArrayList<>();
    List<Element> in = new ArrayList<>();
    for (Bytes key : keys) {
      Element old = before.get(key);
      Element now = written.get(container, key);
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
    written = new Elements();
    try {
      nftables.remove(layout.table(), Chains.ENTRANCES);
    } catch (SystemCallException e) {
      throw refused(e);
    }
  }

  @Override
  public String listing() {
    StringBuilder text = new StringBuilder();
    for (Container container : Container.values()) {
      SetSpecification set = layout.set(container);
      for (Element element : written.of(container)) {
        text.append(container.setName())
            .append(' ')
            .append(SetSpecification.text(set.key(), element.key()));
        Bytes value = element.value();
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
    Monitor old = monitor;
    monitor =
        Monitor.changes(
            event -> {
              if (event instanceof Event.Lost
                  || (event instanceof Event.Changed changed
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
