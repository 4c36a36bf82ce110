package io.fairlead.kernel.nftables;

import org.jspecify.annotations.Nullable;

/// Something about nftables that happened in the namespace.
public sealed interface NftEvent {

  /// Objects of a table were made or deleted.
  ///
  /// @param name of the chain or set, also of the one that a rule or an element is in; empty for
  ///   other objects
  /// @param port whose connection did it, see {@link Nftables#port}
  record Changed(Table table, ObjectKind what, String name, boolean deleted, int port)
      implements NftEvent {}

  /// The end of a transaction.
  ///
  /// @param generation counts transactions
  /// @param process which process did it
  /// @param processName its name
  record Committed(int generation, int process, String processName, int port) implements NftEvent {}

  /// Events were lost because they were not read in time: anything may have happened.
  record Lost() implements NftEvent {}

  /// A packet that is traced met a rule, or the end of a chain.
  ///
  /// @param packet distinguishes packets that are on their way at once; see [TracedPacket] for
  ///   those that follow each other
  /// @param type `rule`, `return` or `policy`
  /// @param rule the handle of the rule, 0 at the end of a chain
  /// @param verdict for `policy` what the chain's policy says
  /// @param inputInterface its number, 0 where the packet came in by none
  /// @param outputInterface its number, 0 before it is known
  /// @param networkHeader empty but in the first event of each base chain
  /// @param connection what conntrack knows of it; null before its hook, and on kernels that do not
  ///   report it
  record Traced(
      Table table,
      String chain,
      long rule,
      int packet,
      String type,
      NftVerdict verdict,
      int mark,
      int inputInterface,
      int outputInterface,
      NftData networkHeader,
      NftData transportHeader,
      @Nullable TracedConnection connection)
      implements NftEvent {}

  /// A packet's connection.
  ///
  /// @param id of the tracked connection
  /// @param reply whether the packet goes against the direction of the first one
  /// @param status bits of `IPS_...`
  record TracedConnection(int id, boolean reply, int status) {}

  /// What kind of object.
  enum ObjectKind {
    TABLE,
    CHAIN,
    RULE,
    SET,
    ELEMENT,
    OTHER
  }
}
