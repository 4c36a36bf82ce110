package io.fairlead.kernel.conntrack;

import org.jspecify.annotations.Nullable;

/// A connection as the kernel tracks it.
///
/// @param original as the first packet was sent
/// @param reply as answers come: its source is where the connection really went
/// @param status bits of `IPS_...`
/// @param timeoutSeconds after how long without a packet it is forgotten
/// @param id distinguishes entries with equal tuples
/// @param zone a number space of its own, 0 by default
/// @param tcpState of `TCP_CONNTRACK_...`; 0 for other protocols
/// @param sent what went in the original direction; null where the kernel did not count
/// @param answered what came back; null where the kernel did not count
/// @param startedNanos since the epoch; 0 where the kernel did not note it
public record ConntrackEntry(
    ConntrackTuple original,
    ConntrackTuple reply,
    int status,
    int timeoutSeconds,
    int mark,
    int id,
    int zone,
    int tcpState,
    @Nullable Volume sent,
    @Nullable Volume answered,
    long startedNanos) {
  private static final int SEEN_REPLY = 0x2;
  private static final int ASSURED = 0x4;
  private static final int DESTINATION_TRANSLATED = 0x20;
  private static final int SOURCE_TRANSLATED = 0x10;

  /// `TCP_CONNTRACK_SYN_RECV`.
  public static final int SYN_RECEIVED = 2;

  /// `TCP_CONNTRACK_ESTABLISHED`.
  public static final int ESTABLISHED = 3;

  /// `TCP_CONNTRACK_LAST_ACK`: later states are those of connections that have ended.
  public static final int LAST_ACK = 6;

  /// How much went one way.
  public record Volume(long packets, long bytes) {}

  /// Whether its destination was replaced.
  public boolean destinationTranslated() {
    return (status & DESTINATION_TRANSLATED) != 0;
  }

  /// Whether its source was replaced.
  public boolean sourceTranslated() {
    return (status & SOURCE_TRANSLATED) != 0;
  }

  /// Whether an answer came.
  public boolean answeredAtAll() {
    return (status & SEEN_REPLY) != 0;
  }

  /// Whether packets went both ways often enough that the kernel keeps it when its table is full.
  public boolean assured() {
    return (status & ASSURED) != 0;
  }

  /// Whether a TCP connection is being made, is open or is being closed.
  public boolean openTcp() {
    return tcpState >= SYN_RECEIVED && tcpState <= LAST_ACK;
  }
}
