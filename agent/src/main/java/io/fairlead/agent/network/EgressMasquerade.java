package io.fairlead.agent.network;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Lets pods reach the outside: their addresses mean nothing there, so packets that leave the
/// cluster get the node's. Inside the cluster every packet keeps its source.
final class EgressMasquerade {
  static final String TABLE = "fairlead-egress";
  private static final String CHAIN = "postrouting";
  private static final int AFTER_SOURCE_NAT = 105;

  private EgressMasquerade() {}

  /// Writes the rules again; packets see the old ones or the new ones. Runs inside the node's
  /// namespace.
  ///
  /// @param pods ranges of this node's pods
  /// @param cluster ranges of all pods
  /// @param nodes addresses of nodes, which know the pods' addresses
  static void write(Collection<Cidr> pods, Collection<Cidr> cluster, Collection<IpAddress> nodes) {
    try (Nftables nftables = Nftables.open()) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        List<Cidr> own = of(pods, family);
        if (own.isEmpty()) {
          continue;
        }
        Table table = new Table(PacketMatch.family(family), TABLE);
        Transaction transaction = nftables.transaction();
        transaction.addTable(table, "pods of this node to the outside");
        transaction.addChain(
            table, new Chain(CHAIN, new Hook("nat", Hook.POSTROUTING, AFTER_SOURCE_NAT), ""));
        transaction.flushChain(table, CHAIN);
        List<Cidr> spared = new ArrayList<>(of(cluster, family));
        spared.addAll(own);
        spared.add(Cidr.parse(family == IpAddress.Family.IPV4 ? "224.0.0.0/4" : "ff00::/8"));
        nodes.stream()
            .filter(node -> node.family() == family)
            .map(node -> new Cidr(node, family.bits()))
            .forEach(spared::add);
        for (Cidr range : spared.stream().distinct().toList()) {
          List<Expression> expressions = new ArrayList<>(PacketMatch.inside(range, false));
          expressions.add(new Expression.Decide(NftVerdict.RETURN));
          transaction.addRule(table, CHAIN, new NftRule(expressions, "keeps its source"));
        }
        for (Cidr range : own) {
          List<Expression> expressions = new ArrayList<>(PacketMatch.inside(range, true));
          expressions.add(new Expression.Masquerade(true));
          transaction.addRule(table, CHAIN, new NftRule(expressions, "leaves the cluster"));
        }
        transaction.commit();
      }
    }
  }

  /// Takes the rules away. Runs inside the node's namespace.
  static void remove() {
    try (Nftables nftables = Nftables.open()) {
      for (NftFamily family : List.of(NftFamily.IP, NftFamily.IP6)) {
        Table table = new Table(family, TABLE);
        if (nftables.tables(family).contains(table)) {
          nftables.transaction().deleteTable(table).commit();
        }
      }
    }
  }

  private static List<Cidr> of(Collection<Cidr> ranges, IpAddress.Family family) {
    return ranges.stream().filter(range -> range.family() == family).toList();
  }
}
