package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Rule;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.proxy.core.Front;
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
record Found(
    boolean table,
    Map<String, Chain> chains,
    Map<String, List<Rule>> rules,
    Map<Container, SetSpecification> sets,
    List<String> foreign,
    Elements elements) {

  static Found read(Nftables nftables, Layout layout) {
    boolean table = nftables.tables(layout.table().family()).contains(layout.table());
    Map<String, Chain> chains = new LinkedHashMap<>();
    Map<String, List<Rule>> rules = new HashMap<>();
    Map<Container, SetSpecification> sets = new HashMap<>();
    List<String> foreign = new ArrayList<>();
    Elements elements = new Elements();
    if (table) {
      nftables.chains(layout.table()).forEach(chain -> chains.put(chain.name(), chain));
      nftables
          .rules(layout.table())
          .forEach((chain, list) -> rules.put(chain, list.stream().map(ListedRule::rule).toList()));
      Map<String, Container> ours = new HashMap<>();
      for (Container container : Container.values()) {
        ours.put(container.setName(), container);
      }
      for (SetSpecification set : nftables.sets(layout.table())) {
        Container container = ours.get(set.name());
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
    return new Found(table, chains, rules, sets, foreign, elements);
  }

  /// The numbers of actions there are.
  ActionNumbers actions() {
    ActionNumbers numbers = new ActionNumbers();
    for (Element element : elements.of(Container.ACTIONS).values()) {
      if (element.verdict() != null && element.key().length() == Integer.BYTES) {
        numbers.adopt(element.verdict().chain(), number(element.key()));
      }
    }
    return numbers;
  }

  /// How the endpoints of a service port are numbered, as far as they are there.
  Placement placement(ServicePlan plan) {
    if (!table) {
      return Placement.NONE;
    }
    Map<Bytes, Integer> numbers = new HashMap<>();
    Slots cluster = Slots.NONE;
    Slots local = Slots.NONE;
    for (Front front : plan.fronts()) {
      if (cluster.endpoints().isEmpty()) {
        cluster = slots(plan, front, Number.CLUSTER_SLOTS, numbers);
      }
      if (local.endpoints().isEmpty()) {
        local = slots(plan, front, Number.LOCAL_SLOTS, numbers);
      }
    }
    return new Placement(cluster, local, numbers);
  }

  private Slots slots(ServicePlan plan, Front front, int first, Map<Bytes, Integer> numbers) {
    boolean address = front.kind() != Front.Kind.NODE_PORT;
    Bytes key = Renderer.key(plan, front);
    Map<Bytes, Element> endpoints =
        elements.of(address ? Container.ENDPOINTS : Container.NODE_PORT_ENDPOINTS);
    Map<Bytes, Element> sticky =
        elements.of(address ? Container.STICKY_SLOTS : Container.NODE_PORT_STICKY_SLOTS);
    boolean numbered = plan.port().stickySeconds() > 0;
    List<Bytes> found = new ArrayList<>();
    for (int slot = 0; ; slot++) {
      Bytes slotKey = key.join32(first + slot);
      Bytes number = numbered ? value(sticky.get(slotKey)) : Bytes.EMPTY;
      Bytes endpoint = value(numbered ? endpoints.get(key.join(number)) : endpoints.get(slotKey));
      if (endpoint.length() == 0 || found.contains(endpoint)) {
        return new Slots(found);
      }
      found.add(endpoint);
      if (numbered) {
        numbers.putIfAbsent(endpoint, number(number));
      }
    }
  }

  private static Bytes value(@org.jspecify.annotations.Nullable Element element) {
    return element == null || element.value() == null ? Bytes.EMPTY : element.value();
  }

  static int number(Bytes bytes) {
    return java.nio.ByteBuffer.wrap(bytes.toByteArray())
        .order(java.nio.ByteOrder.nativeOrder())
        .getInt();
  }
}
