package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The chains around IPVS. Their number never changes, and their rules depend on Services only in
/// which sets have entries. Rules are written as `iptables-save` prints them, so that what is there
/// can be compared as text. Pure.
final class IpvsChains {
  private static final String PORTALS = comment("kubernetes service portals") + "-j KUBE-SERVICES";
  private static final String FIREWALL =
      comment("kube-proxy firewall rules") + "-j KUBE-PROXY-FIREWALL";
  private static final String ACCESS = comment("kubernetes ipvs access filter");
  private static final String EXTERNAL =
      "Kubernetes service external ip + port for masquerade and filter purpose";
  private static final String EXTERNAL_LOCAL =
      "Kubernetes service external ip + port with externalTrafficPolicy=local";

  /// In the order in which they are put at the top of their chains.
  static final List<SavedIptables.Jump> JUMPS =
      List.of(
          new SavedIptables.Jump(SavedIptables.NAT, "OUTPUT", PORTALS),
          new SavedIptables.Jump(SavedIptables.NAT, "PREROUTING", PORTALS),
          new SavedIptables.Jump(
              SavedIptables.NAT,
              "POSTROUTING",
              comment("kubernetes postrouting rules") + "-j KUBE-POSTROUTING"),
          new SavedIptables.Jump(
              SavedIptables.FILTER,
              "FORWARD",
              comment("kubernetes forwarding rules") + "-j KUBE-FORWARD"),
          new SavedIptables.Jump(
              SavedIptables.FILTER,
              "INPUT",
              comment("kubernetes health check rules") + "-j KUBE-NODE-PORT"),
          new SavedIptables.Jump(SavedIptables.FILTER, "INPUT", FIREWALL),
          new SavedIptables.Jump(SavedIptables.FILTER, "FORWARD", FIREWALL),
          new SavedIptables.Jump(SavedIptables.FILTER, "INPUT", ACCESS + "-j KUBE-IPVS-FILTER"),
          new SavedIptables.Jump(
              SavedIptables.FILTER, "OUTPUT", ACCESS + "-j KUBE-IPVS-OUT-FILTER"));

  private final NodeFacts node;
  private final DesiredIpvsState desired;
  private final IpAddress.Family family;
  private final String mark;

  private IpvsChains(NodeFacts node, DesiredIpvsState desired) {
    this.node = node;
    this.desired = desired;
    this.family = node.family();
    this.mark = "0x" + Integer.toHexString(node.masqueradeMark());
  }

  /// The rules of every chain, by table.
  static Map<String, Map<String, List<String>>> of(NodeFacts node, DesiredIpvsState desired) {
    IpvsChains chains = new IpvsChains(node, desired);
    return Map.of(SavedIptables.NAT, chains.nat(), SavedIptables.FILTER, chains.filter());
  }

  private Map<String, List<String>> nat() {
    Map<String, List<String>> chains = new LinkedHashMap<>();
    chains.put("KUBE-SERVICES", services());
    chains.put("KUBE-POSTROUTING", postrouting());
    chains.put("KUBE-NODE-PORT", nodePorts());
    chains.put("KUBE-LOAD-BALANCER", loadBalancers());
    chains.put("KUBE-MARK-MASQ", List.of("-j MARK --set-xmark " + mark + "/" + mark));
    return chains;
  }

  private Map<String, List<String>> filter() {
    Map<String, List<String>> chains = new LinkedHashMap<>();
    chains.put(
        "KUBE-FORWARD",
        List.of(
            comment("kubernetes forwarding rules") + "-m mark --mark " + both() + " -j ACCEPT",
            comment("kubernetes forwarding conntrack rule")
                + "-m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT"));
    chains.put(
        "KUBE-NODE-PORT",
        List.of(
            comment("Kubernetes health check node port")
                + match(SetKind.HEALTH_CHECK_NODE_PORT)
                + "-j ACCEPT"));
    chains.put("KUBE-PROXY-FIREWALL", firewall());
    chains.put("KUBE-SOURCE-RANGES-FIREWALL", sourceRanges());
    chains.put("KUBE-IPVS-FILTER", access());
    chains.put("KUBE-IPVS-OUT-FILTER", desired.blocked());
    return chains;
  }

