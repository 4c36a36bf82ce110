package io.fairlead.agent.containerd;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The tables that `iptables` makes for the engine's port mapper on a node that had none: they
/// would stay, empty, for ever. What was there before is remembered, so that the rest can go at the
/// end, unless another program has put rules or chains into it since.
///
/// @param host the node
/// @param record remembers the families that had a table before
record PortmapTables(HostNamespace host, Path record) {
  private static final String NAME = "nat";
  private static final List<NftFamily> FAMILIES = List.of(NftFamily.IP, NftFamily.IP6);

  /// Looks what is there, unless that was done before.
  void remember() throws IOException {
    if (!Files.exists(record)) {
      Files.write(record, host.call(PortmapTables::present));
    }
  }

  private static List<String> present() {
    try (Nftables nftables = Nftables.open()) {
      return FAMILIES.stream().filter(one -> isThere(nftables, one)).map(NftFamily::word).toList();
    } catch (SystemCallException e) {
      // The tables of a kernel without nftables are its own, always there.
      return FAMILIES.stream().map(NftFamily::word).toList();
    }
  }

  private static boolean isThere(Nftables nftables, NftFamily family) {
    return nftables.tables(family).contains(new Table(family, NAME));
  }

  /// Takes those away that were not there and are of no use, and forgets.
  void remove() throws IOException {
    if (!Files.exists(record)) {
      return;
    }
    List<String> before = Files.readAllLines(record);
    host.run(
        () ->
            FAMILIES.stream()
                .filter(one -> !before.contains(one.word()))
                .forEach(PortmapTables::drop));
    Files.delete(record);
  }

  private static void drop(NftFamily family) {
    Table table = new Table(family, NAME);
    try (Nftables nftables = Nftables.open()) {
      if (isThere(nftables, family)
          && nftables.rules(table).isEmpty()
          && nftables.chains(table).stream().allMatch(chain -> chain.hook() != null)) {
        nftables.transaction().deleteTable(table).commit();
      }
    }
  }
}
