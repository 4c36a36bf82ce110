package io.fairlead.proxy.userspace.rules;

/// The sets and maps of the table.
enum RedirectSet {
  LISTENERS("listeners", "ports of the proxy: nobody calls them directly"),
  PORTALS("portals", "where connections to services go"),
  INSIDE("inside", "the same for this node and its pods, where that differs"),
  REFUSED("refused", "services without endpoints"),
  DROPPED("dropped", "services without endpoints on this node, for traffic that must stay"),
  RESTRICTED("restricted", "addresses that not everybody may use"),
  SOURCES("sources", "who may use them"),
  CLUSTER_IPS("cluster-ips", "whose other ports are refused"),
  NODE_PORTS("node-ports", "where connections to node ports go"),
  NODE_PORT_INSIDE("node-port-inside", "the same for this node and its pods, where that differs"),
  NODE_PORT_REFUSED("node-port-refused", "node ports without endpoints"),
  NODE_PORT_DROPPED("node-port-dropped", "node ports without endpoints on this node"),
  NODE_PORT_IPS("node-port-ips", "on which addresses node ports answer");

  private final String setName;
  private final String comment;

  RedirectSet(String setName, String comment) {
    this.setName = setName;
    this.comment = comment;
  }

  String setName() {
    return setName;
  }

  String comment() {
    return comment;
  }
}
