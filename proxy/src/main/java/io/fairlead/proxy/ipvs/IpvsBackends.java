package io.fairlead.proxy.ipvs;

/// Everything this mode changes outside: the load balancer, the interface with the addresses, sets,
/// rules and numbers of the kernel; in one family.
public record IpvsBackends(
    VirtualServers servers,
    DummyInterface device,
    IpsetRunner sets,
    IptablesRestoreRunner rules,
    IpvsSysctls numbers)
    implements AutoCloseable {

  @Override
  public void close() {
    servers.close();
    device.close();
  }
}
