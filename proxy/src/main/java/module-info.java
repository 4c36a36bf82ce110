/// The service proxy of a node. See README.md.
module io.fairlead.proxy {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires transitive io.fairlead.kernel;
  requires org.slf4j;

  exports io.fairlead.proxy.core;
  exports io.fairlead.proxy.nftables;
  exports io.fairlead.proxy.iptables;
  exports io.fairlead.proxy.testing;
  exports io.fairlead.proxy.tracking;
}
