package io.fairlead.proxy.announce;

import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.client.ObjectKey;
import java.util.SortedSet;
import java.util.TreeSet;

/// An address that the rules of this node carry and that some node shall announce. Immutable.
///
/// @param pool the one it is from
/// @param services those that have it
/// @param local whether traffic to it must stay on the node that it comes to
/// @param endpoints what this node has for it; without a meaning unless `local`
/// @param rebalance changes when its owner is asked to let a better node have it; empty for never
record AddressDemand(
    LoadBalancerPool pool,
    SortedSet<ObjectKey> services,
    boolean local,
    LocalEndpoints endpoints,
    String rebalance) {
  AddressDemand {
    services = new TreeSet<>(services);
  }
}
