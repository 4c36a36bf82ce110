/// The only door to Linux. See README.md.
module io.fairlead.kernel {
  requires static org.jspecify;
  requires org.slf4j;

  exports io.fairlead.kernel.conntrack;
  exports io.fairlead.kernel.filter;
  exports io.fairlead.kernel.ipvs;
  exports io.fairlead.kernel.namespace;
  exports io.fairlead.kernel.netlink;
  exports io.fairlead.kernel.nftables;
  exports io.fairlead.kernel.process;
  exports io.fairlead.kernel.route;
  exports io.fairlead.kernel.syscall;
  exports io.fairlead.kernel.terminal;
  exports io.fairlead.kernel.testing;
}
