package io.fairlead.proxy.iptables;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.TrafficVerdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Turns one service port into rules. Pure. Rules are written without `-A CHAIN`, in the words
/// `iptables-restore` reads.
///
/// How a packet goes: a shared chain finds the service port by address and port and jumps to its
/// entry. Traffic from outside enters at `KUBE-EXT-`, behind `KUBE-FW-` where sources are limited;
/// there it is marked for masquerading or told apart by origin. `KUBE-SVC-` throws the dice among
/// all endpoints, `KUBE-SVL-` among those of this node, and `KUBE-SEP-` rewrites the destination.
final class IptablesRenderer {
  private static final String MARK = " -j KUBE-MARK-MASQ";

  private final ServicePlan plan;
  private final ServicePort port;
  private final NodeFacts node;
  private final IptablesSettings settings;
  private final boolean comments;
  private final String name;
  private final String service;
  private final String local;
  private final String external;
  private final String firewall;
  private final String match;

  /// @param comments whether picks and endpoint chains carry comments
  IptablesRenderer(ServicePlan plan, NodeFacts node, IptablesSettings settings, boolean comments) {
    this.plan = plan;
    this.port = plan.port();
    this.node = node;
    this.settings = settings;
    this.comments = comments;
    this.name = plan.name().displayName();
    String hash = ChainNames.service(settings.names(), plan.name());
    this.service = ChainNames.SERVICE + hash;
    this.local = ChainNames.LOCAL + hash;
    this.external = ChainNames.EXTERNAL + hash;
    this.firewall = ChainNames.FIREWALL + hash;
    String protocol = port.protocol().lower();
    this.match = " -m " + protocol + " -p " + protocol;
  }

  /// What goes into the shared chains.
  SharedChainEntries entries() {
    Map<SharedChain, List<String>> rules = new EnumMap<>(SharedChain.class);
    clusterIp(rules);
    for (IpAddress address : port.externalIps()) {
      if (plan.choice().any()) {
        add(
            rules,
            SharedChain.NAT_SERVICES,
            comment(name + " external IP") + to(address) + jump(external));
      }
      unreachable(rules, to(address));
    }
    for (IpAddress address : port.loadBalancerIps()) {
      loadBalancer(rules, address);
    }
    for (IpAddress address : port.loadBalancerIps()) {
      unreachable(rules, to(address));
    }
    nodePort(rules);
    if (port.healthCheckNodePort() != 0) {
      add(
          rules,
          SharedChain.FILTER_NODE_PORTS,
          comment(name + " health check node port")
              + " -m tcp -p tcp --dport "
              + port.healthCheckNodePort()
              + " -j ACCEPT");
    }
    return new SharedChainEntries(
        rules, ownChains().values().stream().mapToInt(List::size).sum(), comments);
  }

  private void clusterIp(Map<SharedChain, List<String>> rules) {
    if (plan.forwardsInternal()) {
      add(
          rules,
          SharedChain.NAT_SERVICES,
          comment(name + " cluster IP") + to(port.clusterIp()) + jump(internalChain()));
    } else {
      add(rules, SharedChain.FILTER_SERVICES, refusal(to(port.clusterIp())));
    }
  }

  private void loadBalancer(Map<SharedChain, List<String>> rules, IpAddress address) {
    if (plan.choice().any()) {
      add(
          rules,
          SharedChain.NAT_SERVICES,
          comment(name + " loadbalancer IP")
              + to(address)
              + jump(limitsSources() ? firewall : external));
    }
    if (limitsSources()) {
      add(
          rules,
          SharedChain.FILTER_FIREWALL,
          comment(name + " traffic not accepted by " + firewall) + to(address) + " -j DROP");
    }
  }

  private void nodePort(Map<SharedChain, List<String>> rules) {
    if (port.nodePort() == 0) {
      return;
    }
    String dport = match + " --dport " + port.nodePort();
    if (plan.choice().any()) {
      if (settings.accounting() && node.address().isIpv4() && node.localhostNodePorts()) {
        add(
            rules,
            SharedChain.NAT_NODE_PORTS,
            comment(name)
                + dport
                + " -d 127.0.0.0/8 -m nfacct --nfacct-name "
                + IptablesSettings.LOCALHOST_COUNTER
                + jump(external));
      }
      add(rules, SharedChain.NAT_NODE_PORTS, comment(name) + dport + jump(external));
    }
    unreachable(rules, " -m addrtype --dst-type LOCAL" + dport);
  }

  private void unreachable(Map<SharedChain, List<String>> rules, String destination) {
    if (!plan.forwardsExternal()) {
      add(rules, SharedChain.FILTER_EXTERNAL, refusal(destination));
    }
  }

  /// Rejects when no endpoint exists, drops when only this node has none.
  private String refusal(String destination) {
    return plan.choice().any()
        ? comment(name + " " + TrafficVerdict.Reason.NO_LOCAL_ENDPOINTS.text())
            + destination
            + " -j DROP"
        : comment(name + " " + TrafficVerdict.Reason.NO_ENDPOINTS.text())
            + destination
            + " -j REJECT";
  }