  private List<String> services() {
    List<String> rules = new ArrayList<>();
    rules.add("-s " + (ipv4() ? "127.0.0.0/8" : "::1/128") + " -j RETURN");
    rule(
        rules,
        SetKind.LOAD_BALANCER,
        comment("Kubernetes service lb portal")
            + match(SetKind.LOAD_BALANCER)
            + "-j KUBE-LOAD-BALANCER");
    rule(rules, SetKind.CLUSTER_IP, clusterIps());
    if (!desired.isEmpty(SetKind.EXTERNAL_IP)) {
      String to = comment(EXTERNAL) + match(SetKind.EXTERNAL_IP);
      rules.add(to + "-j KUBE-MARK-MASQ");
      accept(rules, to);
    }
    if (!desired.isEmpty(SetKind.EXTERNAL_IP_LOCAL)) {
      accept(rules, comment(EXTERNAL_LOCAL) + match(SetKind.EXTERNAL_IP_LOCAL));
    }
    rules.add("-m addrtype --dst-type LOCAL -j KUBE-NODE-PORT");
    rule(rules, SetKind.CLUSTER_IP, match(SetKind.CLUSTER_IP) + "-j ACCEPT");
    rule(rules, SetKind.LOAD_BALANCER, match(SetKind.LOAD_BALANCER) + "-j ACCEPT");
    return rules;
  }

  /// Without a way to tell pods from others, only the node's own traffic is masqueraded: it takes a
  /// Service's address for its source.
  private String clusterIps() {
    String text = comment("Kubernetes service cluster ip + port for masquerade purpose");
    String target = "-j KUBE-MARK-MASQ";
    if (node.masqueradeAll()) {
      return text + match(SetKind.CLUSTER_IP) + target;
    }
    String others =
        switch (node.detector()) {
          case LocalDetector.None() -> "";
          case LocalDetector.Source(var cidr) -> "! -s " + cidr + " ";
          case LocalDetector.Bridge(String name) -> "! -i " + name + " ";
          case LocalDetector.InterfacePrefix(String prefix) -> "! -i " + prefix + "+ ";
        };
    return others.isEmpty()
        ? text + match(SetKind.CLUSTER_IP, "src,dst") + target
        : others + text + match(SetKind.CLUSTER_IP) + target;
  }

  private static void accept(List<String> rules, String to) {
    rules.add(to + "-m physdev ! --physdev-is-in -m addrtype ! --src-type LOCAL -j ACCEPT");
    rules.add(to + "-m addrtype --dst-type LOCAL -j ACCEPT");
  }

  private List<String> postrouting() {
    List<String> rules = new ArrayList<>();
    rule(
        rules,
        SetKind.LOOP_BACK,
        comment("Kubernetes endpoints dst ip:port, source ip for solving hairpin purpose")
            + match(SetKind.LOOP_BACK)
            + "-j MASQUERADE");
    rules.add("-m mark ! --mark " + both() + " -j RETURN");
    rules.add("-j MARK --set-xmark " + mark + "/0x0");
    rules.add(
        comment("kubernetes service traffic requiring SNAT") + "-j MASQUERADE --random-fully");
    return rules;
  }

