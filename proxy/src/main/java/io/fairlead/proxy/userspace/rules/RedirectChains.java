package io.fairlead.proxy.userspace.rules;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes the chains. They depend on facts of the node only, never on a Service.
///
/// How a connection passes them: only its first packet does, since they are chains of type `nat`.
/// Who may not use the address is dropped; what no listener serves is refused; all else gets the
/// address of a listener of this process. Source addresses stay, so the process sees its clients.
final class RedirectChains {
  private static final String SERVICES = "services";
  private static final String NODE_PORTS = "node-port-services";

  /// Where the kernel comes in with a connection that has not been translated yet.
  static final List<String> ENTRANCES = List.of("prerouting", "output");

  private static final int DESTINATION_NAT = -100;
  private static final int V4_LOOPBACK_BITS = 8;
  private static final int V6_LOOPBACK_BITS = 128;
  private static final NftData LOOPBACK_V4 =
      RedirectTableLayout.address(IpAddress.parse("127.0.0.0"));
  private static final NftData LOOPBACK_V6 = RedirectTableLayout.address(IpAddress.parse("::1"));

  /// A chain and its rules.
  record Content(Chain chain, List<NftRule> rules) {
    Content {
      rules = List.copyOf(rules);
    }
  }

  private final NodeFacts node;
  private final boolean ipv4;

  private RedirectChains(NodeFacts node) {
    this.node = node;
    this.ipv4 = node.family() == IpAddress.Family.IPV4;
  }

  /// By name, those that others jump to first.
  static Map<String, Content> of(NodeFacts node) {
    RedirectChains chains = new RedirectChains(node);
    Map<String, Content> all = new LinkedHashMap<>();
    put(all, Chain.plain(NODE_PORTS, "connections to node ports"), chains.nodePorts());
    put(all, Chain.plain(SERVICES, "where connections to services begin"), chains.services());
    NftRule jump = chains.steps().end("", NftVerdict.jump(SERVICES));
    // What a process of this machine sends to loopback has met the output chain, and not this one.
    NftRule guard =
        chains
            .steps()
            .address(
                false,
                chains.ipv4 ? LOOPBACK_V4 : LOOPBACK_V6,
                chains.ipv4 ? V4_LOOPBACK_BITS : V6_LOOPBACK_BITS,
                true)
            .end("drop what neighbours send to loopback", NftVerdict.DROP);
    put(all, base(ENTRANCES.getFirst(), Hook.PREROUTING), List.of(guard, jump));
    put(all, base(ENTRANCES.getLast(), Hook.OUTPUT), List.of(jump));
    return all;
  }

  private static void put(Map<String, Content> all, Chain chain, List<NftRule> rules) {
    all.put(chain.name(), new Content(chain, rules));
  }

  private static Chain base(String name, int hook) {
    return new Chain(name, new Hook("nat", hook, DESTINATION_NAT), "");
  }

  private RedirectRuleBuilder steps() {
    return new RedirectRuleBuilder(ipv4);
  }

  private List<NftRule> services() {
    List<NftRule> rules = new ArrayList<>();
    rules.add(
        steps()
            .destinationIn(RedirectSet.LISTENERS, false)
            .reject()
            .end("nobody calls the proxy's own ports"));
    rules.add(
        steps()
            .destinationIn(RedirectSet.RESTRICTED, false)
            .sourceNotAllowed()
            .end("drop sources that are not let in", NftVerdict.DROP));
    decide(rules, false);
    rules.add(
        steps()
            .addressIn(RedirectSet.CLUSTER_IPS)
            .reject()
            .end("reject traffic to undefined ports of cluster IPs"));
    for (Cidr range : node.serviceCidrs()) {
      if (range.family() == node.family()) {
        rules.add(
            steps()
                .address(
                    false, RedirectTableLayout.address(range.first()), range.prefixLength(), true)
                // One that an interface of this machine has is in use.
                .isElsewhere()
                .end("drop traffic to unallocated cluster IPs", NftVerdict.DROP));
      }
    }
    toNodePorts(rules);
    return rules;
  }

  private List<NftRule> nodePorts() {
    List<NftRule> rules = new ArrayList<>();
    decide(rules, true);
    return rules;
  }

  private void decide(List<NftRule> rules, boolean nodePort) {
    RedirectSet inside = nodePort ? RedirectSet.NODE_PORT_INSIDE : RedirectSet.INSIDE;
    RedirectRuleBuilder pod =
        switch (node.detector()) {
          case LocalDetector.None() -> null;
          case LocalDetector.Source(Cidr range) ->
              steps()
                  .address(
                      true, RedirectTableLayout.address(range.first()), range.prefixLength(), true);
          case LocalDetector.Bridge(String name) -> steps().inputInterface(name, false, true);
          case LocalDetector.InterfacePrefix(String prefix) ->
              steps().inputInterface(prefix, true, true);
        };
    if (pod != null) {
      rules.add(pod.toListener(inside, nodePort).end("pods of this node"));
    }
    rules.add(steps().isThisMachine(true).toListener(inside, nodePort).end("this node"));
    rules.add(
        steps()
            .destinationIn(nodePort ? RedirectSet.NODE_PORT_REFUSED : RedirectSet.REFUSED, nodePort)
            .reject()
            .end(""));
    rules.add(
        steps()
            .destinationIn(nodePort ? RedirectSet.NODE_PORT_DROPPED : RedirectSet.DROPPED, nodePort)
            .end("", NftVerdict.DROP));
    rules.add(
        steps()
            .toListener(nodePort ? RedirectSet.NODE_PORTS : RedirectSet.PORTALS, nodePort)
            .end(""));
  }

  private void toNodePorts(List<NftRule> rules) {
    NftVerdict there = NftVerdict.go(NODE_PORTS);
    if (node.nodePortAddresses() instanceof NodePortAddresses.Only) {
      if (ipv4 && node.localhostNodePorts()) {
        rules.add(steps().address(false, LOOPBACK_V4, 8, true).end("", there));
      }
      rules.add(steps().addressIn(RedirectSet.NODE_PORT_IPS).end("", there));
    } else if (ipv4 && node.localhostNodePorts()) {
      rules.add(steps().isThisMachine(false).end("", there));
    } else {
      rules.add(
          steps()
              .isThisMachine(false)
              .address(false, ipv4 ? LOOPBACK_V4 : LOOPBACK_V6, ipv4 ? 8 : 128, false)
              .end("", there));
    }
  }
}
