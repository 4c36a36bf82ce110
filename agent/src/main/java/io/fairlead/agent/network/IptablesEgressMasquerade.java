package io.fairlead.agent.network;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// What [EgressMasquerade] does, for kernels that have no nftables: by iptables, in a chain of its
/// own. A file remembers that it is there, for the clean-up that removes it.
final class IptablesEgressMasquerade {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String CHAIN = "FAIRLEAD-EGRESS";
  private static final List<String> JUMP = List.of("POSTROUTING", "-t", "nat", "-j", CHAIN);

  private final HostNamespace host;
  private final Path record;

  IptablesEgressMasquerade(HostNamespace host, Path record) {
    this.host = host;
    this.record = record;
  }

  /// Writes the rules again.
  ///
  /// @param pods ranges of this node's pods
  /// @param cluster ranges of all pods
  /// @param nodes addresses of nodes, which know the pods' addresses
  void write(Collection<Cidr> pods, Collection<Cidr> cluster, Collection<IpAddress> nodes) {
    remember();
    for (IpAddress.Family family : IpAddress.Family.values()) {
      List<Cidr> own = pods.stream().filter(range -> range.family() == family).toList();
      if (!own.isEmpty()) {
        Iptables iptables = iptables(family);
        must(iptables.restore(document(family, own, cluster, nodes)));
        if (!command(iptables, "-C").succeeded()) {
          must(command(iptables, "-A"));
        }
      }
    }
  }

  /// The chain as `iptables-restore` reads it.
  static String document(
      IpAddress.Family family,
      Collection<Cidr> own,
      Collection<Cidr> cluster,
      Collection<IpAddress> nodes) {
    List<Cidr> spared = new ArrayList<>(cluster);
    spared.addAll(own);
    spared.add(Cidr.parse(family == IpAddress.Family.IPV4 ? "224.0.0.0/4" : "ff00::/8"));
    nodes.forEach(node -> spared.add(new Cidr(node, node.family().bits())));
    StringBuilder text = new StringBuilder("*nat\n:" + CHAIN + " - [0:0]\n");
    spared.stream()
        .filter(range -> range.family() == family)
        .distinct()
        .forEach(range -> text.append("-A " + CHAIN + " -d " + range + " -j RETURN\n"));
    own.forEach(range -> text.append("-A " + CHAIN + " -s " + range + " -j MASQUERADE\n"));
    return text.append("COMMIT\n").toString();
  }

  /// Takes the rules away, where they were written.
  void remove() {
    if (!Files.exists(record)) {
      return;
    }
    for (IpAddress.Family family : IpAddress.Family.values()) {
      Iptables iptables = iptables(family);
      if (iptables.isInstalled() && command(iptables, "-C").succeeded()) {
        must(command(iptables, "-D"));
        must(iptables.command(List.of("-F", CHAIN, "-t", "nat")));
        must(iptables.command(List.of("-X", CHAIN, "-t", "nat")));
      }
    }
    try {
      Files.delete(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CommandRunner.Result command(Iptables iptables, String verb) {
    return iptables.command(Stream.concat(Stream.of(verb), JUMP.stream()).toList());
  }

  private static void must(CommandRunner.Result result) {
    if (!result.succeeded()) {
      throw new IllegalStateException(
          "iptables cannot write the rules of packets that leave: " + result.error().strip());
    }
  }

  private Iptables iptables(IpAddress.Family family) {
    return new Iptables(
        family == IpAddress.Family.IPV4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6,
        host.inside()
            .map(inside -> CommandRunner.inside(inside, LIMIT))
            .orElseGet(() -> CommandRunner.here(LIMIT)));
  }

  private void remember() {
    try {
      Path directory = record.getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      Files.writeString(record, CHAIN + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
