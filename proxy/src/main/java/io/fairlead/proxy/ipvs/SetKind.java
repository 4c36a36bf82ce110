package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;

/// The sets that rules ask, under the names scripts know.
enum SetKind {
  LOOP_BACK("KUBE-LOOP-BACK", Type.IP_PORT_IP),
  CLUSTER_IP("KUBE-CLUSTER-IP", Type.IP_PORT),
  EXTERNAL_IP("KUBE-EXTERNAL-IP", Type.IP_PORT),
  EXTERNAL_IP_LOCAL("KUBE-EXTERNAL-IP-LOCAL", Type.IP_PORT),
  LOAD_BALANCER("KUBE-LOAD-BALANCER", Type.IP_PORT),
  LOAD_BALANCER_LOCAL("KUBE-LOAD-BALANCER-LOCAL", Type.IP_PORT),
  LOAD_BALANCER_FIREWALL("KUBE-LOAD-BALANCER-FW", Type.IP_PORT),
  LOAD_BALANCER_SOURCE_CIDR("KUBE-LOAD-BALANCER-SOURCE-CIDR", Type.IP_PORT_NET),
  LOAD_BALANCER_SOURCE_IP("KUBE-LOAD-BALANCER-SOURCE-IP", Type.IP_PORT_IP),
  NODE_PORT_TCP("KUBE-NODE-PORT-TCP", Type.PORT),
  NODE_PORT_LOCAL_TCP("KUBE-NODE-PORT-LOCAL-TCP", Type.PORT),
  NODE_PORT_UDP("KUBE-NODE-PORT-UDP", Type.PORT),
  NODE_PORT_LOCAL_UDP("KUBE-NODE-PORT-LOCAL-UDP", Type.PORT),
  NODE_PORT_SCTP("KUBE-NODE-PORT-SCTP-HASH", Type.IP_PORT),
  NODE_PORT_LOCAL_SCTP("KUBE-NODE-PORT-LOCAL-SCTP-HASH", Type.IP_PORT),
  HEALTH_CHECK_NODE_PORT("KUBE-HEALTH-CHECK-NODE-PORT", Type.PORT),
  IPVS_IPS("KUBE-IPVS-IPS", Type.IP);

  /// What the entries of a set are.
  private enum Type {
    IP_PORT_IP("hash:ip,port,ip"),
    IP_PORT_NET("hash:ip,port,net"),
    IP_PORT("hash:ip,port"),
    IP("hash:ip"),
    PORT("bitmap:port");

    private final String text;

    Type(String text) {
      this.text = text;
    }
  }

  private static final int LONGEST_NAME = 31;

  private final String ipv4Name;
  private final String ipv6Name;
  private final Type type;

  SetKind(String name, Type type) {
    this.ipv4Name = name;
    String longer = name.replaceFirst("KUBE-", "KUBE-6-");
    this.ipv6Name = longer.substring(0, Math.min(LONGEST_NAME, longer.length()));
    this.type = type;
  }

  /// What the kernel calls it; in IPv6 cut where names must end.
  String name(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 ? ipv4Name : ipv6Name;
  }

  /// The line that makes it.
  String create(IpAddress.Family family) {
    String options =
        type == Type.PORT
            ? "range 0-65535"
            : "family "
                + (family == IpAddress.Family.IPV4 ? "inet" : "inet6")
                + " hashsize 1024 maxelem 65536";
    return "create " + name(family) + " " + type.text + " " + options;
  }

  /// Which parts of a packet a rule compares when it matches destinations.
  String directions() {
    return switch (type) {
      case PORT, IP -> "dst";
      case IP_PORT -> "dst,dst";
      case IP_PORT_IP, IP_PORT_NET -> "dst,dst,src";
    };
  }
}
