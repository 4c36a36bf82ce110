package io.fairlead.dns.server;

import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.metrics.QueryStats;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.RecordType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which block of a listener answers for a name: the one with the longest zone that holds it.
/// Immutable.
final class Router {
  /// A zone and the block that serves it.
  ///
  /// @param number of the block, counted from 0
  record Route(Name zone, ServerBlockInstance block, int number, QueryStats stats) {}

  private static final int FEW = 16;

  private final ListenerKey key;
  private final List<Route> routes;
  private final Map<Name, Route> byZone = new HashMap<>();
  private final List<ServerBlockInstance> blocks;
  private final QueryStats dropped;

  private Router(
      ListenerKey key, List<Route> routes, List<ServerBlockInstance> blocks, QueryStats dropped) {
    this.key = key;
    this.routes = List.copyOf(routes);
    this.blocks = List.copyOf(blocks);
    this.dropped = dropped;
    routes.forEach(route -> byZone.put(route.zone(), route));
  }

  static Router of(
      ListenerKey key, Map<Name, ServerBlockInstance> zones, DnsServerMetrics metrics) {
    List<ServerBlockInstance> blocks = new ArrayList<>();
    List<Route> routes = new ArrayList<>();
    zones.forEach(
        (zone, block) -> {
          if (!blocks.contains(block)) {
            blocks.add(block);
          }
          QueryStats stats = metrics.stats(key.toString(), zone.toString());
          routes.add(new Route(zone, block, blocks.indexOf(block), stats));
        });
    routes.sort(Comparator.comparingInt((Route route) -> route.zone().length()).reversed());
    return new Router(key, routes, blocks, metrics.stats(key.toString(), "dropped"));
  }

  /// Two blocks cannot serve one zone at one listener.
  static SetupException clash(ServerBlockInstance block, Name zone, ListenerKey key) {
    return new SetupException(
        block.block().file(),
        block.block().line(),
        "zone " + zone + " is already served at " + key + " by another server block");
  }

  ListenerKey key() {
    return key;
  }

  List<ServerBlockInstance> blocks() {
    return blocks;
  }

  /// The counts of questions that no block answers.
  QueryStats dropped() {
    return dropped;
  }

  /// The route of a question that still lies in its packet.
  @Nullable Route route(QueryView view) {
    if (routes.size() > FEW) {
      return route(view.name(), view.type());
    }
    for (int i = 0; i < routes.size(); i++) {
      Route route = routes.get(i);
      if (view.isUnder(route.zone())) {
        return route;
      }
    }
    return null;
  }

  /// The route of a question. What a zone's parent says about its signature (DS) is asked there.
  @Nullable Route route(Name name, int type) {
    Route found = longest(name);
    if (type == RecordType.DS && found != null && found.zone().equals(name) && !name.isRoot()) {
      return Optional.ofNullable(longest(name.parent())).orElse(found);
    }
    return found;
  }

  private @Nullable Route longest(Name name) {
    for (Name at = name; ; at = at.parent()) {
      Route route = byZone.get(at);
      if (route != null || at.isRoot()) {
        return route;
      }
    }
  }
}
