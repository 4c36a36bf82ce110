package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.Change;
import io.fairlead.kernel.ipvs.Endpoint;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
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

  private final List<Change> additions = new ArrayList<>();
  private final List<Change> removals = new ArrayList<>();

  /// What to do before addresses are bound.
  List<Change> additions() {
    return additions;
  }

  /// What to do after addresses are taken away.
  List<Change> removals() {
    return removals;
  }

  /// Compares one.
  ///
  /// @param busy the real servers that have connections
  void add(
      Endpoint endpoint,
      @Nullable Wanted wanted,
      Installed.@Nullable Server there,
      Supplier<Set<RealServer>> busy) {
    if (wanted == null) {
      if (there != null) {
        removals.add(new Change.DeleteServer(endpoint));
      }
      return;
    }
    VirtualServer server = wanted.server();
    if (there == null) {
      additions.add(new Change.AddServer(server));
    } else if (!there.server().equals(server)) {
      additions.add(new Change.SetServer(server));
    }
    Map<RealServer, RealServer> present = new LinkedHashMap<>();
    if (there != null) {
      there.reals().forEach(real -> present.put(place(real), real));
    }
    for (RealServer real : wanted.reals()) {
      RealServer same = present.remove(place(real));
      if (same == null) {
        additions.add(new Change.AddReal(server, real));
      } else if (same.weight() != real.weight()) {
        additions.add(new Change.SetReal(server, real));
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
      removals.add(new Change.DeleteReal(server, real));
    } else if (real.weight() != 0) {
      removals.add(new Change.SetReal(server, real.withWeight(0)));
    }
  }
}
