package io.fairlead.kernel.nftables;

/// Something about nftables that happened in the namespace.
public sealed interface Event {

  /// Objects of a table were made or deleted.
  ///
  /// @param name of the chain or set, also of the one that a rule or an element is in; empty for
  ///   other objects
  /// @param port whose connection did it, see {@link Nftables#port}
  record Changed(Table table, What what, String name, boolean deleted, int port) implements Event {}

  /// The end of a transaction.
  ///
  /// @param generation counts transactions
  /// @param process which process did it
  /// @param processName its name
  record Committed(int generation, int process, String processName, int port) implements Event {}

  /// Events were lost because they were not read in time: anything may have happened.
  record Lost() implements Event {}

  /// A packet that is traced met a rule, or the end of a chain.
  ///
  /// @param packet tells packets apart
  /// @param type `rule`, `return` or `policy`
  /// @param rule the handle of the rule, 0 at the end of a chain
  record Traced(
      Table table,
      String chain,
      long rule,
      int packet,
      String type,
      Verdict verdict,
      int mark,
      Bytes networkHeader,
      Bytes transportHeader)
      implements Event {}

  /// What kind of object.
  enum What {
    TABLE,
    CHAIN,
    RULE,
    SET,
    ELEMENT,
    OTHER
  }
}
