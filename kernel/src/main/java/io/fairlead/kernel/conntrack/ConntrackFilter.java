package io.fairlead.kernel.conntrack;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// Which entries of the table the kernel lists. With a large table this is what makes a listing
/// cheap: what is not wanted never leaves the kernel.
///
/// @param destination of the original direction; null for any
/// @param protocol the number in the IP header, 0 for all
/// @param destinationPort of the original direction, 0 for any; needs a protocol
/// @param replySource who answers; null for anyone
/// @param replySourcePort where they answer from, 0 for any; needs a protocol
/// @param status bits of `IPS_...` that must be set
public record ConntrackFilter(
    @Nullable InetAddress destination,
    int protocol,
    int destinationPort,
    @Nullable InetAddress replySource,
    int replySourcePort,
    int status) {

  /// Everything.
  public static final ConntrackFilter ALL = new ConntrackFilter(null, 0, 0, 0);

  /// `IPS_DST_NAT`: connections whose destination was replaced.
  public static final int DESTINATION_TRANSLATED = 0x20;

  public ConntrackFilter {
    if ((destinationPort != 0 || replySourcePort != 0) && protocol == 0) {
      throw new IllegalArgumentException("a port is one of a protocol");
    }
  }

  /// Of flows to any endpoint.
  public ConntrackFilter(
      @Nullable InetAddress destination, int protocol, int destinationPort, int status) {
    this(destination, protocol, destinationPort, null, 0, status);
  }

  /// Entries of a protocol; 0 for all.
  public static ConntrackFilter protocol(int protocol) {
    return new ConntrackFilter(null, protocol, 0, 0);
  }

  /// The same question for kernels that do not filter.
  boolean matches(ConntrackEntry entry) {
    ConntrackTuple tuple = entry.original();
    return (destination == null || destination.equals(tuple.destination()))
        && (protocol == 0 || protocol == tuple.protocol())
        && (destinationPort == 0 || destinationPort == tuple.destinationPort())
        && (replySource == null || replySource.equals(entry.reply().source()))
        && (replySourcePort == 0 || replySourcePort == entry.reply().sourcePort())
        && (entry.status() & status) == status;
  }
}
