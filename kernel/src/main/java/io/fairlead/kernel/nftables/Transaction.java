package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.NetfilterBatch;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Supplier;

/// Changes that take effect together or not at all. Packets see either the state before or the
/// state after.
///
/// Made by {@link Nftables#transaction}; one at a time, owned by the thread that made it. Adding
/// something that is there is fine unless said otherwise; deleting what is not there makes the
/// whole transaction fail.
public final class Transaction {
  /// A list of elements is one attribute, whose length is a 16-bit number; a single element is at
  /// most about a thousand bytes.
  private static final int MAX_LIST = 60_000;

  private static final int ADD = NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_CREATE;
  private static final int SHOWN = 3;

  private final NetfilterBatch batch;
  private final NetlinkMessageWriter out;
  private final ExpressionWriter expressions;
  private int changes;
  private int setNumber;

  Transaction(NetfilterBatch batch) {
    this.batch = batch;
    this.out = batch.writer();
    this.expressions = new ExpressionWriter(out);
  }

  /// How many objects and elements were added or deleted so far.
  public int changes() {
    return changes;
  }

  /// How many bytes of messages there are so far.
  public int size() {
    return batch.size();
  }

  /// Makes {@link #commit} fail, with errno ERESTART, when anybody changed anything since that
  /// generation. Must come first.
  public Transaction onlyAfter(int generation) {
    batch.onlyAfter(generation);
    return this;
  }

  public Transaction addTable(Table table, String comment) {
    return addTable(table, 0, comment);
  }

  /// Adds a table that only this connection may change, and that stays when the connection ends;
  /// one without an owner is taken over. Kernels before 6.9 refuse.
  public Transaction addOwnTable(Table table, String comment) {
    return addTable(table, NftConstants.TABLE_OWNER | NftConstants.TABLE_PERSIST, comment);
  }

  /// Adds a table that only this connection may change and that goes when the connection ends,
  /// however it ends. Fails when there is one of that name that another connection owns.
  public Transaction addTransientTable(Table table, String comment) {
    return addTable(table, NftConstants.TABLE_OWNER, comment);
  }

  private Transaction addTable(Table table, int flags, String comment) {
    int start = begin(NftConstants.NEW_TABLE, ADD, table, () -> "add table " + table);
    out.string(NftConstants.TABLE_NAME, table.name());
    out.be32(NftConstants.TABLE_FLAGS, flags);
    comment(NftConstants.TABLE_USERDATA, Userdata.COMMENT, comment);
    out.end(start);
    return this;
  }

  /// Deletes a table with everything in it.
  public Transaction deleteTable(Table table) {
    int start =
        begin(
            NftConstants.DELETE_TABLE,
            NetlinkConstants.FLAG_REQUEST,
            table,
            () -> "delete table " + table);
    out.string(NftConstants.TABLE_NAME, table.name());
    out.end(start);
    return this;
  }

  /// Adds a chain without rules. A base chain accepts what its rules let through.
  public Transaction addChain(Table table, Chain chain) {
    int start =
        begin(NftConstants.NEW_CHAIN, ADD, table, () -> "add chain " + table + " " + chain.name());
    out.string(NftConstants.CHAIN_TABLE, table.name());
    out.string(NftConstants.CHAIN_NAME, chain.name());
    Hook hook = chain.hook();
    if (hook != null) {
      int nest = out.nest(NftConstants.CHAIN_HOOK);
      out.be32(NftConstants.HOOK_NUMBER, hook.number());
      out.be32(NftConstants.HOOK_PRIORITY, hook.priority());
      out.close(nest);
      out.be32(NftConstants.CHAIN_POLICY, NftVerdict.ACCEPT.code());
      out.string(NftConstants.CHAIN_TYPE, hook.type());
    }
    comment(NftConstants.CHAIN_USERDATA, Userdata.COMMENT, chain.comment());
    out.end(start);
    return this;
  }

  /// Deletes a chain with its rules; nothing may refer to it any more.
  public Transaction deleteChain(Table table, String chain) {
    return namedChain(NftConstants.DELETE_CHAIN, table, chain, "delete chain ");
  }

