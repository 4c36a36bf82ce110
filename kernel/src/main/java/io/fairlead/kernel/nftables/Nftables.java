package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.netlink.Messages;
import io.fairlead.kernel.netlink.NetfilterBatch;
import io.fairlead.kernel.netlink.Netlink;
import io.fairlead.kernel.netlink.NetlinkException;
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
    this.batch = new NetfilterBatch(socket, Netlink.SUBSYSTEM_NFTABLES);
  }

  /// @throws io.fairlead.kernel.syscall.SystemCallException when the kernel has no netfilter or the
  ///   caller no right to it
  public static Nftables open() {
    return new Nftables(NetlinkSocket.open(Netlink.NETFILTER));
  }

  /// Begins a transaction. The one before must have been committed.
  public Transaction transaction() {
    if (batch.messages() > 0) {
      throw new IllegalStateException("the transaction before this one was not committed");
    }
    return new Transaction(batch);
  }

  /// The number under which events name changes of this connection, see {@link Event#port}.
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
        sequence -> message(Numbers.GET_GENERATION, Netlink.FLAG_ACK, sequence, 0),
        message -> {
          var attributes = message.attributes(4);
          while (attributes.next()) {
            if (attributes.type() == Numbers.GENERATION_ID) {
              generation[0] = attributes.be32();
            }
          }
        });
    return generation[0];
  }

  /// All tables of a family.
  public List<Table> tables(Family family) {
    return dump(
        "tables of " + family.word(),
        sequence -> message(Numbers.GET_TABLE, Netlink.FLAG_DUMP, sequence, family.number()),
        (message, list) -> list.add(ObjectReader.table(message)));
  }

  /// Why the kernel takes no tables of a family; empty when it does. A kernel may know nftables and
  /// yet be built without a family.
  ///
  /// How it works: a table comes and goes in one transaction. Listing would not tell: there are no
  /// tables of a family that is left out.
  public Optional<String> refusal(Family family) {
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
            message(Numbers.GET_CHAIN, Netlink.FLAG_DUMP, sequence, table.family().number()),
        (message, list) -> {
          Chain chain = ObjectReader.chain(message, table);
          if (chain != null) {
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
              MessageWriter out = socket.writer();
              int start = begin(out, Numbers.GET_RULE, Netlink.FLAG_DUMP, sequence, table);
              out.string(Numbers.RULE_TABLE, table.name());
              out.end(start);
              return out;
            },
            (message, list) -> list.add(ObjectReader.rule(message)));
    Map<String, List<ListedRule>> byChain = new LinkedHashMap<>();
    for (ListedRule rule : rules) {
      if (rule.table().equals(table.name())) {
        byChain.computeIfAbsent(rule.chain(), _ -> new ArrayList<>()).add(rule);
      }
    }
    return byChain;
  }

  /// The sets and maps of a table, without those whose types this program does not use.
  public List<SetSpecification> sets(Table table) {
    return dump(
        "sets of " + table,
        sequence -> {
          MessageWriter out = socket.writer();
          int start = begin(out, Numbers.GET_SET, Netlink.FLAG_DUMP, sequence, table);
          out.string(Numbers.SET_TABLE, table.name());
          out.end(start);
          return out;
        },
        (message, list) -> {
          SetSpecification set = ObjectReader.set(message, table);
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
  public List<Element> elements(Table table, String set) {
    return listing(table, set).elements;
  }

  /// The same by key, in a map that is the caller's; of ranges that begin alike the last one.
  public Map<Bytes, Element> elementsByKey(Table table, String set) {
    return listing(table, set).byKey;
  }

  private record Listed(List<Element> elements, Map<Bytes, Element> byKey) {}

  private Listed listing(Table table, String set) {
    List<Bytes> before = List.of();
    for (int attempt = 0; attempt < LISTINGS; attempt++) {
      List<Element> elements = listed(table, set);
      Map<Bytes, Element> byKey = HashMap.newHashMap(elements.size());
      for (Element element : elements) {
        byKey.put(element.key(), element);
      }
      if (byKey.size() == elements.size()) {
        return new Listed(elements, byKey);
      }
      // Ranges may begin where others end: a list that stays as it is has been read right.
      List<Bytes> keys = elements.stream().map(Element::key).toList();
      if (keys.equals(before)) {
        return new Listed(elements, byKey);
      }
      before = keys;
    }
    throw new NetlinkException(
        "elements of " + table + " " + set, Errno.EINTR, "kept moving while they were listed");
  }

  private List<Element> listed(Table table, String set) {
    return dump(
        "elements of " + table + " " + set,
        sequence -> {
          MessageWriter out = socket.writer();
          int start = begin(out, Numbers.GET_ELEMENT, Netlink.FLAG_DUMP, sequence, table);
          out.string(Numbers.ELEMENTS_TABLE, table.name());
          out.string(Numbers.ELEMENTS_SET, set);
          out.end(start);
          return out;
        },
        (message, list) -> ObjectReader.elements(message, list::add));
  }

  /// One element, with its counter; empty when it is not there.
  public Optional<Element> element(Table table, SetSpecification set, Bytes key) {
    List<Element> found = new ArrayList<>();
    try {
      single(
          "element of " + table + " " + set.name(),
          sequence -> {
            MessageWriter out = socket.writer();
            int start = begin(out, Numbers.GET_ELEMENT, Netlink.FLAG_ACK, sequence, table);
            out.string(Numbers.ELEMENTS_TABLE, table.name());
            out.string(Numbers.ELEMENTS_SET, set.name());
            int list = out.nest(Numbers.ELEMENTS_LIST);
            int element = out.nest(Numbers.LIST_ELEMENT);
            new ExpressionWriter(out).value(Numbers.ELEMENT_KEY, key);
            out.close(element);
            out.close(list);
            out.end(start);
            return out;
          },
          message -> ObjectReader.elements(message, found::add));
    } catch (NetlinkException e) {
      if (e.isNotFound()) {
        return Optional.empty();
      }
      throw e;
    }
    return found.stream().findFirst();
  }

  private <T> List<T> dump(
      String object, IntFunction<MessageWriter> write, BiConsumer<Messages, List<T>> each) {
    try {
      return socket.list(object, write, each);
    } catch (NetlinkException e) {
      if (e.errno().equals(Errno.ENOENT)) {
        return List.of();
      }
      throw e;
    }
  }

  private void single(String object, IntFunction<MessageWriter> write, Consumer<Messages> each) {
    socket.dump(object, write, () -> each);
  }

  private MessageWriter message(int operation, int flags, int sequence, int family) {
    MessageWriter out = socket.writer();
    out.end(
        out.beginNetfilter(
            Netlink.SUBSYSTEM_NFTABLES,
            operation,
            Netlink.FLAG_REQUEST | flags,
            sequence,
            family,
            0));
    return out;
  }

  private static int begin(MessageWriter out, int operation, int flags, int sequence, Table table) {
    return out.beginNetfilter(
        Netlink.SUBSYSTEM_NFTABLES,
        operation,
        Netlink.FLAG_REQUEST | flags,
        sequence,
        table.family().number(),
        0);
  }

  @Override
  public void close() {
    socket.close();
  }
}
