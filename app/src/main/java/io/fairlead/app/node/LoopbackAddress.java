package io.fairlead.app.node;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.route.InterfaceIpAddress;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Rtnetlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// An address on the loopback interface. Packets of this machine and of its pods for it end here,
/// whatever the routes say. A file remembers it, so that a later process can take it away.
public final class LoopbackAddress {
  private static final String LOOPBACK = "lo";

  private final Path directory;
  private final Path record;

  /// @param directory keeps the file that remembers it
  public LoopbackAddress(Path directory) {
    this.directory = directory;
    this.record = directory.resolve("address");
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
    try (Rtnetlink network = Rtnetlink.open()) {
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

  private static int family(IpAddress address) {
    return address.isIpv4() ? Rtnetlink.IPV4 : Rtnetlink.IPV6;
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

  /// Takes it away, and the record too. What is not there is fine.
  public void remove() {
    Optional<IpAddress> address = find();
    if (address.isEmpty()) {
      return;
    }
    try (Rtnetlink network = Rtnetlink.open()) {
      removeAddress(network, address.get(), loopback(network).index());
    }
    try {
      Files.deleteIfExists(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void removeAddress(Rtnetlink network, IpAddress address, int loopback) {
    InterfaceIpAddress there = new InterfaceIpAddress(loopback, prefix(address));
    if (network.addresses(family(address)).contains(there)) {
      network.deleteAddress(there.link(), there.prefix());
    }
  }

  private static Link loopback(Rtnetlink network) {
    return network
        .link(LOOPBACK)
        .orElseThrow(() -> new IllegalStateException("this machine has no interface lo"));
  }

  private static IpPrefix prefix(IpAddress address) {
    return IpPrefix.parse(address.toString());
  }
}
