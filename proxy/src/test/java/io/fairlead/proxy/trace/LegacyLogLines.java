package io.fairlead.proxy.trace;

import io.fairlead.kernel.nftables.LoggedPacket;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What legacy tables with one Service of three endpoints log of a traced packet.
final class LegacyLogLines {
  private static final Map<String, List<String>> RULES =
      Map.of(
          "nat PREROUTING",
          List.of("-A PREROUTING -j KUBE-SERVICES"),
          "nat KUBE-SERVICES",
          List.of("-A KUBE-SERVICES -d 10.0.1.175/32 -j KUBE-SVC-ODX2UBAZM7RQWOIU"),
          "nat KUBE-SVC-ODX2UBAZM7RQWOIU",
          List.of(
              "-A KUBE-SVC-ODX2UBAZM7RQWOIU ! -s 10.244.0.0/16 -j KUBE-MARK-MASQ",
              "-A KUBE-SVC-ODX2UBAZM7RQWOIU -m statistic --mode random --probability 0.33333333349"
                  + " -j KUBE-SEP-1",
              "-A KUBE-SVC-ODX2UBAZM7RQWOIU -m statistic --mode random --probability 0.50000000000"
                  + " -j KUBE-SEP-2",
              "-A KUBE-SVC-ODX2UBAZM7RQWOIU -j KUBE-SEP-3"),
          "filter KUBE-SERVICES",
          List.of(
              "-A KUBE-SERVICES -d 10.0.1.175/32 -j REJECT --reject-with icmp-port-unreachable"));

  private LegacyLogLines() {}

  /// @param lines `nat:KUBE-SERVICES:rule:1`
  static TraceEvidence.LegacyLog logged(InetAddress client, InetAddress front, String... lines) {
    return new TraceEvidence.LegacyLog(
        Stream.of(lines)
            .map(line -> new LoggedPacket("TRACE: " + line + " ", client, front, 6, 41873, 80))
            .toList(),
        RULES);
  }
}
