package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.NetfilterBatch;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/// The nftables of one network namespace: changes them in transactions and lists what is there.
///
/// Opened in the namespace of the calling thread. Used by one thread at a time.
public final class Nftables implements AutoCloseable {
  private static final int LISTINGS = 20;
  private static final String PROBE = "fairlead-probe";

  private final NetlinkSocket socket;
  private final NetfilterBatch batch;

  Nftables(NetlinkSocket socket) {
    this.socket = socket;
    this.batch = new NetfilterBatch(socket, NetlinkConstants.SUBSYSTEM_NFTABLES);
  }

  /// @throws io.fairlead.kernel.syscall.SystemCallException when the kernel has no netfilter or the
  ///   caller no right to it
  public static Nftables open() {
    return new Nftables(NetlinkSocket.open(NetlinkConstants.NETFILTER));
  }

  /// Begins a transaction. The one before must have been committed.
  public Transaction transaction() {
    if (batch.messages() > 0) {
      throw new IllegalStateException("the transaction before this one was not committed");
    }
    return new Transaction(batch);
  }

  /// The number under which events name changes of this connection, see {@link NftEvent#port}.
  public int port() {
    return socket.port();
  }

  /// The number of the network namespace, which no other has until the next boot.
  public long namespace() {
    return socket.namespace();
  }

  /// Counts up with each change of any nftables object in the namespace.
  public int generation() {
    int[] generation = new int[1];
    single(
        "generation",
        sequence -> message(NftConstants.GET_GENERATION, NetlinkConstants.FLAG_ACK, sequence, 0),
        message -> {
          var attributes = message.attributes(4);
          while (attributes.next()) {
            if (attributes.type() == NftConstants.GENERATION_ID) {
              generation[0] = attributes.be32();
            }
          }
        });
    return generation[0];
  }

  /// All tables of a family.
  public List<Table> tables(NftFamily family) {
    return dump(
        "tables of " + family.word(),
        sequence ->
            message(NftConstants.GET_TABLE, NetlinkConstants.FLAG_DUMP, sequence, family.number()),
        (message, list) -> list.add(NftObjectReader.table(message)));
  }

  /// The tables of a family that no open connection owns: they stay until they are deleted.
  public List<Table> unownedTables(NftFamily family) {
    return dump(
        "tables of " + family.word(),
        sequence ->
            message(NftConstants.GET_TABLE, NetlinkConstants.FLAG_DUMP, sequence, family.number()),
        (message, list) -> {
          if (!NftObjectReader.isOwned(message)) {
            list.add(NftObjectReader.table(message));
          }
        });
  }

  /// Why the kernel takes no tables of a family; empty when it does. A kernel may know nftables and
  /// yet be built without a family.
  ///
  /// How it works: a table comes and goes in one transaction. Listing would not tell: there are no
  /// tables of a family that is left out.
  public Optional<String> refusal(NftFamily family) {
    Table table = new Table(family, PROBE);
    try {
      transaction().addTable(table, "").deleteTable(table).commit();
      return Optional.empty();
    } catch (SystemCallException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /// The chains of a table; none when there is no such table.
  public List<Chain> chains(Table table) {
    return dump(
        "chains of " + table,
        sequence ->
            message(
                NftConstants.GET_CHAIN,
                NetlinkConstants.FLAG_DUMP,
                sequence,
                table.family().number()),
        (message, list) -> {
          Chain chain = NftObjectReader.chain(message, table);
          if (chain != null) {
            list.add(chain);
          }
        });
  }

  /// The base chains of a table that drop what none of their rules decides about.
  public List<Chain> droppingChains(Table table) {
    return dump(
        "chains of " + table,
        sequence ->
            message(
                NftConstants.GET_CHAIN,
                NetlinkConstants.FLAG_DUMP,
                sequence,
                table.family().number()),
        (message, list) -> {
          Chain chain = NftObjectReader.chain(message, table);
          if (chain != null && NftObjectReader.dropsByDefault(message)) {
            list.add(chain);
          }
        });
  }

  /// The rules of a table by chain, in order; none when there is no such table.
  public Map<String, List<ListedRule>> rules(Table table) {
    List<ListedRule> rules =
        dump(
            "rules of " + table,
            sequence -> {
              NetlinkMessageWriter out = socket.writer();
              int start =
                  begin(out, NftConstants.GET_RULE, NetlinkConstants.FLAG_DUMP, sequence, table);
              out.string(NftConstants.RULE_TABLE, table.name());
              out.end(start);
              return out;
            },
            (message, list) -> list.add(NftObjectReader.rule(message)));
    Map<String, List<ListedRule>> byChain = new LinkedHashMap<>();
    for (ListedRule rule : rules) {
      if (rule.table().equals(table.name())) {
        byChain.computeIfAbsent(rule.chain(), _ -> new ArrayList<>()).add(rule);
      }
    }
    return byChain;
  }

  /// The rules of one chain, in order; none when there is no such chain.
  public List<ListedRule> rules(Table table, String chain) {
    return dump(
        "rules of " + table + " " + chain,
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start =
              begin(out, NftConstants.GET_RULE, NetlinkConstants.FLAG_DUMP, sequence, table);
          out.string(NftConstants.RULE_TABLE, table.name());
          out.string(NftConstants.RULE_CHAIN, chain);
          out.end(start);
          return out;
        },
        (message, list) -> {
          ListedRule rule = NftObjectReader.rule(message);
          if (rule.table().equals(table.name()) && rule.chain().equals(chain)) {
            list.add(rule);
          }
        });
  }

  /// The sets and maps of a table, without those whose types this program does not use.
  public List<SetSpecification> sets(Table table) {
    return dump(
        "sets of " + table,
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start = begin(out, NftConstants.GET_SET, NetlinkConstants.FLAG_DUMP, sequence, table);
          out.string(NftConstants.SET_TABLE, table.name());
          out.end(start);
          return out;
        },
        (message, list) -> {
          SetSpecification set = NftObjectReader.set(message, table);
          if (set != null) {
            list.add(set);
          }
        });
  }

