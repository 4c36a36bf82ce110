package io.fairlead.proxy.nftables;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
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

/// Writes the chains. They depend on facts of the node and on which actions are in use, never on a
/// Service.
///
/// How a connection passes them: only the first packet of a connection does, since they are chains
/// of type `nat`. `services` looks the destination up in `fronts`, gets the number of an action and
/// goes to its chain. Most are `pick` chains: a random slot, the endpoint in that slot, the
/// translation. What is no front but a cluster IP is rejected; then node ports are tried. An
/// address of the range that an interface of this machine has is in use, whichever program gave it:
/// the DNS server of the node may listen on its own cluster IP.
final class NftablesChains {
  static final String SERVICES = "services";

  /// Where the kernel comes in with a connection that has not been translated yet.
  static final List<String> ENTRANCES = List.of("prerouting", "output");

  private static final String NODE_PORTS = "nodeports";
  private static final String MASQUERADING = "masquerading";
  private static final int DESTINATION_NAT = -100;
  private static final int SOURCE_NAT = 100;
  private static final int MILLIS = 1000;
  private static final IpAddress LOOPBACK_V4 = IpAddress.parse("127.0.0.0");
  private static final IpAddress LOOPBACK_V6 = IpAddress.parse("::1");

  /// A chain and its rules.
  record Content(Chain chain, List<NftRule> rules) {
    Content {
      rules = List.copyOf(rules);
    }
  }

  private final NodeFacts node;
  private final boolean ipv4;

  NftablesChains(NodeFacts node) {
    this.node = node;
    this.ipv4 = node.family() == IpAddress.Family.IPV4;
  }

  private RuleBuilder program() {
    return new RuleBuilder(ipv4);
  }

  /// The chains that are there without any Service, by name.
  Map<String, Content> fixed() {
    Map<String, Content> chains = new LinkedHashMap<>();
    add(chains, SERVICES, "where connections to services begin", services());
    add(
        chains,
        NODE_PORTS,
        "the same for node ports",
        List.of(dispatch(FrontendScope.NODE_PORT, ProxySet.NODE_PORTS)));
    add(
        chains,
        "inside",
        "connections of this node and its pods",
        List.of(dispatch(FrontendScope.ADDRESS, ProxySet.INSIDE)));
    add(
        chains,
        "outside",
        "connections from elsewhere",
        List.of(dispatch(FrontendScope.ADDRESS, ProxySet.OUTSIDE)));
    add(
        chains,
        "inside-nodeport",
        "connections of this node and its pods",
        List.of(dispatch(FrontendScope.NODE_PORT, ProxySet.NODE_PORT_INSIDE)));
    add(
        chains,
        "outside-nodeport",
        "connections from elsewhere",
        List.of(dispatch(FrontendScope.NODE_PORT, ProxySet.NODE_PORT_OUTSIDE)));
    add(chains, MASQUERADING, "which connections get an address of this node", masquerading());
    base(chains, ENTRANCES.getFirst(), Hook.PREROUTING, DESTINATION_NAT, SERVICES);
    base(chains, ENTRANCES.getLast(), Hook.OUTPUT, DESTINATION_NAT, SERVICES);
    base(chains, "postrouting", Hook.POSTROUTING, SOURCE_NAT, MASQUERADING);
    return chains;
  }

  private static void add(
      Map<String, Content> chains, String name, String comment, List<NftRule> rules) {
    chains.put(name, new Content(Chain.plain(name, comment), rules));
  }

  private void base(
      Map<String, Content> chains, String name, int hook, int priority, String target) {
    chains.put(
        name,
        new Content(
            new Chain(name, new Hook("nat", hook, priority), ""),
            List.of(program().end("", NftVerdict.jump(target)))));
  }

  private NftRule dispatch(FrontendScope scope, ProxySet map) {
    boolean first = map == ProxySet.FRONTS || map == ProxySet.NODE_PORTS;
    return program()
        .carryFront(scope, map)
        .decideByCarried(first ? ProxySet.ACTIONS : ProxySet.LEAVES)
        .end("");
  }

  private List<NftRule> services() {
    List<NftRule> rules = new ArrayList<>();
    rules.add(dispatch(FrontendScope.ADDRESS, ProxySet.FRONTS));
    rules.add(
        program()
            .destinationIn(ProxySet.CLUSTER_IPS)
            .reject()
            .end("reject traffic to undefined ports of cluster IPs"));
    for (Cidr range : node.serviceCidrs()) {
      if (range.family() == node.family()) {
        rules.add(
            program()
                .address(
                    false, NftablesTableLayout.address(range.first()), range.prefixLength(), true)
                .isElsewhere()
                .end("drop traffic to unallocated cluster IPs", NftVerdict.DROP));
      }
    }
    rules.add(nodePorts());
    return rules;
  }

