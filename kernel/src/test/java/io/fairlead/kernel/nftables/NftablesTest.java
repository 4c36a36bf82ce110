package io.fairlead.kernel.nftables;

import static io.fairlead.kernel.nftables.DataType.CLASS;
import static io.fairlead.kernel.nftables.DataType.IPV4_ADDRESS;
import static io.fairlead.kernel.nftables.DataType.PORT;
import static io.fairlead.kernel.nftables.DataType.PROTOCOL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.nftables.Expression.AddressKind;
import io.fairlead.kernel.nftables.Expression.Bitwise;
import io.fairlead.kernel.nftables.Expression.ChangeSet;
import io.fairlead.kernel.nftables.Expression.Compare;
import io.fairlead.kernel.nftables.Expression.Connection;
import io.fairlead.kernel.nftables.Expression.Counter;
import io.fairlead.kernel.nftables.Expression.Decide;
import io.fairlead.kernel.nftables.Expression.Immediate;
import io.fairlead.kernel.nftables.Expression.Lookup;
import io.fairlead.kernel.nftables.Expression.Masquerade;
import io.fairlead.kernel.nftables.Expression.Meta;
import io.fairlead.kernel.nftables.Expression.NumberGenerator;
import io.fairlead.kernel.nftables.Expression.Payload;
import io.fairlead.kernel.nftables.Expression.Reject;
import io.fairlead.kernel.nftables.Expression.SetMeta;
import io.fairlead.kernel.nftables.Expression.Translate;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Real nftables in a namespace of the test's own, read back by this program and by the `nft` tool.
@Tag("system")
class NftablesTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Table TABLE = new Table(NftFamily.IP, "fairlead-test");
  private static final SetSpecification FRONTS =
      SetSpecification.map(
              "fronts", List.of(IPV4_ADDRESS, PROTOCOL, PORT), List.of(CLASS), "where to")
          .withCounter();
  private static final SetSpecification ENDPOINTS =
      SetSpecification.map(
          "endpoints",
          List.of(IPV4_ADDRESS, PROTOCOL, PORT, CLASS),
          List.of(IPV4_ADDRESS, PORT),
          "");
  private static final SetSpecification ACTIONS =
      SetSpecification.verdictMap("actions", List.of(CLASS), "");
  private static final SetSpecification SOURCES =
      SetSpecification.set("sources", List.of(IPV4_ADDRESS, IPV4_ADDRESS, PROTOCOL, PORT), "")
          .withInterval();
  private static final SetSpecification AFFINITY =
      SetSpecification.map("affinity", List.of(IPV4_ADDRESS, IPV4_ADDRESS), List.of(CLASS), "")
          .withTimeout(10_800_000, 65_535);
  private static final SetSpecification ADDRESSES =
      SetSpecification.set("addresses", List.of(IPV4_ADDRESS), "addresses");

  private final NetworkNamespace namespace =
      NetworkNamespace.create("flk-nft-" + ProcessHandle.current().pid());
  private Nftables nftables;

  @BeforeEach
  void open() {
    nftables = namespace.call(Nftables::open);
  }

  @AfterEach
  void remove() {
    nftables.close();
    namespace.delete();
  }

  /// The other answer needs a kernel without IPv4 in nftables; the proxy's tests boot one.
  @Test
  void tablesOfBothFamiliesAreTakenAndTheProbeIsGone() {
    assertThat(nftables.refusal(NftFamily.IP)).isEmpty();
    assertThat(nftables.refusal(NftFamily.IP6)).isEmpty();
    assertThat(nftables.tables(NftFamily.IP)).isEmpty();
    assertThat(nftables.tables(NftFamily.IP6)).isEmpty();
  }

  @Test
  void aTableOfAnOpenConnectionIsOwned() {
    Table left = new Table(NftFamily.IP, "left");
    nftables.transaction().addTransientTable(TABLE, "").addTable(left, "").commit();
    assertThat(nftables.tables(NftFamily.IP)).containsExactlyInAnyOrder(TABLE, left);
    assertThat(nftables.unownedTables(NftFamily.IP)).containsExactly(left);
  }

  private static List<Expression> key() {
    return List.of(
        new Payload(Payload.NETWORK, 16, 4, 0),
        new Meta(Meta.TRANSPORT_PROTOCOL, 1),
        new Payload(Payload.TRANSPORT, 2, 2, 2));
  }

  private static NftRule rule(String comment, List<Expression> first, Expression... then) {
    List<Expression> all = new ArrayList<>(first);
    all.addAll(List.of(then));
    return new NftRule(all, comment);
  }

  private static final List<NftRule> PICK =
      List.of(
          NftRule.of(
              "mark",
              new Meta(Meta.MARK, 0),
              new Bitwise(0, 0, NftData.host32(~0x4000), NftData.host32(0x4000)),
              new SetMeta(Meta.MARK, 0)),
          NftRule.of(
              "",
              new NumberGenerator(3, 3, true, 1),
              new SetMeta(Meta.PRIORITY, 3),
              new Payload(Payload.NETWORK, 16, 4, 0),
              new Meta(Meta.TRANSPORT_PROTOCOL, 1),
              new Payload(Payload.TRANSPORT, 2, 2, 2),
              new Meta(Meta.PRIORITY, 3),
              Lookup.map("endpoints", 0, 4),
              new Translate(true, NftFamily.IP, 4, 5)));

  private static final List<NftRule> SERVICES =
      List.of(
          rule(
              "",
              key(),
              Lookup.map("fronts", 0, 4),
              new SetMeta(Meta.PRIORITY, 4),
              new Meta(Meta.PRIORITY, 0),
              Lookup.decide("actions", 0)),
          NftRule.of(
              "", new Payload(Payload.NETWORK, 16, 4, 0), Lookup.in("addresses", 0), new Reject(3)),
          rule(
              "",
              List.of(
                  new Payload(Payload.NETWORK, 12, 4, 0),
                  new Payload(Payload.NETWORK, 16, 4, 1),
                  new Meta(Meta.TRANSPORT_PROTOCOL, 2),
                  new Payload(Payload.TRANSPORT, 2, 2, 3)),
              Lookup.notIn("sources", 0),
              new Decide(NftVerdict.DROP)),
          NftRule.of(
              "",
              new AddressKind(false, 0),
              new Compare(0, Compare.Operation.EQUAL, NftData.host32(AddressKind.LOCAL)),
              new Payload(Payload.NETWORK, 16, 1, 0),
              new Compare(0, Compare.Operation.NOT_EQUAL, NftData.of((byte) 127)),
              new Counter(0, 0),
              new Decide(NftVerdict.jump("pick-3"))),
          NftRule.of(
              "sticky",
              new Payload(Payload.NETWORK, 12, 4, 0),
              new Payload(Payload.NETWORK, 16, 4, 1),
              new Immediate(2, NftData.host32(7)),
              new ChangeSet("affinity", ChangeSet.Operation.UPDATE, 0, 2, 5_000)),
          NftRule.of(
              "",
              new Payload(Payload.NETWORK, 12, 4, 0),
              new Payload(Payload.NETWORK, 16, 4, 1),
              new Meta(Meta.PRIORITY, 2),
              new ChangeSet("affinity", ChangeSet.Operation.DELETE, 0, 2, 0)));

  private static final List<NftRule> MASQUERADING =
      List.of(
          NftRule.of(
              "",
              new Connection(Connection.STATUS, 0),
              new Bitwise(0, 0, NftData.host32(0x20), NftData.host32(0)),
              new Compare(0, Compare.Operation.NOT_EQUAL, NftData.host32(0)),
              new Masquerade(true)));

  private static SetElement front(String hex, int action, String comment) {
    return SetElement.of(NftData.ofHex(hex), NftData.host32(action), comment);
  }

  private void load() {
    nftables
        .transaction()
        .addTable(TABLE, "a table of a test")
        .addSet(TABLE, FRONTS)
        .addSet(TABLE, ENDPOINTS)
        .addSet(TABLE, ACTIONS)
        .addSet(TABLE, SOURCES)
        .addSet(TABLE, AFFINITY)
        .addSet(TABLE, ADDRESSES)
        .addChain(TABLE, Chain.plain("pick-3", "one of three"))
        .addChain(TABLE, new Chain("services", new Hook("nat", Hook.PREROUTING, -100), ""))
        .addChain(TABLE, new Chain("masquerading", new Hook("nat", Hook.POSTROUTING, 100), ""))
        .addRule(TABLE, "pick-3", PICK.get(0))
        .addRule(TABLE, "pick-3", PICK.get(1))
        .addRule(TABLE, "services", SERVICES.get(0))
        .addRule(TABLE, "services", SERVICES.get(1))
        .addRule(TABLE, "services", SERVICES.get(2))
        .addRule(TABLE, "services", SERVICES.get(3))
        .addRule(TABLE, "services", SERVICES.get(4))
        .addRule(TABLE, "services", SERVICES.get(5))
        .addRule(TABLE, "masquerading", MASQUERADING.get(0))
        .addElements(
            TABLE, ACTIONS, List.of(SetElement.of(NftData.host32(3), NftVerdict.go("pick-3"))))
        .addElements(
            TABLE,
            FRONTS,
            List.of(front("0a600001" + "06000000" + "00500000", 3, "shop/cart:http")))
        .addElements(
            TABLE,
            ENDPOINTS,
            List.of(
                SetElement.of(
                    NftData.ofHex("0a6000010600000000500000" + "02000000"),
                    NftData.ofHex("0a4000011f900000"))))
        .addElements(
            TABLE,
            SOURCES,
            List.of(
                SetElement.range(
                    NftData.ofHex("cb007100" + "0a600001" + "06000000" + "00500000"),
                    NftData.ofHex("cb00717f" + "0a600001" + "06000000" + "00500000"),
                    "shop/cart:http")))
        .addElements(TABLE, ADDRESSES, List.of(SetElement.of(NftData.ofHex("0a600001"))))
        .commit();
  }

  @Test
  void whatIsWrittenIsReadBack() {
    load();
    assertThat(nftables.tables(NftFamily.IP)).containsExactly(TABLE);
    assertThat(nftables.tables(NftFamily.IP6)).isEmpty();
    assertThat(nftables.chains(TABLE))
        .containsExactlyInAnyOrder(
            Chain.plain("pick-3", "one of three"),
            new Chain("services", new Hook("nat", Hook.PREROUTING, -100), ""),
            new Chain("masquerading", new Hook("nat", Hook.POSTROUTING, 100), ""));
    assertThat(nftables.sets(TABLE))
        .containsExactlyInAnyOrder(FRONTS, ENDPOINTS, ACTIONS, SOURCES, AFFINITY, ADDRESSES);
    var rules = nftables.rules(TABLE);
    assertThat(rules.get("pick-3")).extracting(ListedRule::rule).isEqualTo(PICK);
    assertThat(rules.get("services")).extracting(ListedRule::rule).isEqualTo(SERVICES);
    assertThat(rules.get("masquerading")).extracting(ListedRule::rule).isEqualTo(MASQUERADING);
    assertThat(nftables.elements(TABLE, "fronts"))
        .containsExactly(front("0a6000010600000000500000", 3, "shop/cart:http").counting(0, 0));
    assertThat(nftables.elements(TABLE, "actions"))
        .containsExactly(SetElement.of(NftData.host32(3), NftVerdict.go("pick-3")));
    assertThat(nftables.elements(TABLE, "sources"))
        .singleElement()
        .extracting(SetElement::keyEnd)
        .isEqualTo(NftData.ofHex("cb00717f0a6000010600000000500000"));
    assertThat(nftables.elements(TABLE, "nothing")).isEmpty();
  }

  @Test
  void theToolPrintsWhatAPersonCanReadAndTheToolCanLoad() {
    load();
    CommandRunner.Result listed =
        CommandRunner.inside(namespace, LIMIT).run("", List.of("nft", "list", "ruleset"));
    assertThat(listed.exit()).as(listed.error()).isZero();
    assertThat(listed.output())
        .contains("comment \"a table of a test\"")
        .contains("10.96.0.1 . tcp . 80 counter packets 0 bytes 0 comment \"shop/cart:http\"")
        .contains("203.0.113.0/25 . 10.96.0.1 . tcp . 80")
        .contains("10.96.0.1 . tcp . 80 . 0:2 : 10.64.0.1 . 8080")
        .contains("numgen random mod 3")
        .contains("masquerade fully-random");
    CommandRunner tool = CommandRunner.inside(namespace, LIMIT);
    assertThat(tool.run("", List.of("nft", "flush", "ruleset")).exit()).isZero();
    assertThat(tool.run(listed.output(), List.of("nft", "-f", "-")).error()).isEmpty();
    assertThat(tool.run("", List.of("nft", "list", "ruleset")).output()).isEqualTo(listed.output());
  }

  @Test
  void aRefusedTransactionNamesItsObjectAndChangesNothing() {
    load();
    SetElement other = front("0a600002" + "06000000" + "00500000", 3, "");
    Transaction transaction =
        nftables
            .transaction()
            .addElements(TABLE, FRONTS, List.of(other))
            .deleteElements(TABLE, ADDRESSES, List.of(SetElement.of(NftData.ofHex("0a600009"))));
    assertThatThrownBy(transaction::commit)
        .isInstanceOfSatisfying(NetlinkException.class, e -> assertThat(e.isNotFound()).isTrue())
        .hasMessageContaining("delete element ip fairlead-test addresses { 10.96.0.9 }")
        .hasMessageContaining("ENOENT");
    assertThat(nftables.elements(TABLE, "fronts")).hasSize(1);
    assertThatThrownBy(
            () ->
                nftables
                    .transaction()
                    .addChain(new Table(NftFamily.IP, "absent"), Chain.plain("c", ""))
                    .commit())
        .hasMessageContaining("add chain ip absent c: netlink: ENOENT");
  }

  @Test
  void aTransactionAfterAForeignChangeIsRefusedWhenAsked() {
    load();
    int generation = nftables.generation();
    nftables.transaction().onlyAfter(generation).addChain(TABLE, Chain.plain("a", "")).commit();
    assertThatThrownBy(
            () -> nftables.transaction().onlyAfter(generation).addTable(TABLE, "").commit())
        .isInstanceOf(NetlinkException.class)
        .hasMessageContaining("ERESTART");
  }

  @Test
  void manyElementsGoInOneTransactionAndComeBack() {
    load();
    List<SetElement> elements = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      elements.add(SetElement.of(NftData.ofHex(String.format("0b%06x", i))));
    }
    Transaction transaction = nftables.transaction().addElements(TABLE, ADDRESSES, elements);
    assertThat(transaction.changes()).isEqualTo(20_000);
    transaction.commit();
    assertThat(nftables.elements(TABLE, "addresses")).hasSize(20_001);
    nftables.transaction().deleteElements(TABLE, ADDRESSES, elements).commit();
    assertThat(nftables.elements(TABLE, "addresses")).hasSize(1);
  }

  /// The kernel makes room for them after the transaction, and lists them while it does.
  @Test
  void elementsAreReadWholeWhileTheKernelStillMovesThem() {
    load();
    List<SetElement> elements = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      elements.add(SetElement.of(NftData.ofHex(String.format("0b%06x", i))));
    }
    nftables.transaction().addElements(TABLE, ADDRESSES, elements).commit();
    for (int i = 0; i < 3; i++) {
      assertThat(nftables.elements(TABLE, "addresses").stream().map(SetElement::key).distinct())
          .hasSize(100_001);
    }
  }

  @Test
  void changesOfOthersAreToldApart() {
    List<NftEvent> events = new CopyOnWriteArrayList<>();
    try (NftMonitor monitor = namespace.call(() -> NftMonitor.changes(events::add))) {
      load();
      await()
          .atMost(LIMIT)
          .until(() -> events.stream().anyMatch(e -> e instanceof NftEvent.Committed));
      assertThat(events)
          .contains(
              new NftEvent.Changed(TABLE, NftEvent.ObjectKind.TABLE, "", false, nftables.port()))
          .filteredOn(e -> e instanceof NftEvent.Changed)
          .allSatisfy(e -> assertThat(((NftEvent.Changed) e).port()).isEqualTo(nftables.port()))
          .anySatisfy(
              e -> assertThat(((NftEvent.Changed) e).what()).isEqualTo(NftEvent.ObjectKind.ELEMENT))
          .filteredOn(e -> ((NftEvent.Changed) e).what() != NftEvent.ObjectKind.TABLE)
          .allSatisfy(e -> assertThat(((NftEvent.Changed) e).name()).isNotEmpty());
      events.clear();
      assertThat(
              CommandRunner.inside(namespace, LIMIT)
                  .run("", List.of("nft", "flush", "ruleset"))
                  .exit())
          .isZero();
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  events.stream()
                      .anyMatch(
                          e ->
                              e instanceof NftEvent.Changed changed
                                  && changed.what() == NftEvent.ObjectKind.TABLE
                                  && changed.deleted()
                                  && changed.port() != nftables.port()));
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  events.stream()
                      .anyMatch(
                          e ->
                              e instanceof NftEvent.Committed committed
                                  && committed.processName().equals("nft")));
      assertThat(monitor).isNotNull();
    }
  }

  @Test
  void anElementIsReplacedInOneTransactionAndItsCounterGoesOn() {
    load();
    SetElement before = front("0a600001" + "06000000" + "00500000", 3, "shop/cart:http");
    SetElement after =
        front("0a600001" + "06000000" + "00500000", 4, "shop/cart:http").counting(17, 1234);
    nftables
        .transaction()
        .deleteElements(TABLE, FRONTS, List.of(before))
        .addElements(TABLE, FRONTS, List.of(after))
        .commit();
    assertThat(nftables.element(TABLE, FRONTS, before.key())).contains(after);
    assertThat(nftables.element(TABLE, FRONTS, NftData.ofHex("0a60000106000000005f0000")))
        .isEmpty();
  }

  @Test
  void deletingTheTableLeavesForeignOnes() {
    load();
    CommandRunner tool = CommandRunner.inside(namespace, LIMIT);
    assertThat(tool.run("", List.of("nft", "add", "table", "ip", "foreign")).exit()).isZero();
    nftables.transaction().deleteTable(TABLE).commit();
    assertThat(nftables.tables(NftFamily.IP)).containsExactly(new Table(NftFamily.IP, "foreign"));
  }
}
