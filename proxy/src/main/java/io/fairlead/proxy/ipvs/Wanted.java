package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import java.util.List;

/// A virtual server with the real servers it shall have.
record Wanted(VirtualServer server, List<RealServer> reals) {
  Wanted {
    reals = List.copyOf(reals);
  }
}
