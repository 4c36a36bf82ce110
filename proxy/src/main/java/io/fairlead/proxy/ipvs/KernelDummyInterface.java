package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkListener;
import io.fairlead.kernel.route.AddressEvent;
import io.fairlead.kernel.route.InterfaceIpAddress;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.LinkKind;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.DataPlaneException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The true interface, in the network namespace of the thread that opens it.
public final class KernelDummyInterface implements DummyInterface {
  private final Rtnetlink network;
  private final IpAddress.Family family;
  // 0: not known yet, or gone. Also read by the listener's thread.
  private volatile int index;
  private volatile Set<IpAddress> known = Set.of();
  private @Nullable NetlinkListener events;

  private KernelDummyInterface(Rtnetlink network, IpAddress.Family family) {
    this.network = network;
    this.family = family;
  }

  public static KernelDummyInterface open(IpAddress.Family family) {
    return new KernelDummyInterface(asked(Rtnetlink::open), family);
  }

  @Override
  public boolean ensure() {
    return asked(
        () -> {
          find();
          if (index != 0) {
            return false;
          }
          try {
            network.addLink(NAME, new LinkKind.Dummy());
          } catch (SystemCallException e) {
            // The other family's plane was quicker.
            if (!e.alreadyExists()) {
              throw e;
            }
          }
          find();
          return true;
        });
  }

  @Override
  public boolean isThere() {
    return asked(
        () -> {
          find();
          return index != 0;
        });
  }

  private void find() {
    index = network.link(NAME).map(Link::index).orElse(0);
  }

  @Override
  public Set<IpAddress> addresses() {
    return asked(
        () -> {
          find();
          return index == 0 ? Set.of() : addressesOf(family, true);
        });
  }

  @Override
  public Set<IpAddress> nodeAddresses() {
    return asked(
        () -> {
          find();
          Set<IpAddress> addresses = addressesOf(family, false);
          addresses.removeIf(KernelDummyInterface::isPrivate);
          known = Set.copyOf(addresses);
          return addresses;
        });
  }

  private static boolean isPrivate(IpAddress address) {
    return address.isLoopback() || address.isLinkLocalUnicast();
  }

  private Set<IpAddress> addressesOf(IpAddress.Family which, boolean own) {
    Set<IpAddress> found = new HashSet<>();
    List<InterfaceIpAddress> all =
        network.addresses(which == IpAddress.Family.IPV4 ? Rtnetlink.IPV4 : Rtnetlink.IPV6);
    for (InterfaceIpAddress address : all) {
      if (own == (address.link() == index)) {
        found.add(ip(address));
      }
    }
    return found;
  }

  @Override
  public void add(IpAddress address) {
    tolerating(Errno.EEXIST, () -> network.addAddress(index, prefix(address)));
  }

  @Override
  public void remove(IpAddress address) {
    tolerating(Errno.EADDRNOTAVAIL, () -> network.deleteAddress(index, prefix(address)));
  }

  @Override
  public void delete() {
    addresses().forEach(this::remove);
    boolean _ =
        asked(
            () -> {
              find();
              if (index != 0
                  && addressesOf(IpAddress.Family.IPV4, true).isEmpty()
                  && addressesOf(IpAddress.Family.IPV6, true).isEmpty()) {
                network.deleteLink(index);
                index = 0;
              }
              return true;
            });
  }

  @Override
  public void onForeignChange(Runnable listener) {
    events =
        AddressEvent.listen(
            family == IpAddress.Family.IPV4 ? Rtnetlink.IPV4 : Rtnetlink.IPV6,
            event -> {
              if (concernsUs(event)) {
                listener.run();
              }
            });
  }

  private boolean concernsUs(AddressEvent event) {
    return switch (event) {
      case AddressEvent.Lost() -> true;
      case AddressEvent.LinkRemoved(Link link, int by) ->
          link.name().equals(NAME) && by != network.port();
      case AddressEvent.Added(InterfaceIpAddress address, int by) ->
          address.link() == index
              ? by != network.port()
              : !known.contains(ip(address)) && !isPrivate(ip(address));
      case AddressEvent.Removed(InterfaceIpAddress address, int by) ->
          address.link() == index ? by != network.port() : known.contains(ip(address));
    };
  }

  private static IpAddress ip(InterfaceIpAddress address) {
    return IpAddress.ofBytes(address.prefix().address().getAddress());
  }

  private static IpPrefix prefix(IpAddress address) {
    return new IpPrefix(inet(address), address.family().bits());
  }

  static InetAddress inet(IpAddress address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void tolerating(Errno expected, Runnable work) {
    try {
      work.run();
    } catch (SystemCallException e) {
      if (!e.errno().equals(expected)) {
        throw new DataPlaneException(String.valueOf(e.getMessage()), e);
      }
    }
  }

  private static <T> T asked(Supplier<T> question) {
    try {
      return question.get();
    } catch (SystemCallException e) {
      throw new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    if (events != null) {
      events.close();
    }
    network.close();
  }
}
