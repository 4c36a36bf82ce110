package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.userspace.relay.Portal;
import io.fairlead.proxy.userspace.rules.RedirectRoute;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One service port as it is served: its portals and its routes. It has up to two portals, for the
/// endpoints of the cluster and for those of this node; each is there while a front needs it.
final class ServedServicePort {
  private static final Logger log = LoggerFactory.getLogger(ServedServicePort.class);

  private final PortalOpener portals;
  private final IpAddress address;
  private final boolean bound;
  private @Nullable Portal cluster;
  private @Nullable Portal local;
  private List<RedirectRoute> routes = List.of();
  private ServicePlan plan;
  private boolean complete;

  /// @param bound clients call the portals themselves: there are no rules
  ServedServicePort(PortalOpener portals, IpAddress address, boolean bound, ServicePlan plan) {
    this.portals = portals;
    this.address = address;
    this.bound = bound;
    this.plan = plan;
  }

  List<RedirectRoute> routes() {
    return routes;
  }

  ServicePlan plan() {
    return plan;
  }

  /// Whether everything that plan needs is open.
  boolean follows(ServicePlan other) {
    return complete && plan.equals(other);
  }

  List<Portal> portals() {
    List<Portal> open = new ArrayList<>(2);
    if (cluster != null) {
      open.add(cluster);
    }
    if (local != null) {
      open.add(local);
    }
    return open;
  }

  /// Opens and refreshes what the plan needs and computes its routes. What it needs no more stays
  /// open until rules have changed; it is added to `unneeded`.
  void follow(ServicePlan now, List<Portal> unneeded) {
    plan = now;
    complete = false;
    boolean needsCluster = false;
    boolean needsLocal = false;
    List<Frontend> fronts = now.fronts();
    for (Frontend front : fronts) {
      boolean stays = staysLocal(front);
      boolean forwards = front.verdict() instanceof TrafficVerdict.Forward;
      needsCluster |= (forwards && !stays) || !front.inside().isEmpty();
      needsLocal |= forwards && stays;
    }
    boolean possible = now.port().protocol() != Protocol.SCTP;
    // One that is open keeps listening while a bound Service has no endpoint for a while.
    cluster =
        portal(cluster, possible && (needsCluster || (bound && !needsLocal)), false, unneeded);
    local = portal(local, possible && needsLocal, true, unneeded);
    routes = fronts.stream().map(this::route).toList();
    complete = true;
  }

  private boolean staysLocal(Frontend front) {
    return front.kind() == Frontend.Kind.CLUSTER_IP
        ? plan.port().internalLocal()
        : plan.port().externalLocal();
  }

  private @Nullable Portal portal(
      @Nullable Portal had, boolean needed, boolean isLocal, List<Portal> unneeded) {
    if (!needed) {
      if (had != null) {
        unneeded.add(had);
      }
      return null;
    }
    if (had != null) {
      had.pool().update(PortalOpener.wish(plan, isLocal));
      return had;
    }
    try {
      Portal opened = portals.open(plan, isLocal, address, bound ? plan.port().nodePort() : 0);
      if (bound) {
        log.atInfo()
            .addKeyValue("service", plan.name())
            .addKeyValue("address", opened.address())
            .addKeyValue("port", opened.port())
            .log("serves");
      }
      return opened;
    } catch (DataPlaneException e) {
      // One service that cannot be served must not take the others with it.
      log.atError().addKeyValue("service", plan.name()).log(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private RedirectRoute route(Frontend front) {
    RedirectRoute.Action way =
        switch (front.verdict()) {
          case TrafficVerdict.Reject(_) -> new RedirectRoute.Action.Refuse();
          case TrafficVerdict.Drop(_) -> new RedirectRoute.Action.Drop();
          case TrafficVerdict.Forward _ -> to(staysLocal(front) ? local : cluster);
        };
    RedirectRoute.Socket inside =
        front.inside().isEmpty() || cluster == null || !staysLocal(front) ? null : socket(cluster);
    return new RedirectRoute(
        new RedirectRoute.Destination(front.address(), plan.port().protocol(), front.port()),
        way,
        inside,
        // Where nothing is served there is nothing to restrict.
        plan.choice().any() ? front.sources() : List.of(),
        front.kind() == Frontend.Kind.CLUSTER_IP,
        plan.name().displayName());
  }

  private static RedirectRoute.Action to(@Nullable Portal portal) {
    return portal == null
        ? new RedirectRoute.Action.Refuse()
        : new RedirectRoute.Action.To(socket(portal));
  }

  private static RedirectRoute.Socket socket(Portal portal) {
    return new RedirectRoute.Socket(portal.address(), portal.port());
  }
}
