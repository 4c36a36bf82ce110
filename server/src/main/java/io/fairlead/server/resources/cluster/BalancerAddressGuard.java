package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.api.loadbalancer.PoolRange;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.NodeUser;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.RequestContext;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps nodes from reporting addresses of load balancers, or of Services, as their own or as those
/// of their pods.
///
/// A pool with an address of a node is refused, and no balancer may name a node's address; so a
/// node that was broken into could end the announcement of every address of the cluster by saying
/// that it has one of them. What a node has reported already may stay: a pool that is made
/// afterwards has to avoid it. The pools in force are those that the controller publishes.
final class BalancerAddressGuard {
  private BalancerAddressGuard() {}

  /// @param shared whether balancers may have the addresses of nodes
  /// @throws ApiException 403 when the user is a node and takes what belongs to a balancer
  static void check(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context, boolean shared) {
    String node = NodeUser.of(context.user());
    if (node == null) {
      return;
    }
    Set<PoolRange> wanted = reported(object);
    if (old != null) {
      wanted.removeAll(reported(old));
    }
    if (wanted.isEmpty()) {
      return;
    }
    LoadBalancerPools pools = pools(context.reader());
    for (PoolRange range : wanted) {
      Optional<String> owner =
          services(range, context.reader())
              .or(() -> pools.overlapping(range).map(pool -> "load balancer pool " + pool.name()))
              .or(() -> shared ? Optional.empty() : holder(range, context.reader()));
      if (owner.isPresent()) {
        throw ApiException.forbidden(
            "",
            "nodes",
            Json.textOr(object, "", "metadata", "name"),
            "node \""
                + node
                + "\" is not allowed to take "
                + range
                + ", which belongs to "
                + owner.get());
      }
    }
  }

  /// The addresses that a node says are its own and its pods'.
  private static Set<PoolRange> reported(ObjectNode node) {
    Set<PoolRange> ranges = new TreeSet<>();
    for (JsonNode one : node.at("/status/addresses")) {
      IpAddress address = IpAddress.parseOrNull(Json.textOr(one, "", "address"));
      if (address != null) {
        ranges.add(PoolRange.of(address));
      }
    }
    for (JsonNode one : node.at("/spec/podCIDRs")) {
      Cidr range = Cidr.parseOrNull(one.asString(""));
      if (range != null) {
        ranges.add(PoolRange.of(range));
      }
    }
    return ranges;
  }

  private static LoadBalancerPools pools(ClusterReader reader) {
    ObjectNode published =
        reader.get(
            "",
            "configmaps",
            LoadBalancerPools.PUBLISHED_NAMESPACE,
            LoadBalancerPools.PUBLISHED_NAME);
    if (published == null) {
      return LoadBalancerPools.NONE;
    }
    try {
      return PoolFileReader.read(
          Json.textOr(published, "", "data", LoadBalancerPools.PUBLISHED_FILE));
    } catch (DecodeException _) {
      // Written by hand: announcers do not follow it either.
      return LoadBalancerPools.NONE;
    }
  }

  private static Optional<String> services(PoolRange range, ClusterReader reader) {
    for (ObjectNode one : reader.list("networking.k8s.io", "servicecidrs", "")) {
      for (JsonNode text : one.at("/spec/cidrs")) {
        Cidr cidr = Cidr.parseOrNull(text.asString(""));
        if (cidr != null && PoolRange.of(cidr).overlaps(range)) {
          return Optional.of("the range of Services " + cidr);
        }
      }
    }
    return Optional.empty();
  }

  /// The Service that a balancer has given such an address.
  private static Optional<String> holder(PoolRange range, ClusterReader reader) {
    for (ObjectNode service : reader.list("", "services", "")) {
      for (JsonNode one : service.at("/status/loadBalancer/ingress")) {
        IpAddress address = IpAddress.parseOrNull(Json.textOr(one, "", "ip"));
        if (address != null && range.contains(address)) {
          return Optional.of(
              "Service "
                  + Json.textOr(service, "", "metadata", "namespace")
                  + "/"
                  + Json.textOr(service, "", "metadata", "name"));
        }
      }
    }
    return Optional.empty();
  }
}
