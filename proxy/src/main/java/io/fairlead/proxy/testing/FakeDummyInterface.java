package io.fairlead.proxy.testing;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.ipvs.DummyInterface;
import java.util.LinkedHashSet;
import java.util.Set;

/// The interface `kube-ipvs0` in memory, on a node with some addresses.
public final class FakeDummyInterface implements DummyInterface {
  private final Set<IpAddress> nodeAddresses;
  private final Set<IpAddress> addresses = new LinkedHashSet<>();
  private boolean there;

  public FakeDummyInterface(Set<IpAddress> nodeAddresses) {
    this.nodeAddresses = Set.copyOf(nodeAddresses);
  }

  @Override
  public boolean isThere() {
    return there;
  }

  @Override
  public boolean ensure() {
    boolean made = !there;
    there = true;
    return made;
  }

  @Override
  public Set<IpAddress> addresses() {
    return Set.copyOf(addresses);
  }

  @Override
  public Set<IpAddress> nodeAddresses() {
    return nodeAddresses;
  }

  @Override
  public void add(IpAddress address) {
    if (!there) {
      throw new DataPlaneException("add address " + address + ": there is no interface");
    }
    addresses.add(address);
  }

  @Override
  public void remove(IpAddress address) {
    addresses.remove(address);
  }

  @Override
  public void delete() {
    addresses.clear();
    there = false;
  }

  /// No other program changes it.
  @Override
  public void onForeignChange(Runnable listener) {}

  @Override
  public void close() {}
}