  /// Deletes all rules of a chain; the chain stays.
  public Transaction flushChain(Table table, String chain) {
    int start =
        begin(
            NftConstants.DELETE_RULE,
            NetlinkConstants.FLAG_REQUEST,
            table,
            () -> "flush chain " + table + " " + chain);
    out.string(NftConstants.RULE_TABLE, table.name());
    out.string(NftConstants.RULE_CHAIN, chain);
    out.end(start);
    return this;
  }

  private Transaction namedChain(int operation, Table table, String chain, String verb) {
    int start =
        begin(operation, NetlinkConstants.FLAG_REQUEST, table, () -> verb + table + " " + chain);
    out.string(NftConstants.CHAIN_TABLE, table.name());
    out.string(NftConstants.CHAIN_NAME, chain);
    out.end(start);
    return this;
  }

  /// Adds a rule at the end of a chain.
  public Transaction addRule(Table table, String chain, NftRule rule) {
    int start =
        begin(
            NftConstants.NEW_RULE,
            ADD | NetlinkConstants.FLAG_APPEND,
            table,
            () -> "add rule " + table + " " + chain + " " + rule);
    out.string(NftConstants.RULE_TABLE, table.name());
    out.string(NftConstants.RULE_CHAIN, chain);
    int list = out.nest(NftConstants.RULE_EXPRESSIONS);
    for (Expression expression : rule.expressions()) {
      int element = out.nest(NftConstants.LIST_ELEMENT);
      expressions.write(expression);
      out.close(element);
    }
    out.close(list);
    comment(NftConstants.RULE_USERDATA, Userdata.COMMENT, rule.comment());
    out.end(start);
    return this;
  }

  /// Adds an empty set or map. One of the same name but another make is an error.
  public Transaction addSet(Table table, SetSpecification set) {
    int start =
        begin(NftConstants.NEW_SET, ADD, table, () -> "add set " + table + " " + set.name());
    out.string(NftConstants.SET_TABLE, table.name());
    out.string(NftConstants.SET_NAME, set.name());
    out.be32(NftConstants.SET_FLAGS, SetFlags.of(set));
    out.be32(NftConstants.SET_KEY_TYPE, SetSpecification.typeNumber(set.key()));
    out.be32(NftConstants.SET_KEY_LENGTH, set.keyLength());
    if (set.verdicts()) {
      out.be32(NftConstants.SET_DATA_TYPE, NftConstants.VERDICT_TYPE);
      out.be32(NftConstants.SET_DATA_LENGTH, 0);
    } else if (set.isMap()) {
      out.be32(NftConstants.SET_DATA_TYPE, SetSpecification.typeNumber(set.value()));
      out.be32(NftConstants.SET_DATA_LENGTH, set.valueLength());
    }
    out.be32(NftConstants.SET_ID, ++setNumber);
    description(set);
    if (set.timeoutMillis() > 0) {
      out.be64(NftConstants.SET_TIMEOUT, set.timeoutMillis());
    }
    byte[] userdata = Userdata.of(set);
    if (userdata.length > 0) {
      out.bytes(NftConstants.SET_USERDATA, userdata);
    }
    if (set.counter()) {
      int nest = out.nest(NftConstants.SET_EXPRESSION);
      expressions.write(new Expression.Counter(0, 0));
      out.close(nest);
    }
    out.end(start);
    return this;
  }

  private void description(SetSpecification set) {
    boolean ranges = set.interval() && set.key().size() > 1;
    if (!ranges && set.size() == 0) {
      return;
    }
    int nest = out.nest(NftConstants.SET_DESCRIPTION);
    if (set.size() > 0) {
      out.be32(NftConstants.DESCRIPTION_SIZE, set.size());
    }
    if (ranges) {
      int fields = out.nest(NftConstants.DESCRIPTION_CONCATENATION);
      for (DataType type : set.key()) {
        int field = out.nest(NftConstants.LIST_ELEMENT);
        out.be32(NftConstants.FIELD_LENGTH, type.length());
        out.close(field);
      }
      out.close(fields);
    }
    out.close(nest);
  }

