package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.DataType;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRuleBuilder;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.kernel.syscall.SystemCallException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What else happens to packets for addresses that this node answers for: an echo request is
/// answered, and what is for no port of a Service is dropped. Without that the node would send such
/// packets back into the network, to itself.
///
/// A table of its own in each family; it goes with the last address. Used by one thread at a time.
final class AnnounceRules {
  private static final Logger log = LoggerFactory.getLogger(AnnounceRules.class);
  static final String TABLE_NAME = "fairlead-announce";

  private static final String SET = "vips";
  private static final String PING = "ping";
  private static final String STRAY = "stray";
  // Right behind the translation of the proxy.
  private static final int AFTER_TRANSLATION = -99;
  // Before the filters of the proxy and of others.
  private static final int BEFORE_FILTERS = -4;
  private static final int ICMP = 1;
  private static final int ICMP_V6 = 58;
  private static final int ECHO_REQUEST = 8;
  private static final int ECHO_REQUEST_V6 = 128;

  private final Supplier<Nftables> kernel;
  private final Map<IpAddress.Family, Set<IpAddress>> written =
      new EnumMap<>(IpAddress.Family.class);
  private final Map<IpAddress.Family, Set<IpAddress>> refused =
      new EnumMap<>(IpAddress.Family.class);

  /// @param kernel opens the tables of this machine
  AnnounceRules(Supplier<Nftables> kernel) {
    this.kernel = kernel;
  }

  /// Makes the tables show these addresses and no others; the first call takes away what a killed
  /// process left. Where the kernel does not take them, the addresses are announced without: only
  /// ping and stray packets suffer.
  void show(Set<IpAddress> addresses) {
    for (IpAddress.Family family : IpAddress.Family.values()) {
      Set<IpAddress> wanted = new TreeSet<>();
      addresses.stream().filter(one -> one.family() == family).forEach(wanted::add);
      if (!wanted.equals(written.get(family)) && !wanted.equals(refused.get(family))) {
        show(family, wanted);
      }
    }
  }

  private void show(IpAddress.Family family, Set<IpAddress> wanted) {
    try (Nftables nftables = kernel.get()) {
      write(nftables, family, wanted);
      written.put(family, wanted);
      refused.remove(family);
    } catch (SystemCallException e) {
      // What is there now is not known: the next change writes the whole table.
      written.remove(family);
      refused.put(family, wanted);
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("announced addresses do not answer ping: their rules were not written");
    }
  }

  private void write(Nftables nftables, IpAddress.Family family, Set<IpAddress> wanted) {
    Table table = table(family);
    if (wanted.isEmpty()) {
      nftables.remove(table, List.of(PING, STRAY));
      return;
    }
    Set<IpAddress> before = written.getOrDefault(family, Set.of());
    SetSpecification set = set(family);
    Transaction transaction = nftables.transaction();
    if (before.isEmpty()) {
      if (nftables.tables(table.family()).contains(table)) {
        transaction.deleteTable(table);
      }
      create(transaction, table, set, family == IpAddress.Family.IPV4);
      transaction.addElements(table, set, elements(wanted));
    } else {
      Set<IpAddress> gone = new TreeSet<>(before);
      gone.removeAll(wanted);
      Set<IpAddress> come = new TreeSet<>(wanted);
      come.removeAll(before);
      if (!gone.isEmpty()) {
        transaction.deleteElements(table, set, elements(gone));
      }
      if (!come.isEmpty()) {
        transaction.addElements(table, set, elements(come));
      }
    }
    transaction.commit();
  }

  private static void create(
      Transaction transaction, Table table, SetSpecification set, boolean ipv4) {
    transaction
        .addTable(table, "Fairlead: addresses this node announces")
        .addSet(table, set)
        .addChain(table, new Chain(PING, new Hook("nat", Hook.PREROUTING, AFTER_TRANSLATION), ""))
        .addChain(table, new Chain(STRAY, new Hook("filter", Hook.FORWARD, BEFORE_FILTERS), ""))
        .addRule(table, PING, new AnnounceRule(ipv4).echoRequest().end("answer ping"))
        .addRule(
            table,
            STRAY,
            new AnnounceRule(ipv4)
                .counted()
                .end("drop what is for no port of a Service", NftVerdict.DROP));
  }

  private static List<SetElement> elements(Set<IpAddress> addresses) {
    return addresses.stream()
        .map(address -> SetElement.of(NftData.wrap(address.toBytes())))
        .toList();
  }

  private static Table table(IpAddress.Family family) {
    return new Table(family == IpAddress.Family.IPV4 ? NftFamily.IP : NftFamily.IP6, TABLE_NAME);
  }

  private static SetSpecification set(IpAddress.Family family) {
    return SetSpecification.set(
        SET,
        List.of(family == IpAddress.Family.IPV4 ? DataType.IPV4_ADDRESS : DataType.IPV6_ADDRESS),
        "addresses this node answers for");
  }

  /// Takes away what an earlier process left.
  static void removeAll(Supplier<Nftables> kernel) {
    try (Nftables nftables = kernel.get()) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        nftables.remove(table(family), List.of(PING, STRAY));
      }
    }
  }

  private static final class AnnounceRule extends NftRuleBuilder<AnnounceRule> {
    private final boolean ipv4;

    AnnounceRule(boolean ipv4) {
      super(ipv4);
      this.ipv4 = ipv4;
    }

    @Override
    protected AnnounceRule self() {
      return this;
    }

    private AnnounceRule ours() {
      return begin().destination().in(SET);
    }

    AnnounceRule echoRequest() {
      ours().begin().meta(Expression.Meta.TRANSPORT_PROTOCOL);
      compare(true, NftData.wrap(new byte[] {(byte) (ipv4 ? ICMP : ICMP_V6)}));
      begin();
      add(new Expression.Payload(Expression.Payload.TRANSPORT, 0, 1, 0));
      compare(true, NftData.wrap(new byte[] {(byte) (ipv4 ? ECHO_REQUEST : ECHO_REQUEST_V6)}));
      add(new Expression.Redirect());
      return this;
    }

    AnnounceRule counted() {
      ours();
      add(new Expression.Counter(0, 0));
      return this;
    }
  }
}