  private NftRule nodePorts() {
    if (node.nodePortAddresses() instanceof NodePortAddresses.Only) {
      return program().destinationIn(ProxySet.NODE_PORT_IPS).end("", NftVerdict.go(NODE_PORTS));
    }
    NftData loopback = NftablesTableLayout.address(ipv4 ? LOOPBACK_V4 : LOOPBACK_V6);
    return program()
        .isThisMachine(false)
        .address(false, loopback, ipv4 ? 8 : 128, false)
        .end("", NftVerdict.go(NODE_PORTS));
  }

  private List<NftRule> masquerading() {
    return List.of(
        program().carries().carryNothing().end("leave the priority as it was"),
        program()
            .marked(node.masqueradeMark())
            .flipMark(node.masqueradeMark())
            .masquerade()
            .end(""),
        program().callsItself().masquerade().end("endpoints that call themselves"));
  }

  /// The chain of an action.
  Content of(ChainAction action) {
    List<NftRule> rules =
        switch (action) {
          case ChainAction.Pick pick -> pick(pick);
          case ChainAction.Refuse refuse -> refuse(refuse);
          case ChainAction.Split split -> split(split);
        };
    return new Content(Chain.plain(action.chain(), ""), rules);
  }

  private void restrict(List<NftRule> rules, boolean restricted) {
    if (restricted) {
      rules.add(
          program().sourceNotAllowed().end("drop sources that are not let in", NftVerdict.DROP));
    }
  }

  private List<NftRule> refuse(ChainAction.Refuse refuse) {
    List<NftRule> rules = new ArrayList<>();
    restrict(rules, refuse.restricted());
    rules.add(refuse.answer() ? program().reject().end("") : program().end("", NftVerdict.DROP));
    return rules;
  }

  private List<NftRule> split(ChainAction.Split split) {
    String suffix = split.scope().suffix();
    List<NftRule> rules = new ArrayList<>();
    restrict(rules, split.restricted());
    if (!(node.detector() instanceof LocalDetector.None)) {
      rules.add(
          localPod(program(), true).end("pods of this node", NftVerdict.go("inside" + suffix)));
    }
    rules.add(
        program()
            .isThisMachine(true)
            .setMark(node.masqueradeMark())
            .end("this node", NftVerdict.go("inside" + suffix)));
    rules.add(program().end("", NftVerdict.go("outside" + suffix)));
    return rules;
  }

  /// Holds for traffic of pods of this node, or for all other.
  private RuleBuilder localPod(RuleBuilder program, boolean local) {
    return switch (node.detector()) {
      case LocalDetector.None() -> program;
      case LocalDetector.Source(Cidr range) ->
          program.address(
              true, NftablesTableLayout.address(range.first()), range.prefixLength(), local);
      case LocalDetector.Bridge(String name) -> program.inputInterface(name, false, local);
      case LocalDetector.InterfacePrefix(String prefix) ->
          program.inputInterface(prefix, true, local);
    };
  }

  private List<NftRule> pick(ChainAction.Pick pick) {
    List<NftRule> rules = new ArrayList<>();
    restrict(rules, pick.restricted());
    switch (pick.masquerade()) {
      case NEVER -> {}
      case ALWAYS -> rules.add(program().setMark(node.masqueradeMark()).end(""));
      case UNLESS_LOCAL_POD ->
          rules.add(
              localPod(program(), false)
                  .setMark(node.masqueradeMark())
                  .end("all but pods of this node"));
    }
    boolean address = pick.scope() == FrontendScope.ADDRESS;
    ProxySet endpoints = address ? ProxySet.ENDPOINTS : ProxySet.NODE_PORT_ENDPOINTS;
    ProxySet slots = address ? ProxySet.STICKY_SLOTS : ProxySet.NODE_PORT_STICKY_SLOTS;
    int first = pick.local() ? PacketTag.LOCAL_SLOTS : PacketTag.CLUSTER_SLOTS;
    if (pick.stickySeconds() == 0) {
      rules.add(
          program().carrySlot(pick.count(), first).translate(pick.scope(), endpoints).end(""));
      return rules;
    }
    long timeout = (long) pick.stickySeconds() * MILLIS;
    rules.add(
        program()
            .carryKnownEndpoint()
            .remember(ChangeSet.Operation.UPDATE, timeout)
            .translate(pick.scope(), endpoints)
            .end("the endpoint this client had"));
    rules.add(program().remember(ChangeSet.Operation.DELETE, 0).end("it is gone: forget it"));
    rules.add(
        program()
            .carrySlot(pick.count(), first)
            .carryEndpointOfSlot(pick.scope(), slots)
            .remember(ChangeSet.Operation.ADD, timeout)
            .translate(pick.scope(), endpoints)
            .end("another one"));
    rules.add(
        program()
            .carrySlot(pick.count(), first)
            .carryEndpointOfSlot(pick.scope(), slots)
            .translate(pick.scope(), endpoints)
            .end("no room to remember more clients"));
    return rules;
  }
}