  /// Deletes a set or map; no rule may refer to it any more.
  public Transaction deleteSet(Table table, String set) {
    int start =
        begin(
            NftConstants.DELETE_SET,
            NetlinkConstants.FLAG_REQUEST,
            table,
            () -> "delete set " + table + " " + set);
    out.string(NftConstants.SET_TABLE, table.name());
    out.string(NftConstants.SET_NAME, set);
    out.end(start);
    return this;
  }

  /// Adds elements. One that is there with the same value is fine, with another value an error.
  public Transaction addElements(Table table, SetSpecification set, List<SetElement> elements) {
    elements(NftConstants.NEW_ELEMENT, ADD, table, set, elements, "add");
    return this;
  }

  /// Deletes elements by their keys; one that is not there is an error.
  public Transaction deleteElements(Table table, SetSpecification set, List<SetElement> elements) {
    elements(
        NftConstants.DELETE_ELEMENT, NetlinkConstants.FLAG_REQUEST, table, set, elements, "delete");
    return this;
  }

  private void elements(
      int operation,
      int flags,
      Table table,
      SetSpecification set,
      List<SetElement> elements,
      String verb) {
    int from = 0;
    while (from < elements.size()) {
      int first = from;
      Supplier<String> object = () -> describe(verb, table, set, elements, first);
      int start = begin(operation, flags, table, object);
      changes--;
      out.string(NftConstants.ELEMENTS_TABLE, table.name());
      out.string(NftConstants.ELEMENTS_SET, set.name());
      int list = out.nest(NftConstants.ELEMENTS_LIST);
      while (from < elements.size() && out.size() - list < MAX_LIST) {
        element(elements.get(from++), operation == NftConstants.NEW_ELEMENT);
        changes++;
      }
      out.close(list);
      out.end(start);
    }
  }

  private void element(SetElement element, boolean whole) {
    int start = out.nest(NftConstants.LIST_ELEMENT);
    expressions.value(NftConstants.ELEMENT_KEY, element.key());
    if (element.keyEnd() != null) {
      expressions.value(NftConstants.ELEMENT_KEY_END, element.keyEnd());
    }
    if (element.intervalEnd()) {
      out.be32(NftConstants.ELEMENT_FLAGS, NftConstants.ELEMENT_INTERVAL_END);
    }
    if (whole) {
      if (element.value() != null) {
        expressions.value(NftConstants.ELEMENT_DATA, element.value());
      } else if (element.verdict() != null) {
        expressions.verdict(NftConstants.ELEMENT_DATA, element.verdict());
      }
      if (element.timeoutMillis() > 0) {
        out.be64(NftConstants.ELEMENT_TIMEOUT, element.timeoutMillis());
      }
      comment(NftConstants.ELEMENT_USERDATA, Userdata.COMMENT, element.comment());
      if (element.packets() >= 0) {
        int nest = out.nest(NftConstants.ELEMENT_EXPRESSION);
        expressions.write(new Expression.Counter(element.packets(), element.bytes()));
        out.close(nest);
      }
    }
    out.close(start);
  }

  private static String describe(
      String verb, Table table, SetSpecification set, List<SetElement> elements, int first) {
    StringJoiner keys = new StringJoiner(", ", " { ", " }");
    for (int i = first; i < Math.min(elements.size(), first + SHOWN); i++) {
      keys.add(SetSpecification.text(set.key(), elements.get(i).key()));
    }
    if (elements.size() > first + SHOWN) {
      keys.add("...");
    }
    return verb + " element " + table + " " + set.name() + keys;
  }

  /// Sends everything. Nothing to send is fine.
  ///
  /// @throws io.fairlead.kernel.netlink.NetlinkException naming the first object the kernel
  ///   refused; nothing took effect then
  public void commit() {
    batch.commit();
  }

  private int begin(int operation, int flags, Table table, Supplier<String> object) {
    changes++;
    return out.beginNetfilter(
        NetlinkConstants.SUBSYSTEM_NFTABLES,
        operation,
        flags,
        batch.announce(object),
        table.family().number(),
        0);
  }

  private void comment(int attribute, int type, String comment) {
    if (!comment.isEmpty()) {
      out.bytes(attribute, Userdata.comment(type, comment));
    }
  }
}
