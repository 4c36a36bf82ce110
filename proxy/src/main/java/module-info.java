/// The service proxy of a node. See README.md.
module io.fairlead.proxy {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires transitive io.fairlead.kernel;
  requires io.prometheus.metrics.core;
  requires io.prometheus.writer.text;
  requires transitive io.prometheus.metrics.model;
  requires jdk.net;
  requires org.slf4j;

  exports io.fairlead.proxy.announce;
  exports io.fairlead.proxy.bgp;
  exports io.fairlead.proxy.config;
  exports io.fairlead.proxy.conntrack;
  exports io.fairlead.proxy.mode;
  exports io.fairlead.proxy.core;
  exports io.fairlead.proxy.nftables;
  exports io.fairlead.proxy.node;
  exports io.fairlead.proxy.nodeapi;
  exports io.fairlead.proxy.iptables;
  exports io.fairlead.proxy.ipvs;
  exports io.fairlead.proxy.runtime;
  exports io.fairlead.proxy.testing;
  exports io.fairlead.proxy.trace;
  exports io.fairlead.proxy.tracking;
  exports io.fairlead.proxy.userspace;
  exports io.fairlead.proxy.userspace.balance;
  exports io.fairlead.proxy.userspace.relay;
  exports io.fairlead.proxy.userspace.rules;
}
