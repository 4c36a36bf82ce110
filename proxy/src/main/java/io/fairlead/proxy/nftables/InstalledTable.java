package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.ServicePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What is really in the kernel, read back.
///
/// @param table whether our table is there
/// @param foreign names of sets in it that are none of ours
record InstalledTable(
    boolean table,
    Map<String, Chain> chains,
    Map<String, List<NftRule>> rules,
    Map<ProxySet, SetSpecification> sets,
    List<String> foreign,
    IndexedElements elements) {

  static InstalledTable read(Nftables nftables, NftablesTableLayout layout) {
    boolean table = nftables.tables(layout.table().family()).contains(layout.table());
    Map<String, Chain> chains = new LinkedHashMap<>();
    Map<String, List<NftRule>> rules = new HashMap<>();
    Map<ProxySet, SetSpecification> sets = new HashMap<>();
    List<String> foreign = new ArrayList<>();
    IndexedElements elements = new IndexedElements();
    if (table) {
      nftables.chains(layout.table()).forEach(chain -> chains.put(chain.name(), chain));
      nftables
          .rules(layout.table())
          .forEach((chain, list) -> rules.put(chain, list.stream().map(ListedRule::rule).toList()));
      Map<String, ProxySet> ours = new HashMap<>();
      for (ProxySet container : ProxySet.values()) {
        ours.put(container.setName(), container);
      }
      for (SetSpecification set : nftables.sets(layout.table())) {
        ProxySet container = ours.get(set.name());
        if (container == null) {
          foreign.add(set.name());
        } else {
          sets.put(container, set);
          if (!container.isDynamic()) {
            elements.putAll(container, nftables.elementsByKey(layout.table(), set.name()));
          }
        }
      }
    }
    return new InstalledTable(table, chains, rules, sets, foreign, elements);
  }

  /// The numbers of actions there are.
  ChainActionNumbers actions() {
    ChainActionNumbers numbers = new ChainActionNumbers();
    for (SetElement element : elements.of(ProxySet.ACTIONS).values()) {
      if (element.verdict() != null && element.key().length() == Integer.BYTES) {
        numbers.adopt(element.verdict().chain(), number(element.key()));
      }
    }
    return numbers;
  }

  /// How the endpoints of a service port are numbered, as far as they are there.
  EndpointNumbering placement(ServicePlan plan) {
    if (!table) {
      return EndpointNumbering.NONE;
    }
    Map<NftData, Integer> numbers = new HashMap<>();
    EndpointSlots cluster = EndpointSlots.NONE;
    EndpointSlots local = EndpointSlots.NONE;
    for (Frontend front : plan.fronts()) {
      if (cluster.endpoints().isEmpty()) {
        cluster = slots(plan, front, PacketTag.CLUSTER_SLOTS, numbers);
      }
      if (local.endpoints().isEmpty()) {
        local = slots(plan, front, PacketTag.LOCAL_SLOTS, numbers);
      }
    }
    return new EndpointNumbering(cluster, local, numbers);
  }

  private EndpointSlots slots(
      ServicePlan plan, Frontend front, int first, Map<NftData, Integer> numbers) {
    boolean address = front.kind() != Frontend.Kind.NODE_PORT;
    NftData key = NftablesRenderer.key(plan, front);
    Map<NftData, SetElement> endpoints =
        elements.of(address ? ProxySet.ENDPOINTS : ProxySet.NODE_PORT_ENDPOINTS);
    Map<NftData, SetElement> sticky =
        elements.of(address ? ProxySet.STICKY_SLOTS : ProxySet.NODE_PORT_STICKY_SLOTS);
    boolean numbered = plan.port().stickySeconds() > 0;
    List<NftData> found = new ArrayList<>();
    for (int slot = 0; ; slot++) {
      NftData slotKey = key.join32(first + slot);
      NftData number = numbered ? value(sticky.get(slotKey)) : NftData.EMPTY;
      NftData endpoint = value(numbered ? endpoints.get(key.join(number)) : endpoints.get(slotKey));
      if (endpoint.length() == 0 || found.contains(endpoint)) {
        return new EndpointSlots(found);
      }
      found.add(endpoint);
      if (numbered) {
        numbers.putIfAbsent(endpoint, number(number));
      }
    }
  }

  private static NftData value(@org.jspecify.annotations.Nullable SetElement element) {
    return element == null || element.value() == null ? NftData.EMPTY : element.value();
  }

  static int number(NftData bytes) {
    return java.nio.ByteBuffer.wrap(bytes.toByteArray())
        .order(java.nio.ByteOrder.nativeOrder())
        .getInt();
  }
}