  private List<String> nodePorts() {
    List<String> rules = new ArrayList<>();
    nodePort(
        rules,
        "-p tcp ",
        SetKind.NODE_PORT_LOCAL_TCP,
        "Kubernetes nodeport TCP port with externalTrafficPolicy=local",
        SetKind.NODE_PORT_TCP,
        "Kubernetes nodeport TCP port for masquerade purpose");
    nodePort(
        rules,
        "-p udp ",
        SetKind.NODE_PORT_LOCAL_UDP,
        "Kubernetes nodeport UDP port with externalTrafficPolicy=local",
        SetKind.NODE_PORT_UDP,
        "Kubernetes nodeport UDP port for masquerade purpose");
    nodePort(
        rules,
        "-p sctp ",
        SetKind.NODE_PORT_LOCAL_SCTP,
        "Kubernetes nodeport SCTP port with externalTrafficPolicy=local with type \\'hash"
            + " ip:port\\'",
        SetKind.NODE_PORT_SCTP,
        "Kubernetes nodeport SCTP port for masquerade purpose with type \\'hash ip:port\\'");
    return rules;
  }

  private void nodePort(
      List<String> rules,
      String protocol,
      SetKind local,
      String localComment,
      SetKind all,
      String comment) {
    rule(rules, local, protocol + comment(localComment) + match(local) + "-j RETURN");
    rule(rules, all, protocol + comment(comment) + match(all) + "-j KUBE-MARK-MASQ");
  }

  private List<String> loadBalancers() {
    List<String> rules = new ArrayList<>();
    rule(
        rules,
        SetKind.LOAD_BALANCER_LOCAL,
        comment("Kubernetes service load balancer ip + port with externalTrafficPolicy=local")
            + match(SetKind.LOAD_BALANCER_LOCAL)
            + "-j RETURN");
    rules.add("-j KUBE-MARK-MASQ");
    return rules;
  }

  private List<String> firewall() {
    List<String> rules = new ArrayList<>();
    rule(
        rules,
        SetKind.LOAD_BALANCER_FIREWALL,
        comment("Kubernetes service load balancer ip + port for load balancer with sourceRange")
            + match(SetKind.LOAD_BALANCER_FIREWALL)
            + "-j KUBE-SOURCE-RANGES-FIREWALL");
    return rules;
  }

  private List<String> sourceRanges() {
    String text = "Kubernetes service load balancer ip + port + source ";
    List<String> rules = new ArrayList<>();
    rule(
        rules,
        SetKind.LOAD_BALANCER_SOURCE_CIDR,
        comment(text + "cidr for packet filter purpose")
            + match(SetKind.LOAD_BALANCER_SOURCE_CIDR)
            + "-j RETURN");
    rule(
        rules,
        SetKind.LOAD_BALANCER_SOURCE_IP,
        comment(text + "IP for packet filter purpose")
            + match(SetKind.LOAD_BALANCER_SOURCE_IP)
            + "-j RETURN");
    rules.add("-j DROP");
    return rules;
  }

  /// Keeps programs of the node from being reached through the addresses of Services.
  private List<String> access() {
    List<String> rules = new ArrayList<>();
    for (SetKind set :
        List.of(
            SetKind.LOAD_BALANCER,
            SetKind.CLUSTER_IP,
            SetKind.EXTERNAL_IP,
            SetKind.EXTERNAL_IP_LOCAL,
            SetKind.HEALTH_CHECK_NODE_PORT)) {
      rules.add(match(set) + "-j RETURN");
    }
    rules.add(
        "-m conntrack --ctstate NEW "
            + match(SetKind.IPVS_IPS)
            + "-j REJECT --reject-with "
            + (ipv4() ? "icmp" : "icmp6")
            + "-port-unreachable");
    return rules;
  }

  private void rule(List<String> rules, SetKind unlessEmpty, String rule) {
    if (!desired.isEmpty(unlessEmpty)) {
      rules.add(rule);
    }
  }

  private boolean ipv4() {
    return family == IpAddress.Family.IPV4;
  }

  private String both() {
    return mark + "/" + mark;
  }

  private String match(SetKind set) {
    return match(set, set.directions());
  }

  private String match(SetKind set, String directions) {
    return "-m set --match-set " + set.name(family) + " " + directions + " ";
  }

  private static String comment(String text) {
    return "-m comment --comment \"" + text + "\" ";
  }
}
