package io.fairlead.app.loopback;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.route.Address;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Network;
import io.fairlead.kernel.route.Prefix;
import io.fairlead.kernel.route.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// An address on the loopback interface. Packets of this machine and of its pods for it end here,
/// whatever the routes say. A file remembers it, so that a later process can take it away.
///
/// The kernel looks for a route before any rule can say where a packet for a Service really goes.
/// On a machine that is on no network there is none, and nobody could call a Service. So where no
/// route covers the range of Services, it leads to loopback; the rules take it from there.
public final class LoopbackAddress {
  private static final String LOOPBACK = "lo";

  private final Path directory;
  private final Path record;
  private final Path routed;

  /// @param directory keeps the file that remembers it
  public LoopbackAddress(Path directory) {
    this.directory = directory;
    this.record = directory.resolve("address");
    this.routed = directory.resolve("route");
  }

  /// Puts it there; one that is there already is fine. Those of an earlier record go.
  ///
  /// @param range of the Services, which gets a route where it has none
  public void add(IpAddress address, Cidr range) {
    add(address);
    try (Network network = Network.open()) {
      addRoute(network, range, loopback(network));
    }
  }

  /// Puts it there; one that is there already is fine. Those of an earlier record go.
  public void add(IpAddress address) {
    remove();
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    write(record, address.toString());
    try (Network network = Network.open()) {
      Link loopback = loopback(network);
      if (!loopback.up()) {
        network.setUp(loopback.index(), true);
      }
      try {
        network.addAddress(loopback.index(), prefix(address));
      } catch (NetlinkException e) {
        if (!e.alreadyExists()) {
          throw e;
        }
      }
    }
  }

  private void addRoute(Network network, Cidr range, Link loopback) {
    boolean covered =
        network.routes(family(range.address())).stream()
            .filter(route -> route.table() == Route.MAIN)
            .map(route -> Cidr.parse(route.destination().toString()))
            .anyMatch(route -> route.contains(range));
    if (covered) {
      return;
    }
    write(routed, range.toString());
    network.addRoute(new Route(Prefix.parse(range.toString()), null, loopback.index()));
  }

  private static int family(IpAddress address) {
    return address.isIpv4() ? Network.IPV4 : Network.IPV6;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The address the record names.
  public Optional<IpAddress> find() {
    return read(record).map(IpAddress::parseOrNull);
  }

  private static Optional<String> read(Path file) {
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes it away with its route, and the records too. What is not there is fine.
  public void remove() {
    Optional<IpAddress> address = find();
    Optional<Cidr> range = read(routed).map(Cidr::parseOrNull);
    if (address.isEmpty() && range.isEmpty()) {
      return;
    }
    try (Network network = Network.open()) {
      int loopback = loopback(network).index();
      range.ifPresent(each -> removeRoute(network, each, loopback));
      address.ifPresent(each -> removeAddress(network, each, loopback));
    }
    try {
      Files.deleteIfExists(routed);
      Files.deleteIfExists(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void removeRoute(Network network, Cidr range, int loopback) {
    Route route = new Route(Prefix.parse(range.toString()), null, loopback);
    if (network.routes(family(range.address())).contains(route)) {
      network.deleteRoute(route);
    }
  }

  private static void removeAddress(Network network, IpAddress address, int loopback) {
    Address there = new Address(loopback, prefix(address));
    if (network.addresses(family(address)).contains(there)) {
      network.deleteAddress(there.link(), there.prefix());
    }
  }

  private static Link loopback(Network network) {
    return network
        .link(LOOPBACK)
        .orElseThrow(() -> new IllegalStateException("this machine has no interface lo"));
  }

  private static Prefix prefix(IpAddress address) {
    return Prefix.parse(address.toString());
  }
}
