package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import java.util.List;

/// A virtual server with the real servers it shall have.
record DesiredVirtualServer(VirtualServer server, List<RealServer> reals) {
  DesiredVirtualServer {
    reals = List.copyOf(reals);
  }
}
