package io.fairlead.proxy.trace;

import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftEvent;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.proxy.trace.TraceEvidence.ChainName;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Gathers events of one packet.
final class TracedPacketBuilder {
  final List<NftEvent.Traced> events = new ArrayList<>();
  final Map<ChainName, List<ListedRule>> rules = new HashMap<>();
  private long handle = 10;

  /// The first event of a base chain has the headers.
  TracedPacketBuilder first(
      String table, String chain, NftVerdict verdict, InetAddress to, int port) {
    return add(table, chain, "rule", ++handle, verdict, header(to), transport(port));
  }

  TracedPacketBuilder rule(String table, String chain, NftVerdict verdict) {
    return add(table, chain, "rule", ++handle, verdict, NftData.EMPTY, NftData.EMPTY);
  }

  /// An empty chain of the trace's own: the end of a chain, without a rule.
  TracedPacketBuilder marker(String chain, InetAddress to, int port) {
    return add(TraceTable.NAME, chain, "policy", 0, NftVerdict.ACCEPT, header(to), transport(port));
  }

  TracedPacketBuilder policy(String table, String chain) {
    return add(table, chain, "policy", 0, NftVerdict.DROP, NftData.EMPTY, NftData.EMPTY);
  }

  /// The rules of the chain of the last event; the last of them is the one that matched.
  TracedPacketBuilder listed(NftRule... all) {
    NftEvent.Traced last = events.getLast();
    List<ListedRule> listed = new ArrayList<>();
    for (int i = 0; i < all.length; i++) {
      boolean matched = i == all.length - 1;
      listed.add(
          new ListedRule(
              last.table().name(), last.chain(), matched ? last.rule() : 1000 + i, all[i]));
    }
    rules.put(new ChainName(last.table(), last.chain()), listed);
    return this;
  }

  private TracedPacketBuilder add(
      String table,
      String chain,
      String type,
      long rule,
      NftVerdict verdict,
      NftData network,
      NftData transport) {
    events.add(
        new NftEvent.Traced(
            new Table(NftFamily.IP, table),
            chain,
            rule,
            7,
            type,
            verdict,
            0,
            3,
            0,
            network,
            transport,
            null));
    return this;
  }

  private static NftData header(InetAddress to) {
    ByteBuffer bytes = ByteBuffer.allocate(20);
    bytes.put(0, (byte) 0x45).putShort(4, (short) 77).put(9, (byte) 6);
    bytes.put(12, TraceAnalysisTest.CLIENT.getAddress()).put(16, to.getAddress());
    return NftData.wrap(bytes.array());
  }

  private static NftData transport(int port) {
    ByteBuffer bytes = ByteBuffer.allocate(20);
    bytes.putShort(0, (short) 41873).putShort(2, (short) port).putInt(4, 1000);
    return NftData.wrap(bytes.array());
  }
}
