package io.fairlead.agent;

import io.fairlead.agent.network.PodNetwork;
import io.fairlead.agent.routes.NodeRoutes;
import io.fairlead.agent.routes.PeerNode;
import io.fairlead.agent.routes.RouteReconciler;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.TimingSources;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Connects the pods of this node with each other, with those of other nodes and with the outside.
final class NodeNetworkSetup {
  /// What is inside the cluster.
  private record Inside(Set<Cidr> ranges, Set<IpAddress> nodes) {}

  private final AgentOptions options;
  private final List<IpAddress> addresses;
  private final NodeRoutes routes;
  private final PodNetwork network;

  /// As the rules have it; owned by the thread that follows the nodes once that runs.
  private @Nullable Inside written;

  /// @param ranges of this node's pods
  NodeNetworkSetup(AgentOptions options, List<Cidr> ranges) {
    this.options = options;
    this.addresses = options.addresses().stream().map(IpAddress::parse).toList();
    this.routes =
        new NodeRoutes(options.host(), options.network().mode(), addresses.getFirst(), ranges);
    this.network =
        new PodNetwork(
            options.host(), options.directory().resolve("network"), ranges, routes.podMtu());
  }

  PodNetwork network() {
    return network;
  }

  /// @param parts gets what must be closed
  void open(Client client, TimingSources pacing, Deque<AutoCloseable> parts) {
    Inside own = inside(List.of());
    network.prepare(own.ranges, own.nodes);
    written = own;
    RouteReconciler keeper =
        new RouteReconciler(client, pacing, routes, options.nodeName(), this::others);
    parts.push(keeper);
    keeper.start();
  }

  private void others(Collection<PeerNode> peers) {
    Inside now = inside(peers);
    if (!now.equals(written)) {
      network.spare(now.ranges, now.nodes);
      written = now;
    }
  }

  private Inside inside(Collection<PeerNode> peers) {
    Inside inside =
        new Inside(new LinkedHashSet<>(options.clusterRanges()), new LinkedHashSet<>(addresses));
    for (PeerNode peer : peers) {
      inside.ranges.addAll(peer.ranges());
      inside.nodes.addAll(peer.addresses());
    }
    return inside;
  }
}
