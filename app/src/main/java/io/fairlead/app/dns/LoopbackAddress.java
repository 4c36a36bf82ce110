package io.fairlead.app.dns;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.route.Address;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Network;
import io.fairlead.kernel.route.Prefix;
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

  /// Puts it there; one that is there already is fine. An earlier one of the same record goes.
  void add(IpAddress address) {
    if (find().filter(earlier -> !earlier.equals(address)).isPresent()) {
      remove();
    }
    try {
      Files.createDirectories(directory);
      Files.writeString(record, address.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Network network = Network.open()) {
      Link loopback = loopback(network);
      if (!loopback.up()) {
        network.setUp(loopback.index(), true);
      }
      network.addAddress(loopback.index(), prefix(address));
    } catch (NetlinkException e) {
      if (!e.alreadyExists()) {
        throw e;
      }
    }
  }

  /// The address the record names.
  public Optional<IpAddress> find() {
    try {
      return Files.exists(record)
          ? Optional.ofNullable(IpAddress.parseOrNull(Files.readString(record).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes it away, and the record too. False when the record names none.
  public boolean remove() {
    Optional<IpAddress> address = find();
    if (address.isEmpty()) {
      return false;
    }
    try (Network network = Network.open()) {
      Address there = new Address(loopback(network).index(), prefix(address.get()));
      int family = address.get().isIpv4() ? Network.IPV4 : Network.IPV6;
      if (network.addresses(family).contains(there)) {
        network.deleteAddress(there.link(), there.prefix());
      }
    }
    try {
      Files.deleteIfExists(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
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
