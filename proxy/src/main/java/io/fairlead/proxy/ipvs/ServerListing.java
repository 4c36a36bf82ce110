package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.ListedRealServer;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import java.util.List;
import java.util.Locale;

/// Prints virtual servers as `ipvsadm -ln` does, whose lines people know.
final class ServerListing {
  private static final String HEADER =
      """
      Prot LocalAddress:Port Scheduler Flags
        -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
      """;

  private final StringBuilder text = new StringBuilder(HEADER);

  void add(VirtualServer server, List<ListedRealServer> reals) {
    text.append(
        "%-4s %s %s"
            .formatted(
                server.endpoint().protocolName().toUpperCase(Locale.ROOT),
                new RealServer(server.endpoint().address(), server.endpoint().port(), 0).place(),
                server.scheduler()));
    if ((server.flags() & VirtualServer.SCHEDULER_PORT) != 0) {
      text.append(" (").append(server.scheduler()).append("-port)");
    }
    if ((server.flags() & VirtualServer.PERSISTENT) != 0) {
      text.append(" persistent ").append(server.timeout());
    }
    text.append('\n');
    for (ListedRealServer real : reals) {
      text.append(
          "  -> %-28s Masq    %-6d %-10d %-10d\n"
              .formatted(
                  real.server().place(), real.server().weight(), real.active(), real.inactive()));
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
