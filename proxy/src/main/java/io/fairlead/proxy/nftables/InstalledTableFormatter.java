package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Prints what was found for people, with the names of chains in place of the numbers of actions.
final class InstalledTableFormatter {
  private InstalledTableFormatter() {}

  static String of(NftablesTableLayout layout, InstalledTable found) {
    if (!found.table()) {
      return "";
    }
    StringBuilder text = new StringBuilder("table " + layout.table() + " {\n");
    Map<NftData, SetElement> actions = found.elements().of(ProxySet.ACTIONS);
    for (ProxySet container : ProxySet.values()) {
      SetSpecification set = layout.set(container);
      TreeSet<String> lines = new TreeSet<>();
      for (SetElement element : found.elements().of(container).values()) {
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

  static String line(SetSpecification set, SetElement element, Map<NftData, SetElement> actions) {
    StringBuilder line = new StringBuilder(SetSpecification.text(set.key(), element.key()));
    if (element.keyEnd() != null) {
      line.append(" - ").append(SetSpecification.text(set.key(), element.keyEnd()));
    }
    if (element.verdict() != null) {
      line.append(" : ").append(element.verdict());
    } else if (element.value() != null) {
      SetElement action = actions.get(element.value());
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
    return set.name().equals(ProxySet.FRONTS.setName())
        || set.name().equals(ProxySet.NODE_PORTS.setName())
        || set.name().endsWith("inside")
        || set.name().endsWith("outside");
  }

  /// New connections each service port has got, and the bytes of their first packets.
  static Map<ServicePortName, DataPlaneSnapshot.Traffic> traffic(
      InstalledTable found, @Nullable ExpectedTable state) {
    Map<ServicePortName, DataPlaneSnapshot.Traffic> traffic = new HashMap<>();
    if (state == null) {
      return traffic;
    }
    state
        .plan()
        .services()
        .forEach(
            (name, service) -> {
              DataPlaneSnapshot.Traffic sum = sum(found, state, service);
              if (sum.packets() > 0) {
                traffic.put(name, sum);
              }
            });
    return traffic;
  }

  private static DataPlaneSnapshot.Traffic sum(
      InstalledTable found, ExpectedTable state, ServicePlan service) {
    long packets = 0;
    long bytes = 0;
    for (var front : service.fronts()) {
      NftData key = NftablesRenderer.key(service, front);
      SetElement element =
          found
              .elements()
              .of(
                  front.kind() == io.fairlead.proxy.core.Frontend.Kind.NODE_PORT
                      ? ProxySet.NODE_PORTS
                      : ProxySet.FRONTS)
              .get(key);
      if (element != null && element.packets() > 0 && state.owns(key, service.name())) {
        packets += element.packets();
        bytes += element.bytes();
      }
    }
    return new DataPlaneSnapshot.Traffic(packets, bytes);
  }
}
