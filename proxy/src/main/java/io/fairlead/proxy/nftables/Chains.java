package io.fairlead.proxy.nftables;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.Rule;
import io.fairlead.kernel.nftables.Verdict;
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
/// address of the range that an interface of this machine has is in use, whoever gave it: the DNS
/// server of the node may listen on its own cluster IP.
final class Chains {
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
  record Content(Chain chain, List<Rule> rules) {
    Content {
      rules = List.copyOf(rules);
    }
  }

  private final NodeFacts node;
  private final boolean ipv4;

  Chains(NodeFacts node) {
    this.node = node;
    this.ipv4 = node.family() == IpAddress.Family.IPV4;
  }

  private Program program() {
    return new Program(ipv4);
  }

  /// The chains that are there without any Service, by name.
  Map<String, Content> fixed() {
    Map<String, Content> chains = new LinkedHashMap<>();
    add(chains, SERVICES, "where connections to services begin", services());
    add(
        chains,
        NODE_PORTS,
        "the same for node ports",
        List.of(dispatch(Scope.NODE_PORT, Container.NODE_PORTS)));
    add(
        chains,
        "inside",
        "connections of this node and its pods",
        List.of(dispatch(Scope.ADDRESS, Container.INSIDE)));
    add(
        chains,
        "outside",
        "connections from elsewhere",
        List.of(dispatch(Scope.ADDRESS, Container.OUTSIDE)));
    add(
        chains,
        "inside-nodeport",
        "connections of this node and its pods",
        List.of(dispatch(Scope.NODE_PORT, Container.NODE_PORT_INSIDE)));
    add(
        chains,
        "outside-nodeport",
        "connections from elsewhere",
        List.of(dispatch(Scope.NODE_PORT, Container.NODE_PORT_OUTSIDE)));
    add(chains, MASQUERADING, "which connections get an address of this node", masquerading());
    base(chains, ENTRANCES.getFirst(), Hook.PREROUTING, DESTINATION_NAT, SERVICES);
    base(chains, ENTRANCES.getLast(), Hook.OUTPUT, DESTINATION_NAT, SERVICES);
    base(chains, "postrouting", Hook.POSTROUTING, SOURCE_NAT, MASQUERADING);
    return chains;
  }

  private static void add(
      Map<String, Content> chains, String name, String comment, List<Rule> rules) {
    chains.put(name, new Content(Chain.plain(name, comment), rules));
  }

  private void base(
      Map<String, Content> chains, String name, int hook, int priority, String target) {
    chains.put(
        name,
        new Content(
            new Chain(name, new Hook("nat", hook, priority), ""),
            List.of(program().end("", Verdict.jump(target)))));
  }

  private Rule dispatch(Scope scope, Container map) {
    boolean first = map == Container.FRONTS || map == Container.NODE_PORTS;
    return program()
        .carryFront(scope, map)
        .decideByCarried(first ? Container.ACTIONS : Container.LEAVES)
        .end("");
  }

  private List<Rule> services() {
    List<Rule> rules = new ArrayList<>();
    rules.add(dispatch(Scope.ADDRESS, Container.FRONTS));
    rules.add(
        program()
            .destinationIn(Container.CLUSTER_IPS)
            .reject()
            .end("reject traffic to undefined ports of cluster IPs"));
    for (Cidr range : node.serviceCidrs()) {
      if (range.family() == node.family()) {
        rules.add(
            program()
                .address(false, Layout.address(range.first()), range.prefixLength(), true)
                .isElsewhere()
                .end("drop traffic to unallocated cluster IPs", Verdict.DROP));
      }
    }
    rules.add(nodePorts());
    return rules;
  }

  private Rule nodePorts() {
    if (node.nodePortAddresses() instanceof NodePortAddresses.Only) {
      return program().destinationIn(Container.NODE_PORT_IPS).end("", Verdict.go(NODE_PORTS));
    }
    Bytes loopback = Layout.address(ipv4 ? LOOPBACK_V4 : LOOPBACK_V6);
    return program()
        .isThisMachine(false)
        .address(false, loopback, ipv4 ? 8 : 128, false)
        .end("", Verdict.go(NODE_PORTS));
  }

  private List<Rule> masquerading() {
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
  Content of(Action action) {
    List<Rule> rules =
        switch (action) {
          case Action.Pick pick -> pick(pick);
          case Action.Refuse refuse -> refuse(refuse);
          case Action.Split split -> split(split);
        };
    return new Content(Chain.plain(action.chain(), ""), rules);
  }

  private void restrict(List<Rule> rules, boolean restricted) {
    if (restricted) {
      rules.add(program().sourceNotAllowed().end("drop sources that are not let in", Verdict.DROP));
    }
  }

  private List<Rule> refuse(Action.Refuse refuse) {
    List<Rule> rules = new ArrayList<>();
    restrict(rules, refuse.restricted());
    rules.add(refuse.answer() ? program().reject().end("") : program().end("", Verdict.DROP));
    return rules;
  }

  private List<Rule> split(Action.Split split) {
    String suffix = split.scope().suffix();
    List<Rule> rules = new ArrayList<>();
    restrict(rules, split.restricted());
    if (!(node.detector() instanceof LocalDetector.None)) {
      rules.add(localPod(program(), true).end("pods of this node", Verdict.go("inside" + suffix)));
    }
    rules.add(
        program()
            .isThisMachine(true)
            .setMark(node.masqueradeMark())
            .end("this node", Verdict.go("inside" + suffix)));
    rules.add(program().end("", Verdict.go("outside" + suffix)));
    return rules;
  }

  /// Holds for traffic of pods of this node, or for all other.
  private Program localPod(Program program, boolean local) {
    return switch (node.detector()) {
      case LocalDetector.None() -> program;
      case LocalDetector.Source(Cidr range) ->
          program.address(true, Layout.address(range.first()), range.prefixLength(), local);
      case LocalDetector.Bridge(String name) -> program.inputInterface(name, false, local);
      case LocalDetector.InterfacePrefix(String prefix) ->
          program.inputInterface(prefix, true, local);
    };
  }

  private List<Rule> pick(Action.Pick pick) {
    List<Rule> rules = new ArrayList<>();
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
    boolean address = pick.scope() == Scope.ADDRESS;
    Container endpoints = address ? Container.ENDPOINTS : Container.NODE_PORT_ENDPOINTS;
    Container slots = address ? Container.STICKY_SLOTS : Container.NODE_PORT_STICKY_SLOTS;
    int first = pick.local() ? Number.LOCAL_SLOTS : Number.CLUSTER_SLOTS;
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