  /// The chains that belong to this service port alone, in the order of their use.
  SequencedMap<String, List<String>> ownChains() {
    SequencedMap<String, List<String>> chains = new LinkedHashMap<>();
    boolean usesExternal = plan.choice().any() && port.externallyAccessible();
    if (limitsSources()) {
      chains.put(firewall, firewallRules());
    }
    if (usesExternal) {
      chains.put(external, externalRules());
    }
    if (!plan.choice().cluster().isEmpty() && port.usesCluster()) {
      chains.put(service, picks(service, plan.choice().cluster()));
    }
    if (!plan.choice().local().isEmpty() && port.usesLocal()) {
      chains.put(local, picks(local, plan.choice().local()));
    }
    for (Backend endpoint : plan.choice().all()) {
      chains.put(endpointChain(endpoint), endpointRules(endpoint));
    }
    return chains;
  }

  private List<String> firewallRules() {
    List<String> rules = new ArrayList<>();
    for (Cidr source : plan.allowedSources()) {
      rules.add(comment(name + " loadbalancer IP") + " -s " + source + jump(external));
    }
    rules.add(comment("other traffic to " + name + " will be dropped by KUBE-PROXY-FIREWALL"));
    return rules;
  }

  private List<String> externalRules() {
    List<String> rules = new ArrayList<>();
    String what = name + " external destinations";
    if (!port.externalLocal()) {
      rules.add(comment("masquerade traffic for " + what) + MARK);
    } else {
      String fromPod = LocalTrafficMatch.local(node.detector());
      if (!fromPod.isEmpty()) {
        rules.add(comment("pod traffic for " + what) + fromPod + jump(service));
      }
      String fromNode = " -m addrtype --src-type LOCAL";
      rules.add(comment("masquerade LOCAL traffic for " + what) + fromNode + MARK);
      rules.add(comment("route LOCAL traffic for " + what) + fromNode + jump(service));
    }
    if (plan.forwardsExternal()) {
      rules.add(jump(port.externalLocal() ? local : service).strip());
    }
    return rules;
  }

  /// The dice: affinity first, then endpoint i of n with probability 1/(n-i).
  private List<String> picks(String chain, List<Backend> endpoints) {
    List<String> rules = new ArrayList<>();
    if (chain.equals(internalChain()) && plan.forwardsInternal()) {
      masquerade(rules);
    }
    if (port.stickySeconds() > 0) {
      for (Backend endpoint : endpoints) {
        String target = endpointChain(endpoint);
        rules.add(
            pick(endpoint)
                + " -m recent --name "
                + target
                + " --rcheck --seconds "
                + port.stickySeconds()
                + " --reap"
                + jump(target));
      }
    }
    int left = endpoints.size();
    for (Backend endpoint : endpoints) {
      rules.add((pick(endpoint) + Probability.match(left) + jump(endpointChain(endpoint))).strip());
      left--;
    }
    return rules.stream().map(String::strip).toList();
  }

  private void masquerade(List<String> rules) {
    String condition = comment(name + " cluster IP") + to(port.clusterIp());
    switch (plan.clusterIpMasquerade()) {
      case ALWAYS -> rules.add(condition + MARK);
      case UNLESS_LOCAL_POD ->
          rules.add(condition + LocalTrafficMatch.notLocal(node.detector()) + MARK);
      case NEVER -> {}
    }
  }

  private List<String> endpointRules(Backend endpoint) {
    String remark = comments ? comment(name) : "";
    String target = endpointChain(endpoint);
    String sticky = port.stickySeconds() > 0 ? " -m recent --name " + target + " --set" : "";
    return List.of(
        (remark + " -s " + endpoint.address() + MARK).strip(),
        (remark + sticky + match + " -j DNAT --to-destination " + endpoint.text()).strip());
  }

  private String internalChain() {
    return port.internalLocal() ? local : service;
  }

  /// The chain of an endpoint of this service port.
  String endpointChain(Backend endpoint) {
    return ChainNames.ENDPOINT
        + ChainNames.endpoint(settings.names(), plan.name(), endpoint.text());
  }

  private boolean limitsSources() {
    return plan.choice().any()
        && !port.loadBalancerIps().isEmpty()
        && !plan.allowedSources().isEmpty();
  }

  private String pick(Backend endpoint) {
    return comments ? comment(name + " -> " + endpoint.text()) : "";
  }

  private String to(IpAddress address) {
    return match + " -d " + address + " --dport " + port.port();
  }

  private static String comment(String text) {
    return "-m comment --comment \"" + text + "\"";
  }

  private static String jump(String chain) {
    return " -j " + chain;
  }

  private static void add(Map<SharedChain, List<String>> rules, SharedChain chain, String rule) {
    rules.computeIfAbsent(chain, _ -> new ArrayList<>()).add(rule);
  }
}
