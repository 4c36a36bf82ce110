package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What turns a virtual server as it is into the one wanted. Pure but for the question which real
/// servers have connections, which is asked only when one goes.
///
/// A real server of TCP that has connections is not deleted: with weight 0 it gets no new ones, and
/// is looked at again later. Datagrams have no connection to wait for.
final class ServerDifference {
  private static final int TCP = 6;

  private final List<IpvsChange> additions = new ArrayList<>();
  private final List<IpvsChange> removals = new ArrayList<>();

  /// What to do before addresses are bound.
  List<IpvsChange> additions() {
    return additions;
  }

  /// What to do after addresses are taken away.
  List<IpvsChange> removals() {
    return removals;
  }

  /// Compares one.
  ///
  /// @param busy the real servers that have connections
  void add(
      VirtualServerAddress endpoint,
      @Nullable DesiredVirtualServer wanted,
      InstalledIpvsState.@Nullable Server there,
      Supplier<Set<RealServer>> busy) {
    if (wanted == null) {
      if (there != null) {
        removals.add(new IpvsChange.DeleteServer(endpoint));
      }
      return;
    }
    VirtualServer server = wanted.server();
    if (there == null) {
      additions.add(new IpvsChange.AddServer(server));
    } else if (!there.server().equals(server)) {
      additions.add(new IpvsChange.SetServer(server));
    }
    Map<RealServer, RealServer> present = new LinkedHashMap<>();
    if (there != null) {
      there.reals().forEach(real -> present.put(place(real), real));
    }
    for (RealServer real : wanted.reals()) {
      RealServer same = present.remove(place(real));
      if (same == null) {
        additions.add(new IpvsChange.AddReal(server, real));
      } else if (same.weight() != real.weight()) {
        additions.add(new IpvsChange.SetReal(server, real));
      }
    }
    present.values().forEach(real -> removals(server, real, busy));
  }

  /// The same for real servers that differ only in weight.
  private static RealServer place(RealServer real) {
    return real.withWeight(0);
  }

  private void removals(VirtualServer server, RealServer real, Supplier<Set<RealServer>> busy) {
    boolean waits =
        server.endpoint().protocol() == TCP && busy.get().stream().anyMatch(real::samePlace);
    if (!waits) {
      removals.add(new IpvsChange.DeleteReal(server, real));
    } else if (real.weight() != 0) {
      removals.add(new IpvsChange.SetReal(server, real.withWeight(0)));
    }
  }
}
