package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.userspace.relay.Portal;
import io.fairlead.proxy.userspace.rules.RedirectRoute;
import io.fairlead.work.SupervisedLoop;
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

/// Deletes the kernel's entries for UDP conversations that go to listeners which are not theirs any
/// more. The loop `userspace-udp-flows` does it, in the network namespace of the thread that makes
/// this. The queue is not bounded: an entry lost would leave a client at a closed port.
final class UdpFlowCleaner implements AutoCloseable {
  static final String LOOP = "userspace-udp-flows";
  private static final Logger log = LoggerFactory.getLogger(UdpFlowCleaner.class);
  private static final Predicate<ConntrackTable.UdpFlow> STOP = _ -> false;

  private final IpAddress.Family family;
  private final ConntrackTable table;
  private final BlockingQueue<Predicate<ConntrackTable.UdpFlow>> waiting =
      new LinkedBlockingQueue<>();
  private final SupervisedLoop loop;

  UdpFlowCleaner(IpAddress.Family family, ConntrackTable table) {
    this.family = family;
    this.table = table;
    // Native calls: not for a virtual thread.
    this.loop = SupervisedLoop.of(LOOP).key(family).platform().build(this::next);
    loop.start();
  }

  /// Routes have changed.
  void changed(DestinationOwners.Changes changes) {
    Map<RedirectRoute.Destination, Set<ConntrackTable.Socket>> right = new HashMap<>();
    for (RedirectRoute route : changes.removed()) {
      if (route.destination().protocol() == Protocol.UDP) {
        right.put(route.destination(), Set.of());
      }
    }
    for (RedirectRoute route : changes.added()) {
      if (route.destination().protocol() == Protocol.UDP) {
        right.put(route.destination(), listeners(route));
      }
    }
    if (!right.isEmpty()) {
      waiting.add(flow -> isWrong(flow, right));
    }
  }

  private static Set<ConntrackTable.Socket> listeners(RedirectRoute route) {
    Set<ConntrackTable.Socket> listeners = new HashSet<>();
    if (route.way() instanceof RedirectRoute.Action.To(RedirectRoute.Socket listener)) {
      listeners.add(new ConntrackTable.Socket(listener.address(), listener.port()));
    }
    RedirectRoute.Socket inside = route.inside();
    if (inside != null) {
      listeners.add(new ConntrackTable.Socket(inside.address(), inside.port()));
    }
    return listeners;
  }

  private static boolean isWrong(
      ConntrackTable.UdpFlow flow,
      Map<RedirectRoute.Destination, Set<ConntrackTable.Socket>> right) {
    int port = flow.destination().port();
    Set<ConntrackTable.Socket> listeners =
        right.get(new RedirectRoute.Destination(flow.destination().address(), Protocol.UDP, port));
    if (listeners == null && !flow.destination().equals(flow.replySource())) {
      // Only what was translated: a conversation with another program of this node is not ours.
      listeners = right.get(new RedirectRoute.Destination(null, Protocol.UDP, port));
    }
    return listeners != null && !listeners.contains(flow.replySource());
  }

  /// These portals go, and so must what the kernel sends to them.
  void forgetAll(Set<Portal> portals) {
    Set<ConntrackTable.Socket> gone = new HashSet<>();
    for (Portal portal : portals) {
      if (portal.protocol() == Protocol.UDP) {
        gone.add(new ConntrackTable.Socket(portal.address(), portal.port()));
      }
    }
    if (!gone.isEmpty()) {
      waiting.add(flow -> gone.contains(flow.replySource()));
    }
  }

  private void next() throws InterruptedException {
    Predicate<ConntrackTable.UdpFlow> wrong = waiting.take();
    if (wrong.equals(STOP)) {
      loop.finish();
      return;
    }
    try {
      List<ConntrackTable.UdpFlow> stale = table.udpFlows(family).stream().filter(wrong).toList();
      table.forget(stale);
    } catch (RuntimeException e) {
      // The kernel refused: another attempt would not help, and later work must not wait.
      log.atWarn()
          .addKeyValue("family", family)
          .setCause(e)
          .log("stale UDP conversations were not removed");
    } catch (Error e) {
      // No answer of the kernel: the loop goes on, and this comes again after what waits.
      waiting.add(wrong);
      throw e;
    }
  }

  /// Ends when what is waiting is done.
  @Override
  public void close() {
    waiting.add(STOP);
  }
}
