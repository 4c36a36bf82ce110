package io.fairlead.proxy.nftables;

/// The sets and maps that hold all there is to know about Services.
enum ProxySet {
  FRONTS("fronts", "address, protocol, port of a service: what to do"),
  INSIDE("inside", "the same, for connections of this node and its pods"),
  OUTSIDE("outside", "the same, for connections from elsewhere"),
  ENDPOINTS("endpoints", "the same and a number: one endpoint"),
  STICKY_SLOTS("sticky-slots", "the same and a slot: number of an endpoint"),
  NODE_PORTS("nodeports", "protocol, node port of a service: what to do"),
  NODE_PORT_INSIDE("nodeport-inside", "the same, for connections of this node and its pods"),
  NODE_PORT_OUTSIDE("nodeport-outside", "the same, for connections from elsewhere"),
  NODE_PORT_ENDPOINTS("nodeport-endpoints", "the same and a number: one endpoint"),
  NODE_PORT_STICKY_SLOTS("nodeport-sticky-slots", "the same and a slot: number of an endpoint"),
  SOURCES("sources", "who may use a restricted address"),
  CLUSTER_IPS("cluster-ips", "cluster IPs in use"),
  HAIRPIN("hairpin", "endpoints that may call themselves through a service"),
  NODE_PORT_IPS("nodeport-ips", "addresses that accept node ports"),
  ACTIONS("actions", "number of an action: its chain"),
  LEAVES("leaf-actions", "the same without those that look further: no way leads round"),
  AFFINITY("affinity", "clients and the number of their endpoint");

  private final String setName;
  private final String comment;

  ProxySet(String setName, String comment) {
    this.setName = setName;
    this.comment = comment;
  }

  String setName() {
    return setName;
  }

  String comment() {
    return comment;
  }

  /// Whether packets fill it, so that it is not compared with the plan.
  boolean isDynamic() {
    return this == AFFINITY;
  }

  /// Whether its elements count packets.
  boolean counts() {
    return this == FRONTS || this == NODE_PORTS;
  }
}
