package io.fairlead.proxy.announce;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.proxy.bgp.BgpConfiguration;
import io.fairlead.proxy.bgp.BgpEngine;
import io.fairlead.proxy.bgp.BgpPassword;
import io.fairlead.proxy.bgp.BgpSession;
import io.fairlead.proxy.bgp.BgpSessionState;
import io.fairlead.proxy.bgp.BgpSpeaker;
import io.fairlead.work.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The half of an announcer that talks to routers: has the engine follow what [RoutePlanner] says.
/// Owned by the announcer's thread.
final class RouteAnnouncer implements AutoCloseable {
  private static final String PASSWORD = "password";

  private final BgpSpeaker speaker;
  private RoutePlanner.Plan plan = new RoutePlanner.Plan(BgpConfiguration.NONE, new TreeSet<>());
  private volatile boolean ended;

  RouteAnnouncer(BgpEngine engine, Client client, AnnouncerEvents events, Ticker ticker) {
    this.speaker =
        new BgpSpeaker(
            engine,
            secret -> password(client, secret),
            new BgpSpeaker.SessionListener() {
              @Override
              public void up(BgpSession session) {
                events.peerUp(session);
              }

              @Override
              public void down(BgpSession session, BgpSessionState state) {
                events.peerDown(session, state);
              }
            },
            ticker);
  }

  /// Whether there is anything to tell a router, or was.
  static boolean isNeeded(LoadBalancerPools pools) {
    return pools.usable().stream().anyMatch(pool -> pool.announcement() == Announcement.BGP);
  }

  /// Has routers hear of what this node carries.
  ///
  /// @param node this one; nothing changes while it is not known
  void follow(
      @Nullable AnnouncerNode node,
      Map<IpAddress, BalancerAddresses.Carried> carried,
      LoadBalancerPools pools) {
    if (node != null && !ended) {
      plan = RoutePlanner.plan(node, carried, pools);
      speaker.show(plan.configuration());
    }
  }

  /// The addresses that routers hear of.
  SortedSet<IpAddress> routed() {
    return plan.routed();
  }

  /// Each router with the state of its session, `Established`.
  SortedMap<String, String> peers() {
    SortedMap<String, String> peers = new TreeMap<>();
    speaker.states().forEach((name, state) -> peers.put(name, state.toString()));
    return peers;
  }

  /// Each router and whether its session is up.
  Map<String, BgpSessionState> sessions() {
    return speaker.states();
  }

  private static Optional<BgpPassword> password(Client client, String secret) {
    int slash = secret.indexOf('/');
    ObjectKey key = new ObjectKey(secret.substring(0, slash), secret.substring(slash + 1));
    return client
        .find(ResourceType.SECRETS, key)
        .map(object -> Json.textOr(object, "", "data", PASSWORD))
        .flatMap(RouteAnnouncer::decoded);
  }

  private static Optional<BgpPassword> decoded(String base64) {
    try {
      // An editor's line feed at the end is no part of it.
      String text =
          new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8).stripTrailing();
      return BgpPassword.of(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// Withdraws everything.
  @Override
  public void close() {
    ended = true;
    speaker.close();
  }

  /// Ends and lets the engine go on, as a process that is killed does.
  void abandon() {
    ended = true;
    speaker.abandon();
  }
}
