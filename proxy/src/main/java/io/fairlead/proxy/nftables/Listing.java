package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.proxy.core.Observed;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Prints what was found for people, with the names of chains in place of the numbers of actions.
final class Listing {
  private Listing() {}

  static String of(Layout layout, Found found) {
    if (!found.table()) {
      return "";
    }
    StringBuilder text = new StringBuilder("table " + layout.table() + " {\n");
    Map<Bytes, Element> actions = found.elements().of(Container.ACTIONS);
    for (Container container : Container.values()) {
      SetSpecification set = layout.set(container);
      TreeSet<String> lines = new TreeSet<>();
      for (Element element : found.elements().of(container).values()) {
        lines.add("    " + line(set, element, actions));
      }
      text.append("  ").append(set.isMap() ? "map " : "set ").append(set.name()).append(" {\n");
      lines.forEach(line -> text.append(line).append('\n'));
      text.append("  }\n");
    }
    for (String chain : new TreeSet<>(found.chains().keySet())) {
      int rules = found.rules().getOrDefault(chain, java.util.List.of()).size();
      text.append("  chain ").append(chain).append(" # rules: ").append(rules).append('\n');
    }
    return text.append("}\n").toString();
  }

  static String line(SetSpecification set, Element element, Map<Bytes, Element> actions) {
    StringBuilder line = new StringBuilder(SetSpecification.text(set.key(), element.key()));
    if (element.keyEnd() != null) {
      line.append(" - ").append(SetSpecification.text(set.key(), element.keyEnd()));
    }
    if (element.verdict() != null) {
      line.append(" : ").append(element.verdict());
    } else if (element.value() != null) {
      Element action = actions.get(element.value());
      line.append(" : ")
          .append(
              isAction(set) && action != null && action.verdict() != null
                  ? action.verdict().chain()
                  : SetSpecification.text(set.value(), element.value()));
    }
    if (element.packets() >= 0) {
      line.append(" packets ").append(element.packets()).append(" bytes ").append(element.bytes());
    }
    if (!element.comment().isEmpty()) {
      line.append(" # ").append(element.comment());
    }
    return line.toString();
  }

  private static boolean isAction(SetSpecification set) {
    return set.name().equals(Container.FRONTS.setName())
        || set.name().equals(Container.NODE_PORTS.setName())
        || set.name().endsWith("inside")
        || set.name().endsWith("outside");
  }

  /// New connections each service port has got, and the bytes of their first packets.
  static Map<ServicePortName, Observed.Traffic> traffic(Found found, @Nullable State state) {
    Map<ServicePortName, Observed.Traffic> traffic = new HashMap<>();
    if (state == null) {
      return traffic;
    }
    state
        .plan()
        .services()
        .forEach(
            (name, service) -> {
              Observed.Traffic sum = sum(found, state, service);
              if (sum.packets() > 0) {
                traffic.put(name, sum);
              }
            });
    return traffic;
  }

  private static Observed.Traffic sum(Found found, State state, ServicePlan service) {
    long packets = 0;
    long bytes = 0;
    for (var front : service.fronts()) {
      Bytes key = Renderer.key(service, front);
      Element element =
          found
              .elements()
              .of(
                  front.kind() == io.fairlead.proxy.core.Front.Kind.NODE_PORT
                      ? Container.NODE_PORTS
                      : Container.FRONTS)
              .get(key);
      if (element != null && element.packets() > 0 && state.owns(key, service.name())) {
        packets += element.packets();
        bytes += element.bytes();
      }
    }
    return new Observed.Traffic(packets, bytes);
  }
}
