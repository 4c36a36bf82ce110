/// The only API of the codebase to Linux. See README.md.
module io.fairlead.kernel {
  requires static org.jspecify;
  requires transitive io.fairlead.work;
  requires org.slf4j;

  exports io.fairlead.kernel.conntrack;
  exports io.fairlead.kernel.route;
  exports io.fairlead.kernel.ipvs;
  exports io.fairlead.kernel.syscall;
  exports io.fairlead.kernel.netlink;
  exports io.fairlead.kernel.nftables;
  exports io.fairlead.kernel.packet;
  exports io.fairlead.kernel.process;
  exports io.fairlead.kernel.socket;
  exports io.fairlead.kernel.testing;
}
