package io.fairlead.app.controllers;

import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFlagReader;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.node.BirdOptions;
import io.fairlead.app.text.Phrase;
import io.fairlead.controller.loadbalancer.LoadBalancerOptions;
import io.fairlead.controller.loadbalancer.NodeAddressPool;
import java.util.List;
import java.util.Optional;

/// Turns `--load-balancer-pool` and `--default-load-balancer` into options.
public final class LoadBalancerOptionReader {
  private static final String POOL = "load-balancer-pool";
  private static final String GUARD = "allow-load-balancer-cluster-addresses";
  private static final String DEFAULT = "default-load-balancer";

  private LoadBalancerOptionReader() {}

  /// For `up`: with no pool named, addresses of this machine alone.
  public static Options.LoadBalancing forUp(Arguments arguments) {
    LoadBalancerPools pools = pools(arguments);
    boolean nodes = arguments.repeated(POOL).contains(PoolFlagReader.NODE);
    if (nodes && !arguments.on(GUARD)) {
      throw new FairleadException(
          ErrorCode.FL407, PoolFlagReader.NODE, Phrase.of("why.nodepool", "--" + GUARD + "=true"));
    }
    return new Options.LoadBalancing(
        pools,
        arguments.on(DEFAULT),
        arguments.repeated(POOL).isEmpty(),
        nodes,
        arguments.on(BirdOptions.PROMISCUOUS));
  }

  /// For controllers beside a cluster.
  static LoadBalancerOptions forControllers(Arguments arguments) {
    // Whether the API server takes them, its own flag says; events tell when it does not.
    Optional<NodeAddressPool> nodes =
        arguments.repeated(POOL).contains(PoolFlagReader.NODE)
            ? Optional.of(NodeAddressPool.STANDARD)
            : Optional.empty();
    return new LoadBalancerOptions(pools(arguments), arguments.on(DEFAULT), List.of(), nodes);
  }

  private static LoadBalancerPools pools(Arguments arguments) {
    try {
      return PoolFlagReader.read(arguments.repeated(POOL));
    } catch (IllegalArgumentException e) {
      throw new FairleadException(
          ErrorCode.FL407, e, arguments.text(POOL), String.valueOf(e.getMessage()));
    }
  }
}
