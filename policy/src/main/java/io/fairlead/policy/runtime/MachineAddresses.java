package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkListener;
import io.fairlead.kernel.route.AddressEvent;
import io.fairlead.kernel.route.InterfaceIpAddress;
import io.fairlead.kernel.route.Rtnetlink;
import java.util.HashSet;
import java.util.Set;

/// The addresses of the machine's interfaces, followed: policies never stand between a pod and its
/// own node. In the network namespace of the thread that opened it.
final class MachineAddresses implements AutoCloseable {
  private final Rtnetlink routes;
  private final NetlinkListener four;
  private final NetlinkListener six;
  private final Runnable changed;
  private volatile Set<IpAddress> addresses = Set.of();

  /// @param changed runs after a change, on a listener's thread
  MachineAddresses(Runnable changed) {
    this.changed = changed;
    this.routes = Rtnetlink.open();
    this.four = AddressEvent.listen(Rtnetlink.IPV4, _ -> read());
    this.six = AddressEvent.listen(Rtnetlink.IPV6, _ -> read());
    read();
  }

  private void read() {
    Set<IpAddress> now = new HashSet<>();
    synchronized (routes) {
      for (int family : new int[] {Rtnetlink.IPV4, Rtnetlink.IPV6}) {
        for (InterfaceIpAddress each : routes.addresses(family)) {
          now.add(IpAddress.ofBytes(each.prefix().address().getAddress()));
        }
      }
      if (now.equals(addresses)) {
        return;
      }
      addresses = Set.copyOf(now);
    }
    changed.run();
  }

  Set<IpAddress> now() {
    return addresses;
  }

  @Override
  public void close() {
    four.close();
    six.close();
    routes.close();
  }
}
