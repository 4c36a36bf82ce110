package io.fairlead.proxy.testing;

import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.IpvsChangeFailure;
import io.fairlead.kernel.ipvs.IpvsStatistics;
import io.fairlead.kernel.ipvs.IpvsTimeouts;
import io.fairlead.kernel.ipvs.ListedRealServer;
import io.fairlead.kernel.ipvs.ListedVirtualServer;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.proxy.ipvs.VirtualServers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The kernel's load balancer in memory: refuses what the kernel refuses, and carries no packets.
public final class FakeVirtualServers implements VirtualServers {
  private static final IpvsStatistics NO_TRAFFIC = new IpvsStatistics(0, 0, 0, 0, 0);

  private static final class Server {
    private VirtualServer settings;
    private final Map<RealServer, RealServer> reals = new LinkedHashMap<>();

    Server(VirtualServer settings) {
      this.settings = settings;
    }
  }

  private final Map<VirtualServerAddress, Server> servers = new LinkedHashMap<>();
  private final Map<RealServer, Integer> connections = new HashMap<>();
  private final Set<String> schedulers;
  private final List<IpvsChange> made = new ArrayList<>();
  private IpvsTimeouts timeouts = new IpvsTimeouts(900, 120, 300);

  /// @param schedulers those it knows
  public FakeVirtualServers(Set<String> schedulers) {
    this.schedulers = Set.copyOf(schedulers);
  }

  /// Lets a real server, of whatever virtual server, have some connections.
  public void connect(RealServer real, int count) {
    connections.put(place(real), count);
  }

  /// The changes made since the last call.
  public List<IpvsChange> takeMade() {
    List<IpvsChange> taken = List.copyOf(made);
    made.clear();
    return taken;
  }

  /// Forgets everything, as `ipvsadm -C` does.
  public void flush() {
    servers.clear();
  }

  @Override
  public List<ListedVirtualServer> servers() {
    return servers.values().stream()
        .map(server -> new ListedVirtualServer(server.settings, NO_TRAFFIC))
        .toList();
  }

  @Override
  public List<ListedRealServer> realServers(VirtualServerAddress endpoint) {
    Server server = servers.get(endpoint);
    return server == null
        ? List.of()
        : server.reals.values().stream()
            .map(
                real ->
                    new ListedRealServer(
                        real, connections.getOrDefault(place(real), 0), 0, 0, NO_TRAFFIC))
            .toList();
  }

  @Override
  public List<IpvsChangeFailure> apply(List<? extends IpvsChange> changes) {
    List<IpvsChangeFailure> refusals = new ArrayList<>();
    for (IpvsChange change : changes) {
      Errno errno = apply(change);
      if (errno.equals(Errno.NONE)) {
        made.add(change);
      } else {
        refusals.add(new IpvsChangeFailure(change, errno, ""));
      }
    }
    return refusals;
  }

  private Errno apply(IpvsChange change) {
    Server there = servers.get(change.endpoint());
    return switch (change) {
      case IpvsChange.AddServer(VirtualServer server) -> {
        if (there != null) {
          yield Errno.EEXIST;
        }
        if (!schedulers.contains(server.scheduler())) {
          yield Errno.ENOENT;
        }
        servers.put(server.endpoint(), new Server(server));
        yield Errno.NONE;
      }
      case IpvsChange.SetServer(VirtualServer server) -> {
        if (there == null) {
          yield Errno.ESRCH;
        }
        if (!schedulers.contains(server.scheduler())) {
          yield Errno.ENOENT;
        }
        there.settings = server;
        yield Errno.NONE;
      }
      case IpvsChange.DeleteServer(VirtualServerAddress endpoint) ->
          servers.remove(endpoint) == null ? Errno.ESRCH : Errno.NONE;
      case IpvsChange.AddReal(VirtualServer _, RealServer real) -> real(there, real, true);
      case IpvsChange.SetReal(VirtualServer _, RealServer real) -> real(there, real, false);
      case IpvsChange.DeleteReal(VirtualServer _, RealServer real) ->
          there == null
              ? Errno.ESRCH
              : there.reals.remove(place(real)) == null ? Errno.ENOENT : Errno.NONE;
    };
  }

  private static Errno real(@Nullable Server there, RealServer real, boolean fresh) {
    if (there == null) {
      return Errno.ESRCH;
    }
    if (there.reals.containsKey(place(real)) == fresh) {
      return fresh ? Errno.EEXIST : Errno.ENOENT;
    }
    there.reals.put(place(real), real);
    return Errno.NONE;
  }

  private static RealServer place(RealServer real) {
    return real.withWeight(0);
  }

  @Override
  public IpvsTimeouts timeouts() {
    return timeouts;
  }

  @Override
  public void setTimeouts(IpvsTimeouts other) {
    timeouts =
        new IpvsTimeouts(
            other.tcp() == 0 ? timeouts.tcp() : other.tcp(),
            other.tcpFin() == 0 ? timeouts.tcpFin() : other.tcpFin(),
            other.udp() == 0 ? timeouts.udp() : other.udp());
  }

  @Override
  public void close() {}
}
