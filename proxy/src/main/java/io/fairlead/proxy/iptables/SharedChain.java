package io.fairlead.proxy.iptables;

/// The chains that hold entries of many Services.
enum SharedChain {
  FILTER_SERVICES("filter", "KUBE-SERVICES"),
  FILTER_EXTERNAL("filter", "KUBE-EXTERNAL-SERVICES"),
  FILTER_FIREWALL("filter", "KUBE-PROXY-FIREWALL"),
  FILTER_NODE_PORTS("filter", "KUBE-NODEPORTS"),
  NAT_SERVICES("nat", "KUBE-SERVICES"),
  NAT_NODE_PORTS("nat", "KUBE-NODEPORTS");

  private final String table;
  private final String chain;

  SharedChain(String table, String chain) {
    this.table = table;
    this.chain = chain;
  }

  String table() {
    return table;
  }

  String chain() {
    return chain;
  }
}
