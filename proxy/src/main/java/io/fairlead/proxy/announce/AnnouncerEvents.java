package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.proxy.bgp.BgpSession;
import io.fairlead.proxy.bgp.BgpSessionState;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells in events of Services where their addresses are. At most one event of a kind for each
/// address and minute. Owned by the announcer's thread.
final class AnnouncerEvents implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AnnouncerEvents.class);
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();
  private static final int MOST = 10_000;

  private final Client client;
  private final String node;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Map<String, Long> told = new HashMap<>();
  // Made for the first event: most nodes never announce anything.
  private volatile @Nullable EventRecorder recorder;

  AnnouncerEvents(Client client, String node, InstantSource clock, Ticker ticker) {
    this.client = client;
    this.node = node;
    this.clock = clock;
    this.ticker = ticker;
  }

  // The loop of the routers' sessions has events, too.
  private synchronized void record(ObjectEvent event) {
    EventRecorder made = recorder;
    if (made == null) {
      made = new EventRecorder(client, "fairlead-announcer", clock, ticker);
      recorder = made;
    }
    made.record(event);
  }

  void announced(IpAddress address, AddressDemand demand) {
    log.atInfo().addKeyValue("address", address).log("announces a load balancer address");
    if (mayTell("announced " + address)) {
      for (ObjectKey service : demand.services()) {
        record(
            ObjectEvent.normal(
                reference(service), "AddressAnnounced", address + " is announced by node " + node));
      }
    }
  }

  void inUse(IpAddress address, HardwareAddress by, AddressDemand demand) {
    String message = address + " is answered by " + by + ", which is no node (FL402)";
    log.atWarn()
        .addKeyValue("address", address)
        .addKeyValue("by", by)
        .log("another machine has a load balancer address");
    if (mayTell("in use " + address)) {
      for (ObjectKey service : demand.services()) {
        record(ObjectEvent.warning(reference(service), "AddressInUse", message));
      }
    }
  }

  /// A router hears this node's routes.
  void peerUp(BgpSession session) {
    String message = session.name() + " (" + session.peer().address() + "): Established";
    log.atInfo().addKeyValue("peer", session.name()).log("a BGP session is up");
    record(ObjectEvent.normal(nodeReference(), "PeerUp", message));
  }

  /// A router does not hear them any more, or never did.
  void peerDown(BgpSession session, BgpSessionState state) {
    String message = session.name() + " (" + session.peer().address() + "): " + state + " (FL408)";
    log.atWarn()
        .addKeyValue("peer", session.name())
        .addKeyValue("state", state)
        .log("a BGP session is down");
    record(ObjectEvent.warning(nodeReference(), "PeerDown", message));
  }

  private ObjectRef nodeReference() {
    return new ObjectRef(ResourceType.NODES, new ObjectKey("", node), node);
  }

  private static ObjectRef reference(ObjectKey service) {
    return new ObjectRef(ResourceType.SERVICES, service, "");
  }

  private boolean mayTell(String what) {
    long now = ticker.nanos();
    Long last = told.get(what);
    if (last != null && now - last < PAUSE) {
      return false;
    }
    if (told.size() >= MOST) {
      told.clear();
    }
    told.put(what, now);
    return true;
  }

  @Override
  public void close() {
    EventRecorder made = recorder;
    if (made != null) {
      made.close();
    }
  }
}
