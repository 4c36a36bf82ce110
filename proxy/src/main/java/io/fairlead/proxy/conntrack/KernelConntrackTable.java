package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.conntrack.Conntrack;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackFilter;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.proxy.node.SysctlFiles;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The kernel's own table, in the network namespace of the calling thread.
public final class KernelConntrackTable implements ConntrackTable {
  private static final SysctlFiles SYSCTLS = new SysctlFiles(Path.of("/proc/sys"));
  private static final String COUNT = "net/netfilter/nf_conntrack_count";

  @Override
  public int forgetAll(IpAddress.Family family, List<FlowPattern> patterns) {
    int before = SYSCTLS.read(COUNT, 0);
    try (Conntrack conntrack = Conntrack.open()) {
      for (FlowPattern pattern : patterns) {
        // What the kernel cannot forget that way is found when the table is read.
        boolean _ = conntrack.deleteAll(number(family), filter(pattern));
      }
    }
    // The kernel does not say how many it was.
    return Math.max(0, before - SYSCTLS.read(COUNT, 0));
  }

  private static ConntrackFilter filter(FlowPattern pattern) {
    Socket reply = pattern.replySource();
    return new ConntrackFilter(
        address(pattern.destination()),
        ConntrackTuple.UDP,
        pattern.port(),
        reply == null ? null : address(reply.address()),
        reply == null ? 0 : reply.port(),
        pattern.translated() ? ConntrackFilter.DESTINATION_TRANSLATED : 0);
  }

  private static @Nullable InetAddress address(@Nullable IpAddress address) {
    return address == null ? null : InetAddress.ofLiteral(address.toString());
  }

  private static int number(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 ? Conntrack.IPV4 : Conntrack.IPV6;
  }

  @Override
  public List<UdpFlow> udpFlows(IpAddress.Family family) {
    int number = number(family);
    List<UdpFlow> flows = new ArrayList<>();
    try (Conntrack conntrack = Conntrack.open()) {
      for (ConntrackEntry entry : conntrack.list(number, ConntrackTuple.UDP, _ -> true)) {
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
  public int forget(List<UdpFlow> flows) {
    List<ConntrackEntry> entries = new ArrayList<>();
    for (UdpFlow flow : flows) {
      if (flow.handle() instanceof ConntrackEntry entry) {
        entries.add(entry);
      }
    }
    try (Conntrack conntrack = Conntrack.open()) {
      return conntrack.delete(entries);
    }
  }

  private static Socket socket(InetAddress address, int port) {
    return new Socket(IpAddress.ofBytes(address.getAddress()), port);
  }
}
