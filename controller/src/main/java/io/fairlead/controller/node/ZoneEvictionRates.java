package io.fairlead.controller.node;

import io.fairlead.controller.placement.Node;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// How quickly pods may be driven from the nodes of a zone. Where many nodes are in trouble at once
/// it is rather the network, or we, than they; then it goes slower, or not at all.
///
/// Owned by one thread.
final class ZoneEvictionRates {
  private static final double NORMAL = 0.1;
  private static final double SLOW = 0.01;
  private static final int LARGE = 50;
  private static final double MANY = 0.55;

  /// How a zone is.
  enum State {
    NORMAL,
    PARTLY_DOWN,
    DOWN
  }

  private final Ticker ticker;
  private final Map<String, Long> next = new HashMap<>();

  ZoneEvictionRates(Ticker ticker) {
    this.ticker = ticker;
  }

  static State state(int nodes, int inTrouble) {
    if (inTrouble > 0 && inTrouble == nodes) {
      return State.DOWN;
    }
    return inTrouble > 2 && inTrouble >= MANY * nodes ? State.PARTLY_DOWN : State.NORMAL;
  }

  /// Nodes per second.
  static double rate(State state, int nodes) {
    return switch (state) {
      case NORMAL, DOWN -> NORMAL;
      case PARTLY_DOWN -> nodes > LARGE ? SLOW : 0;
    };
  }

  /// Whether every node of every zone is in trouble: then no pod is evicted.
  static boolean allDown(Collection<Node> nodes) {
    return !nodes.isEmpty()
        && nodes.stream().allMatch(node -> NodeTaints.trouble(node).isPresent());
  }

  /// Whether one more node of that zone may be emptied now.
  boolean admits(String zone, Collection<Node> all) {
    long now = ticker.nanos();
    return rate(zone, all) > 0 && next.getOrDefault(zone, now) - now <= 0;
  }

  /// Counts a node of that zone that is being emptied: the next is admitted later.
  void count(String zone, Collection<Node> all) {
    double rate = rate(zone, all);
    next.put(zone, ticker.nanos() + (long) (Duration.ofSeconds(1).toNanos() / rate));
  }

  private static double rate(String zone, Collection<Node> all) {
    int nodes = 0;
    int inTrouble = 0;
    for (Node node : all) {
      if (node.zone().equals(zone)) {
        nodes++;
        inTrouble += NodeTaints.trouble(node).isPresent() ? 1 : 0;
      }
    }
    return rate(state(nodes, inTrouble), nodes);
  }
}
