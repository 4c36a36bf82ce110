package io.fairlead.proxy.iptables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// The chains and jumps that are there whatever the Services are.
final class FixedRules {
  static final String FILTER = "filter";
  static final String NAT = "nat";
  static final String MANGLE = "mangle";
  static final String CANARY = "KUBE-PROXY-CANARY";
  static final String SHARED_FIREWALL = "KUBE-FIREWALL";

  private static final String NEW = "-m conntrack --ctstate NEW ";
  private static final String EXTERNAL =
      NEW + comment("kubernetes externally-visible service portals") + "-j KUBE-EXTERNAL-SERVICES";
  private static final String PORTALS = comment("kubernetes service portals") + "-j KUBE-SERVICES";
  private static final String LOAD_BALANCERS =
      NEW + comment("kubernetes load balancer firewall") + "-j KUBE-PROXY-FIREWALL";
  private static final String LAST =
      comment("kubernetes service nodeports; NOTE: this must be the last rule in this chain");

  /// A rule of a chain that is not ours.
  record Jump(String table, String from, String rule) {}

  /// The jumps in the order in which they are put at the top of their chains. The jump from OUTPUT
  /// to the external services is ours: without it, a process of the node that calls a load balancer
  /// address without endpoints is not refused, its packet leaves the node.
  static final List<Jump> JUMPS =
      List.of(
          new Jump(FILTER, "INPUT", EXTERNAL),
          new Jump(FILTER, "FORWARD", EXTERNAL),
          new Jump(FILTER, "OUTPUT", EXTERNAL),
          new Jump(
              FILTER,
              "INPUT",
              comment("kubernetes health check service ports") + "-j KUBE-NODEPORTS"),
          new Jump(FILTER, "FORWARD", NEW + PORTALS),
          new Jump(FILTER, "OUTPUT", NEW + PORTALS),
          new Jump(FILTER, "FORWARD", comment("kubernetes forwarding rules") + "-j KUBE-FORWARD"),
          new Jump(FILTER, "INPUT", LOAD_BALANCERS),
          new Jump(FILTER, "OUTPUT", LOAD_BALANCERS),
          new Jump(FILTER, "FORWARD", LOAD_BALANCERS),
          new Jump(NAT, "OUTPUT", PORTALS),
          new Jump(NAT, "PREROUTING", PORTALS),
          new Jump(
              NAT, "POSTROUTING", comment("kubernetes postrouting rules") + "-j KUBE-POSTROUTING"),
          new Jump(FILTER, "INPUT", "-j " + SHARED_FIREWALL),
          new Jump(FILTER, "OUTPUT", "-j " + SHARED_FIREWALL));

  /// What the comment of the guard says; rules with it are ours.
  static final String GUARD = "block neighbours from node ports on loopback";

  /// Keeps neighbours from node ports on 127.0.0.0/8 while `route_localnet` lets their packets in.
  /// It comes before addresses are translated: afterwards it cannot be seen. The original has no
  /// such rule.
  static final Jump LOOPBACK_GUARD =
      new Jump(MANGLE, "PREROUTING", "-d 127.0.0.0/8 ! -i lo " + comment(GUARD) + "-j DROP");

  /// Whether node ports answer on loopback, so that it needs a guard.
  static boolean needsGuard(NodeFacts node) {
    return node.address().isIpv4() && node.localhostNodePorts();
  }

  /// The chains that hold no entry of any Service, with their rules.
  static Map<String, SequencedMap<String, List<String>>> chains(
      NodeFacts node, IptablesSettings settings) {
    SequencedMap<String, List<String>> filter = new LinkedHashMap<>();
    filter.put(SHARED_FIREWALL, localnetGuard(node));
    filter.put("KUBE-FORWARD", forward(node, settings));
    filter.put(CANARY, List.of());
    SequencedMap<String, List<String>> nat = new LinkedHashMap<>();
    String mark = mark(node);
    nat.put(
        "KUBE-POSTROUTING",
        List.of(
            "-m mark ! --mark " + mark + "/" + mark + " -j RETURN",
            "-j MARK --xor-mark " + mark,
            comment("kubernetes service traffic requiring SNAT") + "-j MASQUERADE --random-fully"));
    nat.put("KUBE-MARK-MASQ", List.of("-j MARK --or-mark " + mark));
    nat.put(CANARY, List.of());
    SequencedMap<String, List<String>> mangle = new LinkedHashMap<>();
    mangle.put(CANARY, List.of());
    return Map.of(FILTER, filter, NAT, nat, MANGLE, mangle);
  }

  /// Keeps 127.0.0.0/8 shut from outside while `route_localnet` lets node ports answer there.
  private static List<String> localnetGuard(NodeFacts node) {
    return needsGuard(node)
        ? List.of(
            comment("block incoming localnet connections")
                + "-d 127.0.0.0/8 ! -s 127.0.0.0/8"
                + " -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP")
        : List.of();
  }

  private static List<String> forward(NodeFacts node, IptablesSettings settings) {
    List<String> rules = new ArrayList<>();
    if (settings.dropInvalid()) {
      rules.add(
          "-m conntrack --ctstate INVALID"
              + (settings.accounting()
                  ? " -m nfacct --nfacct-name " + IptablesSettings.INVALID_COUNTER
                  : "")
              + " -j DROP");
    }
    String mark = mark(node);
    rules.add(
        comment("kubernetes forwarding rules")
            + "-m mark --mark "
            + mark
            + "/"
            + mark
            + " -j ACCEPT");
    rules.add(
        comment("kubernetes forwarding conntrack rule")
            + "-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT");
    return rules;
  }

  /// What ends the chain of all Services in the nat table.
  static List<String> nodePortJumps(NodeFacts node) {
    boolean ipv4 = node.address().isIpv4();
    boolean loopback = ipv4 && node.localhostNodePorts();
    return switch (node.nodePortAddresses()) {
      case NodePortAddresses.All() -> {
        String except = ipv4 ? "! -d 127.0.0.0/8 " : "! -d ::1/128 ";
        yield List.of(
            LAST
                + "-m addrtype --dst-type LOCAL "
                + (loopback ? "" : except)
                + "-j KUBE-NODEPORTS");
      }
      case NodePortAddresses.Only(List<IpAddress> addresses) ->
          addresses.stream()
              .filter(address -> loopback || !address.isLoopback())
              .sorted()
              .map(address -> LAST + "-d " + address + " -j KUBE-NODEPORTS")
              .toList();
    };
  }

  private static String mark(NodeFacts node) {
    return "0x" + Integer.toHexString(node.masqueradeMark());
  }

  private static String comment(String text) {
    return "-m comment --comment \"" + text + "\" ";
  }

  private FixedRules() {}
}
