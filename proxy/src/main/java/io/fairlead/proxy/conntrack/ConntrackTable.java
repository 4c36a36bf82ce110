package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The connections a kernel remembers.
public interface ConntrackTable {

  /// One UDP conversation.
  ///
  /// @param destination where its first packet was sent
  /// @param replySource who answers: the endpoint after translation
  /// @param handle what names it when it is to be forgotten
  record UdpFlow(Socket destination, Socket replySource, Object handle) {}

  /// An address with a port.
  record Socket(IpAddress address, int port) {}

  /// Conversations that have something in common.
  ///
  /// @param destination where the first packet was sent; null for any address
  /// @param port where it was sent
  /// @param replySource who answers; null for anyone
  /// @param translated only those whose destination was replaced
  record FlowPattern(
      @Nullable IpAddress destination,
      int port,
      @Nullable Socket replySource,
      boolean translated) {}

  /// Deletes the entries of UDP conversations by patterns, where the table can do that by itself:
  /// at once, without being read. Others delete nothing.
  ///
  /// @return how many fewer conversations there are now; about as many as were deleted
  default int forgetAll(IpAddress.Family family, List<FlowPattern> patterns) {
    return 0;
  }

  /// All UDP conversations of a family.
  List<UdpFlow> udpFlows(IpAddress.Family family);

  /// Deletes entries, so that rules decide about the next packet of their conversations.
  ///
  /// @return how many were there
  int forget(List<UdpFlow> flows);
}
