package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.LoadBalancerPools.ReservedRange;
import java.util.List;
import java.util.Optional;

/// Which Services get addresses, and from where.
///
/// @param pools those of the command line; the ConfigMap adds its own
/// @param isDefault whether Services that name no class are served too
/// @param reserved ranges of the cluster that its objects do not show, such as that of all pods
/// @param nodes set when Services get the nodes' own addresses
public record LoadBalancerOptions(
    LoadBalancerPools pools,
    boolean isDefault,
    List<ReservedRange> reserved,
    Optional<NodeAddressPool> nodes) {
  /// The class that a Service names to be served by this balancer and no other.
  public static final String CLASS = "fairlead.dev/l2";

  /// Beside a cluster that may have a balancer of its own: only Services that name our class.
  public static final LoadBalancerOptions STANDARD =
      new LoadBalancerOptions(LoadBalancerPools.NONE, false, List.of());

  /// With pools alone.
  public LoadBalancerOptions(
      LoadBalancerPools pools, boolean isDefault, List<ReservedRange> reserved) {
    this(pools, isDefault, reserved, Optional.empty());
  }

  public LoadBalancerOptions {
    reserved = List.copyOf(reserved);
  }
}