  /// Takes a table away, if it is there.
  ///
  /// How it works: while a table goes as a whole, a packet in it can still meet a rule but no
  /// longer what the rule looks up. So it is let out first: the chains that the kernel comes in by
  /// are emptied, then the rest goes.
  ///
  /// @param entrances names of base chains; one that is not there does no harm
  public void remove(Table table, List<String> entrances) {
    try {
      if (tables(table.family()).contains(table)) {
        empty(table, entrances);
        transaction().deleteTable(table).commit();
      }
    } catch (SystemCallException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  private void empty(Table table, List<String> chains) {
    Transaction transaction = transaction();
    chains.forEach(chain -> transaction.flushChain(table, chain));
    try {
      transaction.commit();
    } catch (SystemCallException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  /// The elements of a set or map; none when it is not there.
  ///
  /// How it works: the kernel lists a set over many datagrams, and finds its place again by
  /// counting elements. While it moves them into a larger table, which it does in the background
  /// after many were added, that place is wrong: some come twice and as many are left out, and no
  /// flag says so. So a list in which something comes twice is asked for again.
  ///
  /// @throws NetlinkException when the kernel does not come to rest
  public List<SetElement> elements(Table table, String set) {
    return listing(table, set).elements;
  }

  /// The same by key, in a map that is the caller's; of ranges that begin alike the last one.
  public Map<NftData, SetElement> elementsByKey(Table table, String set) {
    return listing(table, set).byKey;
  }

  private record Listed(List<SetElement> elements, Map<NftData, SetElement> byKey) {}

  private Listed listing(Table table, String set) {
    List<NftData> before = List.of();
    for (int attempt = 0; attempt < LISTINGS; attempt++) {
      List<SetElement> elements = listed(table, set);
      Map<NftData, SetElement> byKey = HashMap.newHashMap(elements.size());
      for (SetElement element : elements) {
        byKey.put(element.key(), element);
      }
      if (byKey.size() == elements.size()) {
        return new Listed(elements, byKey);
      }
      // Ranges may begin where others end: a list that stays as it is has been read right.
      List<NftData> keys = elements.stream().map(SetElement::key).toList();
      if (keys.equals(before)) {
        return new Listed(elements, byKey);
      }
      before = keys;
    }
    throw new NetlinkException(
        "elements of " + table + " " + set, Errno.EINTR, "kept moving while they were listed");
  }

  private List<SetElement> listed(Table table, String set) {
    return dump(
        "elements of " + table + " " + set,
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start =
              begin(out, NftConstants.GET_ELEMENT, NetlinkConstants.FLAG_DUMP, sequence, table);
          out.string(NftConstants.ELEMENTS_TABLE, table.name());
          out.string(NftConstants.ELEMENTS_SET, set);
          out.end(start);
          return out;
        },
        (message, list) -> NftObjectReader.elements(message, list::add));
  }

  /// One element, with its counter; empty when it is not there.
  public Optional<SetElement> element(Table table, SetSpecification set, NftData key) {
    List<SetElement> found = new ArrayList<>();
    try {
      single(
          "element of " + table + " " + set.name(),
          sequence -> {
            NetlinkMessageWriter out = socket.writer();
            int start =
                begin(out, NftConstants.GET_ELEMENT, NetlinkConstants.FLAG_ACK, sequence, table);
            out.string(NftConstants.ELEMENTS_TABLE, table.name());
            out.string(NftConstants.ELEMENTS_SET, set.name());
            int list = out.nest(NftConstants.ELEMENTS_LIST);
            int element = out.nest(NftConstants.LIST_ELEMENT);
            new ExpressionWriter(out).value(NftConstants.ELEMENT_KEY, key);
            out.close(element);
            out.close(list);
            out.end(start);
            return out;
          },
          message -> NftObjectReader.elements(message, found::add));
    } catch (NetlinkException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
    return found.stream().findFirst();
  }

  private <T> List<T> dump(
      String object,
      IntFunction<NetlinkMessageWriter> write,
      BiConsumer<NetlinkMessageReader, List<T>> each) {
    try {
      return socket.list(object, write, each);
    } catch (NetlinkException e) {
      if (e.errno().equals(Errno.ENOENT)) {
        return List.of();
      }
      throw e;
    }
  }

  private void single(
      String object, IntFunction<NetlinkMessageWriter> write, Consumer<NetlinkMessageReader> each) {
    socket.dump(object, write, () -> each);
  }

  private NetlinkMessageWriter message(int operation, int flags, int sequence, int family) {
    NetlinkMessageWriter out = socket.writer();
    out.end(
        out.beginNetfilter(
            NetlinkConstants.SUBSYSTEM_NFTABLES,
            operation,
            NetlinkConstants.FLAG_REQUEST | flags,
            sequence,
            family,
            0));
    return out;
  }

  private static int begin(
      NetlinkMessageWriter out, int operation, int flags, int sequence, Table table) {
    return out.beginNetfilter(
        NetlinkConstants.SUBSYSTEM_NFTABLES,
        operation,
        NetlinkConstants.FLAG_REQUEST | flags,
        sequence,
        table.family().number(),
        0);
  }

  @Override
  public void close() {
    socket.close();
  }
}
