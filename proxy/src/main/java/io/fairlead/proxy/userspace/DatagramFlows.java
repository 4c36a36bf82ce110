package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.FlowTable;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.userspace.relay.Portal;
import io.fairlead.proxy.userspace.rules.Route;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes the kernel forget UDP conversations that go to listeners which are not theirs any more. On
/// a thread of its own, in the network namespace of the thread that makes this. The queue is not
/// bounded: an entry lost would leave a client with a closed door.
final class DatagramFlows implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DatagramFlows.class);
  private static final Predicate<FlowTable.UdpFlow> STOP = _ -> false;

  private final IpAddress.Family family;
  private final FlowTable table;
  private final BlockingQueue<Predicate<FlowTable.UdpFlow>> waiting = new LinkedBlockingQueue<>();

  DatagramFlows(IpAddress.Family family, FlowTable table) {
    this.family = family;
    this.table = table;
    // Native calls: not for a virtual thread.
    Thread.ofPlatform().daemon().name("userspace-flows-" + family).start(this::run);
  }

  /// Routes have changed.
  void changed(Claims.Changes changes) {
    Map<Route.Destination, Set<FlowTable.Socket>> right = new HashMap<>();
    for (Route route : changes.removed()) {
      if (route.destination().protocol() == Protocol.UDP) {
        right.put(route.destination(), Set.of());
      }
    }
    for (Route route : changes.added()) {
      if (route.destination().protocol() == Protocol.UDP) {
        right.put(route.destination(), listeners(route));
      }
    }
    if (!right.isEmpty()) {
      waiting.add(flow -> isWrong(flow, right));
    }
  }

  private static Set<FlowTable.Socket> listeners(Route route) {
    Set<FlowTable.Socket> listeners = new HashSet<>();
    if (route.way() instanceof Route.Way.To(Route.Socket listener)) {
      listeners.add(new FlowTable.Socket(listener.address(), listener.port()));
    }
    Route.Socket inside = route.inside();
    if (inside != null) {
      listeners.add(new FlowTable.Socket(inside.address(), inside.port()));
    }
    return listeners;
  }

  private static boolean isWrong(
      FlowTable.UdpFlow flow, Map<Route.Destination, Set<FlowTable.Socket>> right) {
    int port = flow.destination().port();
    Set<FlowTable.Socket> listeners =
        right.get(new Route.Destination(flow.destination().address(), Protocol.UDP, port));
    if (listeners == null && !flow.destination().equals(flow.replySource())) {
      // Only what was translated: a conversation with another program of this node is not ours.
      listeners = right.get(new Route.Destination(null, Protocol.UDP, port));
    }
    return listeners != null && !listeners.contains(flow.replySource());
  }

  /// These portals go, and so must what the kernel sends to them.
  void forgetAll(Set<Portal> portals) {
    Set<FlowTable.Socket> gone = new HashSet<>();
    for (Portal portal : portals) {
      if (portal.protocol() == Protocol.UDP) {
        gone.add(new FlowTable.Socket(portal.address(), portal.port()));
      }
    }
    if (!gone.isEmpty()) {
      waiting.add(flow -> gone.contains(flow.replySource()));
    }
  }

  private void run() {
    try {
      for (var wrong = waiting.take(); !wrong.equals(STOP); wrong = waiting.take()) {
        try {
          List<FlowTable.UdpFlow> found = table.udpFlows(family).stream().filter(wrong).toList();
          found.forEach(table::forget);
        } catch (RuntimeException e) {
          log.atWarn()
              .addKeyValue("family", family)
              .setCause(e)
              .log("stale UDP conversations were not removed");
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Ends when what is waiting is done.
  @Override
  public void close() {
    waiting.add(STOP);
  }
}
