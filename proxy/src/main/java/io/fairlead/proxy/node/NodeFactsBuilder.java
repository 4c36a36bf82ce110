package io.fairlead.proxy.node;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import io.fairlead.proxy.core.ProxyMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts the facts about the node together from its object, the configuration and the addresses its
/// interfaces have. Pure.
///
/// @param mode the one the facts are for
/// @param local all addresses of the node's interfaces
public record NodeFactsBuilder(
    ProxyConfiguration configuration, ProxyMode mode, String nodeName, List<IpAddress> local) {
  private static final String LOCALHOST_NODE_PORTS = "localhostNodePorts";

  public NodeFactsBuilder {
    local = List.copyOf(local);
  }

  /// @param node null when the Node is not known
  public NodeFacts facts(
      IpAddress.Family family, @Nullable ProxyNodeObject node, List<Cidr> serviceCidrs) {
    return new NodeFacts(
        family,
        nodeName,
        node == null ? "" : node.zone(),
        address(family, node),
        detector(family, node),
        nodePortAddresses(family, node),
        configuration.on(section(), "masqueradeAll"),
        1 << configuration.number(section(), "masqueradeBit"),
        servesLocalhost(family),
        serviceCidrs.stream().filter(cidr -> cidr.family() == family).toList());
  }

  /// Where the health servers of Services listen: the addresses of node ports, none for all.
  ///
  /// @param node null when the Node is not known
  public List<String> healthAddresses(@Nullable ProxyNodeObject node) {
    return switch (nodePortAddresses(IpAddress.Family.IPV4, node)) {
      case NodePortAddresses.All() -> List.of();
      case NodePortAddresses.Only(List<IpAddress> only) ->
          only.stream().map(IpAddress::toString).toList();
    };
  }

  /// The part of the configuration that says how packets are marked: the ipvs mode marks them with
  /// iptables.
  private ProxyMode section() {
    return mode == ProxyMode.IPVS ? ProxyMode.IPTABLES : mode;
  }

  /// The bind address where it is a particular one, else the Node's own, else loopback.
  private IpAddress address(IpAddress.Family family, @Nullable ProxyNodeObject node) {
    IpAddress bound = IpAddress.parseOrNull(configuration.text("bindAddress"));
    if (bound != null && bound.family() == family && !bound.isUnspecified()) {
      return bound;
    }
    IpAddress fallback = IpAddress.parse(family == IpAddress.Family.IPV4 ? "127.0.0.1" : "::1");
    return node == null
        ? fallback
        : node.addresses().stream()
            .filter(address -> address.family() == family)
            .findFirst()
            .orElse(fallback);
  }

  private LocalDetector detector(IpAddress.Family family, @Nullable ProxyNodeObject node) {
    return switch (configuration.text("detectLocalMode")) {
      case "BridgeInterface" ->
          new LocalDetector.Bridge(configuration.text("detectLocal", "bridgeInterface"));
      case "InterfaceNamePrefix" ->
          new LocalDetector.InterfacePrefix(
              configuration.text("detectLocal", "interfaceNamePrefix"));
      case "NodeCIDR" -> first(family, node == null ? List.of() : node.podCidrs());
      default -> first(family, cidrs(configuration.text("clusterCIDR")));
    };
  }

  private static LocalDetector first(IpAddress.Family family, List<Cidr> cidrs) {
    return cidrs.stream()
        .filter(cidr -> cidr.family() == family)
        .findFirst()
        .<LocalDetector>map(LocalDetector.Source::new)
        .orElseGet(LocalDetector.None::new);
  }

  private static List<Cidr> cidrs(String text) {
    List<Cidr> cidrs = new ArrayList<>();
    for (String each : text.split(",")) {
      Cidr cidr = Cidr.parseOrNull(each.strip());
      if (cidr != null) {
        cidrs.add(cidr.masked());
      }
    }
    return cidrs;
  }

  private NodePortAddresses nodePortAddresses(
      IpAddress.Family family, @Nullable ProxyNodeObject node) {
    List<Cidr> wanted = wanted(family, node);
    if (wanted.isEmpty() || wanted.stream().anyMatch(cidr -> cidr.prefixLength() == 0)) {
      return new NodePortAddresses.All();
    }
    return new NodePortAddresses.Only(
        local.stream()
            .filter(address -> wanted.stream().anyMatch(cidr -> cidr.contains(address)))
            .distinct()
            .sorted()
            .toList());
  }

  /// The ranges of a family in which node ports answer. Unset means all in iptables mode and the
  /// primary address in nftables mode.
  private List<Cidr> wanted(IpAddress.Family family, @Nullable ProxyNodeObject node) {
    List<String> texts = configuration.list("nodePortAddresses");
    if (texts.isEmpty() && mode == ProxyMode.NFTABLES) {
      texts = List.of("primary");
    }
    List<Cidr> wanted = new ArrayList<>();
    for (String text : texts) {
      switch (text) {
        case "all" -> {
          return List.of();
        }
        case "primary" -> {
          IpAddress own = address(family, node);
          if (!own.isLoopback()) {
            wanted.add(new Cidr(own, family.bits()));
          }
        }
        case "localhost" ->
            wanted.add(Cidr.parse(family == IpAddress.Family.IPV4 ? "127.0.0.0/8" : "::1/128"));
        default -> {
          Cidr cidr = Cidr.parseOrNull(text);
          if (cidr != null && cidr.family() == family) {
            wanted.add(cidr.masked());
          }
        }
      }
    }
    return wanted;
  }

  private boolean servesLocalhost(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 && servesLocalhost(configuration, mode);
  }

  /// Whether node ports answer on IPv4 loopback: in iptables mode where the configuration asks for
  /// it, because that opens 127.0.0.0/8; in userspace mode, which opens nothing, where it does not
  /// forbid it. Loopback must be among the wanted addresses.
  public static boolean servesLocalhost(ProxyConfiguration configuration, ProxyMode mode) {
    boolean wanted =
        switch (mode) {
          case IPTABLES -> configuration.on(ProxyMode.IPTABLES, LOCALHOST_NODE_PORTS);
          case USERSPACE -> !configuration.off(ProxyMode.IPTABLES, LOCALHOST_NODE_PORTS);
          default -> false;
        };
    List<String> addresses = configuration.list("nodePortAddresses");
    return wanted
        && (addresses.isEmpty()
            || addresses.contains("all")
            || addresses.contains("localhost")
            || addresses.stream().anyMatch(NodeFactsBuilder::hasLoopback));
  }

  private static boolean hasLoopback(String range) {
    Cidr cidr = Cidr.parseOrNull(range);
    return cidr != null && cidr.contains(IpAddress.parse("127.0.0.1"));
  }
}
