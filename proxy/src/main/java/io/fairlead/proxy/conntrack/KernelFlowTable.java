package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.Entry;
import io.fairlead.kernel.conntrack.Tuple;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// The kernel's own table, in the network namespace of the calling thread.
public final class KernelFlowTable implements FlowTable {

  @Override
  public List<UdpFlow> udpFlows(IpAddress.Family family) {
    int number = family == IpAddress.Family.IPV4 ? Conntrack.IPV4 : Conntrack.IPV6;
    List<UdpFlow> flows = new ArrayList<>();
    try (Conntrack conntrack = Conntrack.open()) {
      for (Entry entry : conntrack.list(number, Tuple.UDP, _ -> true)) {
        flows.add(
            new UdpFlow(
                socket(entry.original().destination(), entry.original().destinationPort()),
                socket(entry.reply().source(), entry.reply().sourcePort()),
                entry));
      }
    }
    return flows;
  }

  @Override
  public boolean forget(UdpFlow flow) {
    if (!(flow.handle() instanceof Entry entry)) {
      return false;
    }
    try (Conntrack conntrack = Conntrack.open()) {
      return conntrack.delete(entry);
    }
  }

  private static Socket socket(InetAddress address, int port) {
    return new Socket(IpAddress.ofBytes(address.getAddress()), port);
  }
}
