package io.fairlead.agent.network;

import io.fairlead.agent.runtime.SandboxConfig.HostPort;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Leads ports of the node to ports of pods.
///
/// How it works: packets for an address of this machine, from outside or from a program on it, get
/// the pod's address and port. Answers find back by themselves, but for two cases in which the
/// source is replaced: a program on the node that called by a loopback address, and the pod that
/// called itself. A file for each sandbox says what is led to it; the rules are those of all files,
/// written again at each change, and packets see the old ones or the new ones.
///
/// Guarded by its own lock.
final class HostPorts {
  static final String TABLE = "fairlead-hostport";

  private static final int DESTINATION_NAT = -100;
  private static final int SOURCE_NAT = 100;
  private static final Cidr LOOPBACK = Cidr.parse("127.0.0.0/8");

  /// One port of the node.
  ///
  /// @param at the only address of the node it is for; empty for all
  private record Lead(int protocol, Optional<IpAddress> at, int port, IpAddress pod, int podPort) {
    String line() {
      String address = at.map(IpAddress::toString).orElse("*");
      return protocol + " " + address + " " + port + " " + pod + " " + podPort;
    }

    static Lead of(String line) {
      String[] words = line.split(" ", -1);
      return new Lead(
          Integer.parseInt(words[0]),
          words[1].equals("*") ? Optional.empty() : Optional.of(IpAddress.parse(words[1])),
          Integer.parseInt(words[2]),
          IpAddress.parse(words[3]),
          Integer.parseInt(words[4]));
    }

    private List<Expression> comesIn() {
      List<Expression> match = new ArrayList<>(PacketMatch.forThisMachine());
      at.ifPresent(address -> match.addAll(PacketMatch.inside(new Cidr(address, bits()), false)));
      match.addAll(PacketMatch.toPort(protocol, port));
      return match;
    }

    private int bits() {
      return pod.family().bits();
    }

    NftRule lead() {
      List<Expression> steps = comesIn();
      int portRegister = pod.isIpv4() ? 1 : 4;
      steps.add(new Expression.Immediate(0, NftData.wrap(pod.toBytes())));
      steps.add(new Expression.Immediate(portRegister, PacketMatch.port(podPort)));
      steps.add(new Expression.Translate(true, PacketMatch.family(pod.family()), 0, portRegister));
      return new NftRule(steps, port + " leads to " + pod);
    }

    NftRule masquerade(Cidr from) {
      List<Expression> steps = new ArrayList<>(PacketMatch.inside(from, true));
      steps.addAll(PacketMatch.inside(new Cidr(pod, bits()), false));
      steps.addAll(PacketMatch.toPort(protocol, podPort));
      steps.add(new Expression.Masquerade(false));
      return new NftRule(steps, "answers must come back this way");
    }
  }

  private final HostNamespace host;
  private final Path directory;

  /// @param directory keeps what is led where
  HostPorts(HostNamespace host, Path directory) {
    this.host = host;
    this.directory = directory;
  }

  /// Leads ports to a sandbox.
  ///
  /// @param link the node's end of its cable
  synchronized void add(
      String sandbox, String link, List<IpAddress> addresses, List<HostPort> ports) {
    List<String> lines = new ArrayList<>();
    for (HostPort port : ports) {
      Optional<IpAddress> at =
          Optional.ofNullable(IpAddress.parseOrNull(port.hostAddress()))
              .filter(one -> !one.isUnspecified());
      for (IpAddress address : addresses) {
        if (at.isEmpty() || address.family() == at.get().family()) {
          lines.add(
              new Lead(
                      protocol(port.protocol()), at, port.hostPort(), address, port.containerPort())
                  .line());
        }
      }
    }
    if (lines.isEmpty()) {
      return;
    }
    // Loopback addresses are for one machine only, and the kernel drops them on any cable unless
    // told otherwise; the setting goes with the cable.
    host.call(
        () -> Files.writeString(Path.of("/proc/sys/net/ipv4/conf", link, "route_localnet"), "1"));
    try {
      Files.createDirectories(directory);
      Files.write(directory.resolve(sandbox), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    write();
  }

  private static int protocol(String name) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "UDP" -> 17;
      case "SCTP" -> 132;
      default -> 6;
    };
  }

  /// Leads nothing to a sandbox any more.
  synchronized void remove(String sandbox) {
    try {
      if (Files.deleteIfExists(directory.resolve(sandbox))) {
        write();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Forgets all sandboxes of a kind but these.
  synchronized void keepOnly(Set<String> sandboxes, Predicate<String> kind) {
    files().stream()
        .map(file -> String.valueOf(file.getFileName()))
        .filter(sandbox -> kind.test(sandbox) && !sandboxes.contains(sandbox))
        .forEach(this::remove);
  }

  private List<Path> files() {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write() {
    List<Lead> leads = new ArrayList<>();
    try {
      for (Path file : files()) {
        Files.readAllLines(file).stream().map(Lead::of).forEach(leads::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    host.run(() -> write(leads));
  }

  private static void write(List<Lead> leads) {
    try (Nftables nftables = Nftables.open()) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        List<Lead> own = leads.stream().filter(lead -> lead.pod.family() == family).toList();
        Table table = new Table(PacketMatch.family(family), TABLE);
        if (own.isEmpty()) {
          remove(nftables, table);
          continue;
        }
        Transaction transaction = nftables.transaction();
        transaction.addTable(table, "ports of this node that lead to pods");
        chain(transaction, table, "prerouting", Hook.PREROUTING, DESTINATION_NAT);
        chain(transaction, table, "output", Hook.OUTPUT, DESTINATION_NAT);
        chain(transaction, table, "postrouting", Hook.POSTROUTING, SOURCE_NAT);
        for (Lead lead : own) {
          transaction.addRule(table, "prerouting", lead.lead());
          transaction.addRule(table, "output", lead.lead());
          transaction.addRule(
              table, "postrouting", lead.masquerade(new Cidr(lead.pod, family.bits())));
          if (family == IpAddress.Family.IPV4) {
            transaction.addRule(table, "postrouting", lead.masquerade(LOOPBACK));
          }
        }
        transaction.commit();
      }
    }
  }

  private static void chain(
      Transaction transaction, Table table, String name, int hook, int priority) {
    transaction.addChain(table, new Chain(name, new Hook("nat", hook, priority), ""));
    transaction.flushChain(table, name);
  }

  private static void remove(Nftables nftables, Table table) {
    if (nftables.tables(table.family()).contains(table)) {
      nftables.transaction().deleteTable(table).commit();
    }
  }

  /// Leads nothing anywhere any more.
  synchronized void tearDown() {
    if (!Files.exists(directory)) {
      return;
    }
    for (Path file : files()) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    host.run(
        () -> {
          try (Nftables nftables = Nftables.open()) {
            for (NftFamily family : List.of(NftFamily.IP, NftFamily.IP6)) {
              remove(nftables, new Table(family, TABLE));
            }
          }
        });
  }
}
