package io.fairlead.app.node;

import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Link;
import io.fairlead.kernel.route.Route;
import io.fairlead.kernel.route.Rtnetlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The load balancer addresses that only this machine knows, for a cluster that was given none.
///
/// How it works: a private range that nothing on this machine uses is delivered here, by a route in
/// the table of local addresses. The proxy's rules take what is for a Service; for an address that
/// no Service has, the kernel refuses the connection at once. Nothing is sent on any card. A file
/// remembers the range, so that a restart finds the same one and a later process can take the route
/// away.
public final class LocalBalancerRange {
  /// The one right behind the usual range of Services, and two that are seldom used.
  static final List<Cidr> CANDIDATES =
      List.of(
          Cidr.parse("10.112.0.0/24"),
          Cidr.parse("172.30.240.0/24"),
          Cidr.parse("192.168.240.0/24"));

  private static final List<Integer> FAMILIES = List.of(Rtnetlink.IPV4);

  private final Path record;

  /// @param directory keeps the file that remembers it
  public LocalBalancerRange(Path directory) {
    this.record = directory.resolve("range");
  }

  /// The range to use: the one of last time, else the first that is free; empty when all are taken.
  ///
  /// @param cluster the ranges of Services and pods
  public Optional<Cidr> choose(List<Cidr> cluster) {
    List<Cidr> used = new ArrayList<>(cluster);
    try (Rtnetlink network = Rtnetlink.open()) {
      for (int family : FAMILIES) {
        network.addresses(family).forEach(one -> used.add(parsed(one.prefix())));
        network.routes(family).stream()
            .filter(route -> route.destination().length() > 0)
            .filter(route -> !isOurs(route))
            .forEach(route -> used.add(parsed(route.destination())));
      }
    }
    return free(find(), used);
  }

  /// Pure: of the last one and the candidates the first that overlaps nothing.
  static Optional<Cidr> free(Optional<Cidr> last, List<Cidr> used) {
    List<Cidr> candidates = new ArrayList<>(last.filter(CANDIDATES::contains).stream().toList());
    candidates.addAll(CANDIDATES);
    return candidates.stream()
        .filter(
            range ->
                used.stream()
                    .noneMatch(one -> one.family() == range.family() && one.overlaps(range)))
        .findFirst();
  }

  private boolean isOurs(Route route) {
    return route.table() == Route.LOCAL
        && find().filter(range -> range.equals(parsed(route.destination()))).isPresent();
  }

  private static Cidr parsed(IpPrefix prefix) {
    return Cidr.parse(prefix.toString());
  }

  /// Delivers the range here. One that is there already is fine.
  public void add(Cidr range) {
    if (find().filter(last -> !last.equals(range)).isPresent()) {
      remove();
    }
    try {
      Files.createDirectories(record.toAbsolutePath().getParent());
      Files.writeString(record, range.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Rtnetlink network = Rtnetlink.open()) {
      Link loopback = loopback(network);
      if (!loopback.up()) {
        network.setUp(loopback.index(), true);
      }
      try {
        network.addRoute(route(range, loopback));
      } catch (NetlinkException e) {
        if (!e.alreadyExists()) {
          throw e;
        }
      }
    }
  }

  /// The range that the record names.
  public Optional<Cidr> find() {
    try {
      return Files.exists(record)
          ? Optional.ofNullable(Cidr.parseOrNull(Files.readString(record).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes the route away. The record stays, so that the next start finds the same range. What is
  /// not there is fine.
  public void remove() {
    Optional<Cidr> range = find();
    if (range.isEmpty()) {
      return;
    }
    try (Rtnetlink network = Rtnetlink.open()) {
      Route route = route(range.get(), loopback(network));
      if (network.routes(Rtnetlink.IPV4).contains(route)) {
        network.deleteRoute(route);
      }
    }
  }

  private static Route route(Cidr range, Link loopback) {
    return new Route(IpPrefix.parse(range.toString()), null, loopback.index(), Route.LOCAL);
  }

  private static Link loopback(Rtnetlink network) {
    return network
        .link("lo")
        .orElseThrow(() -> new IllegalStateException("this machine has no interface lo"));
  }
}
