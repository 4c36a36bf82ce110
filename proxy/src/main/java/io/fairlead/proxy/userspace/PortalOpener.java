package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.config.ProxyPortRange;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.userspace.balance.BalancingPolicy;
import io.fairlead.proxy.userspace.balance.EndpointPool;
import io.fairlead.proxy.userspace.balance.EndpointWeights;
import io.fairlead.proxy.userspace.relay.Portal;
import io.fairlead.proxy.userspace.relay.UserspaceRelay;
import io.fairlead.work.Ticker;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens portals: finds a port, makes the pool. Used by one thread.
final class PortalOpener {
  private static final Logger log = LoggerFactory.getLogger(PortalOpener.class);

  private final UserspaceRelay relay;
  private final ProxyPortRange ports;
  private final Ticker ticker;
  private final RandomGenerator random;

  PortalOpener(UserspaceRelay relay, ProxyPortRange ports, Ticker ticker, RandomGenerator random) {
    this.relay = relay;
    this.ports = ports;
    this.ticker = ticker;
    this.random = random;
  }

  /// @param preferred a port to try first; 0 for none
  /// @throws DataPlaneException when no port can be had
  Portal open(ServicePlan plan, boolean local, IpAddress address, int preferred) {
    EndpointPool pool =
        new EndpointPool(plan.name() + (local ? " on this node" : ""), ticker, random);
    pool.update(wish(plan, local));
    Protocol protocol = plan.port().protocol();
    if (preferred != 0) {
      try {
        return relay.open(protocol, address, preferred, pool);
      } catch (SystemCallException e) {
        log.atInfo()
            .addKeyValue("service", plan.name())
            .addKeyValue("why", e.getMessage())
            .log("the preferred port is taken, using another");
      }
    }
    return ports.isAny() ? any(protocol, address, pool) : ofRange(protocol, address, pool);
  }

  private Portal any(Protocol protocol, IpAddress address, EndpointPool pool) {
    try {
      return relay.open(protocol, address, 0, pool);
    } catch (SystemCallException e) {
      throw new DataPlaneException(pool.name() + ": cannot listen: " + e.getMessage(), e);
    }
  }

  /// From a port by chance onwards, so that several proxies seldom meet.
  private Portal ofRange(Protocol protocol, IpAddress address, EndpointPool pool) {
    int start = random.nextInt(ports.size());
    String why = "";
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.first() + (start + i) % ports.size();
      try {
        return relay.open(protocol, address, port, pool);
      } catch (SystemCallException e) {
        why = String.valueOf(e.getMessage());
      }
    }
    throw new DataPlaneException(
        pool.name()
            + ": no port of "
            + ports.first()
            + "-"
            + ports.last()
            + " is free ("
            + why
            + "); widen the range");
  }

  /// What the pool of a service port shall be.
  static EndpointPool.Specification wish(ServicePlan plan, boolean local) {
    ServicePort port = plan.port();
    return new EndpointPool.Specification(
        local ? plan.choice().local() : plan.choice().cluster(),
        BalancingPolicy.of(port),
        EndpointWeights.of(port),
        port.stickySeconds());
  }

  /// Says once what of a service port's options cannot be followed.
  static void complain(ServicePort port) {
    String problem = BalancingPolicy.problem(port);
    if (!problem.isEmpty()) {
      log.atWarn()
          .addKeyValue("service", port.name())
          .log(problem + "; using " + BalancingPolicy.ROUND_ROBIN.word());
    }
    for (String each : EndpointWeights.of(port).problems()) {
      log.atWarn().addKeyValue("service", port.name()).log(each);
    }
    if (port.protocol() == Protocol.SCTP) {
      log.atError()
          .addKeyValue("service", port.name())
          .log("SCTP cannot be relayed in userspace mode, connections are refused");
    }
  }
}
