package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import java.util.List;

/// The connections a kernel remembers.
public interface FlowTable {

  /// One UDP conversation.
  ///
  /// @param destination where its first packet was sent
  /// @param replySource who answers: the endpoint after translation
  /// @param handle what names it when it is to be forgotten
  record UdpFlow(Socket destination, Socket replySource, Object handle) {}

  /// An address with a port.
  record Socket(IpAddress address, int port) {}

  /// All UDP conversations of a family.
  List<UdpFlow> udpFlows(IpAddress.Family family);

  /// Makes the kernel forget a conversation, so that its next packet is decided anew. False when it
  /// had forgotten it already.
  boolean forget(UdpFlow flow);
}
