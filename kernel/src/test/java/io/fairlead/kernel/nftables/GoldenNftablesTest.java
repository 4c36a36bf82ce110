package io.fairlead.kernel.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Counter;
import io.fairlead.kernel.nftables.Expression.Decide;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Masquerade;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.Translate;
import io.fairlead.kernel.testing.RecordedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What the `nft` tool sends for `rules.nft`, read by our readers and written again by our writer.
class GoldenNftablesTest {
  private static final Table TABLE = new Table(NftFamily.IP, "golden");

  private final List<Chain> chains = new ArrayList<>();
  private final List<SetSpecification> sets = new ArrayList<>();
  private final List<ListedRule> rules = new ArrayList<>();
  private final List<SetElement> elements = new ArrayList<>();

  private void read(byte[] bytes) {
    NetlinkMessageReader messages = NetlinkMessageReader.of(bytes);
    while (messages.next()) {
      if (messages.subsystem() != 10) {
        continue;
      }
      switch (messages.operation()) {
        case NftConstants.NEW_CHAIN -> {
          Chain chain = NftObjectReader.chain(messages, TABLE);
          if (chain != null) {
            chains.add(chain);
          }
        }
        case NftConstants.NEW_SET -> {
          SetSpecification set = NftObjectReader.set(messages, TABLE);
          if (set != null) {
            sets.add(set);
          }
        }
        case NftConstants.NEW_RULE -> rules.add(NftObjectReader.rule(messages));
        case NftConstants.NEW_ELEMENT -> NftObjectReader.elements(messages, elements::add);
        default -> {}
      }
    }
  }

  @Test
  void objectsOfTheToolAreRead() {
    read(RecordedBytes.bytes("nft"));
    assertThat(chains)
        .contains(
            new Chain("services", new Hook("nat", Hook.PREROUTING, -100), ""),
            new Chain("post", new Hook("nat", Hook.POSTROUTING, 100), ""))
        .extracting(Chain::name)
        .contains("pick");
    assertThat(sets)
        .contains(
            SetSpecification.map(
                    "fronts",
                    List.of(DataType.IPV4_ADDRESS, DataType.PROTOCOL, DataType.PORT),
                    List.of(DataType.CLASS),
                    "where to")
                .withCounter(),
            SetSpecification.verdictMap("actions", List.of(DataType.CLASS), ""),
            SetSpecification.set(
                    "sources",
                    List.of(
                        DataType.IPV4_ADDRESS,
                        DataType.IPV4_ADDRESS,
                        DataType.PROTOCOL,
                        DataType.PORT),
                    "")
                .withInterval(),
            SetSpecification.map(
                    "affinity",
                    List.of(DataType.IPV4_ADDRESS, DataType.IPV4_ADDRESS),
                    List.of(DataType.CLASS),
                    "")
                .withTimeout(10_800_000, 65_535));
    assertThat(elements)
        .anySatisfy(
            element -> {
              assertThat(element.key()).isEqualTo(NftData.ofHex("0a6000010600000000500000"));
              assertThat(element.value()).isEqualTo(NftData.host32(0x10003));
              assertThat(element.comment()).isEqualTo("shop/cart:http");
            })
        .anySatisfy(element -> assertThat(element.verdict()).isEqualTo(NftVerdict.go("pick")))
        .anySatisfy(
            element ->
                assertThat(element.keyEnd())
                    .isEqualTo(NftData.ofHex("cb00717f0a6000010600000000500000")));
  }

  @Test
  void rulesOfTheToolAreRead() {
    read(RecordedBytes.bytes("nft"));
    List<Expression> all = rules.stream().flatMap(r -> r.rule().expressions().stream()).toList();
    assertThat(all)
        // One step we never need: turning the one byte of a protocol number round.
        .noneMatch(e -> e instanceof Expression.Other other && !other.name().equals("byteorder"))
        .contains(
            new Bitwise(0, 0, NftData.host32(~0x4000), NftData.host32(0x4000)),
            new Decide(NftVerdict.DROP),
            new Decide(NftVerdict.jump("pick")),
            new Masquerade(true),
            new Reject(Reject.PORT_UNREACHABLE_V4),
            new Counter(0, 0))
        .anyMatch(e -> e instanceof Translate t && t.destination() && t.port() != null)
        .anyMatch(e -> e instanceof Lookup l && l.set().equals("sources") && l.inverted())
        .anyMatch(e -> e instanceof Lookup l && l.set().equals("actions") && l.decides())
        .anyMatch(e -> e instanceof Lookup l && l.set().equals("fronts") && l.to() != null)
        .anyMatch(e -> e instanceof Expression.NumberGenerator n && n.count() == 3 && n.from() == 1)
        .anyMatch(e -> e instanceof AddressKind k && k.source())
        .anyMatch(e -> e instanceof Connection c && c.key() == Connection.STATUS)
        .anyMatch(e -> e instanceof Meta m && m.key() == Meta.INPUT_INTERFACE_NAME)
        .anyMatch(e -> e instanceof Compare c && c.with().length() == 16)
        .anyMatch(e -> e instanceof ChangeSet c && c.timeoutMillis() == 5000);
    assertThat(rules).extracting(r -> r.rule().comment()).contains("mark");
  }

  @Test
  void whatWeWriteForItIsReadAsTheSame() {
    read(RecordedBytes.bytes("nft"));
    assertThat(rules).hasSizeGreaterThan(8);
    for (ListedRule rule : rules) {
      for (Expression expression : rule.rule().expressions()) {
        NetlinkMessageWriter writer = new NetlinkMessageWriter();
        new ExpressionWriter(writer).write(expression);
        Expression again =
            ExpressionReader.read(
                io.fairlead.kernel.netlink.NetlinkAttributeReader.of(writer.toByteArray()));
        assertThat(again).isEqualTo(expression);
      }
    }
  }

  @Test
  void spoiltBytesNeverBreakOut() {
    byte[] recorded = RecordedBytes.bytes("nft");
    Random random = new Random(5);
    for (int i = 0; i < 3000; i++) {
      byte[] spoilt = recorded.clone();
      for (int j = random.nextInt(6); j >= 0; j--) {
        spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt(256);
      }
      try {
        read(spoilt);
      } catch (MalformedMessageException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
      rules.clear();
      elements.clear();
      chains.clear();
      sets.clear();
    }
  }
}
