package io.fairlead.insight.simulate;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.IptablesText;
import io.fairlead.proxy.nftables.NftablesText;
import java.util.ArrayList;
import java.util.List;

/// The rules of a plan in the notation of each mode, from the renderers that write to the kernel.
public final class RenderedRules {
  private RenderedRules() {}

  /// One line for each rule, element or server.
  public static List<String> of(ProxyMode mode, Plan plan) {
    List<String> lines = new ArrayList<>();
    switch (mode) {
      case NFTABLES -> NftablesText.of(plan).forEach(lines::add);
      case IPTABLES -> {
        for (ServicePlan port : plan.sorted()) {
          lines.addAll(IptablesText.of(port, plan.node(), IptablesSettings.standard()));
        }
      }
      case IPVS, USERSPACE -> {
        for (ServicePlan port : plan.sorted()) {
          for (Frontend front : port.fronts()) {
            servers(mode, plan.node(), port, front, lines);
          }
        }
      }
    }
    return lines;
  }

  /// Virtual and real servers as `ipvsadm --save` writes them; portals as one line each.
  private static void servers(
      ProxyMode mode, NodeFacts node, ServicePlan port, Frontend front, List<String> lines) {
    String flag =
        switch (port.port().protocol().lower()) {
          case "udp" -> "-u";
          case "sctp" -> "--sctp-service";
          default -> "-t";
        };
    List<Backend> to =
        front.verdict() instanceof TrafficVerdict.Forward(List<Backend> all, _) ? all : List.of();
    for (String address : addresses(node, front)) {
      String place = place(address, front.port());
      if (mode == ProxyMode.IPVS) {
        String sticky = port.port().stickySeconds() > 0 ? " -p " + port.port().stickySeconds() : "";
        lines.add("-A " + flag + " " + place + " -s rr" + sticky);
        to.forEach(
            each -> lines.add("-a " + flag + " " + place + " -r " + each.text() + " -m -w 1"));
      } else {
        lines.add(
            port.port().protocol().lower()
                + " "
                + place
                + " "
                + port.name()
                + " round-robin: "
                + String.join(" ", to.stream().map(Backend::text).toList()));
      }
    }
  }

  private static List<String> addresses(NodeFacts node, Frontend front) {
    IpAddress address = front.address();
    if (address != null) {
      return List.of(address.toString());
    }
    return switch (node.nodePortAddresses()) {
      case NodePortAddresses.All() -> List.of(node.address().toString());
      case NodePortAddresses.Only(List<IpAddress> only) ->
          only.stream().map(IpAddress::toString).toList();
    };
  }

  private static String place(String address, int port) {
    return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
  }
}
