package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Ticker;
import io.fairlead.proxy.conntrack.FlowTable;
import io.fairlead.proxy.core.Applied;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Observed;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.userspace.relay.Portal;
import io.fairlead.proxy.userspace.relay.Relay;
import io.fairlead.proxy.userspace.rules.NftablesRedirects;
import io.fairlead.proxy.userspace.rules.Redirects;
import io.fairlead.proxy.userspace.rules.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Carries out plans of one family by carrying the traffic itself.
///
/// How it works: each service port gets a listener, and the kernel is told to send new connections
/// to its addresses there. Policies of traffic are decided in the kernel, by which listener a
/// packet gets; which endpoint is decided here, when the connection is accepted. Order in a change:
/// listeners open, rules change, listeners close; so no connection meets a closed door.
///
/// Opened in the network namespace of the calling thread; used by one thread at a time.
public final class UserspacePlane implements DataPlane {
  private final IpAddress.Family family;
  private final UserspaceSettings settings;
  private final Redirects redirects;
  private final Relay relay;
  private final Portals portals;
  private final DatagramFlows flows;
  private final Claims claims = new Claims();
  private final Map<ServicePortName, Served> served = new LinkedHashMap<>();
  private @Nullable Plan held;
  private @Nullable IpAddress address;
  private boolean written;

  private UserspacePlane(
      IpAddress.Family family,
      UserspaceSettings settings,
      Redirects redirects,
      FlowTable table,
      Ticker ticker,
      RandomGenerator random) {
    this.family = family;
    this.settings = settings;
    this.redirects = redirects;
    this.relay = Relay.start("userspace-" + family, settings.relay(), ticker);
    this.portals = new Portals(relay, settings.ports(), ticker, random);
    this.flows = new DatagramFlows(family, table);
  }

  /// @param redirects is closed with the plane
  /// @param table what the kernel remembers of UDP
  public static UserspacePlane open(
      IpAddress.Family family,
      UserspaceSettings settings,
      Redirects redirects,
      FlowTable table,
      Ticker ticker,
      RandomGenerator random) {
    return new UserspacePlane(family, settings, redirects, table, ticker, random);
  }

  /// The redirects that go with settings: none when clients call the listeners themselves.
  ///
  /// @throws io.fairlead.proxy.core.DataPlaneException when the kernel cannot redirect
  public static Redirects redirects(IpAddress.Family family, UserspaceSettings settings) {
    return settings.bind() == null ? NftablesRedirects.open(family) : Redirects.none();
  }

  @Override
  public Applied apply(Plan desired) {
    Plan before = held;
    if (before == null || !written || !before.node().equals(desired.node())) {
      return reconcile(desired);
    }
    List<Portal> unneeded = new ArrayList<>();
    follow(desired, PlanDiff.between(before, desired), unneeded);
    Claims.Changes changes = claims.take();
    if (changes.isEmpty() && unneeded.isEmpty()) {
      return Applied.nothing();
    }
    written = false;
    int writes = redirects.change(changes.removed(), changes.added());
    written = true;
    finish(changes, unneeded);
    return new Applied(false, writes, Map.of());
  }

  @Override
  public Applied reconcile(Plan desired) {
    List<Portal> unneeded = new ArrayList<>();
    IpAddress now = settings.listenAddress(family, desired.node().address());
    if (!now.equals(address)) {
      // Another address: every listener moves.
      served.forEach((name, each) -> claims.set(name, each.routes(), List.of()));
      served.values().forEach(each -> unneeded.addAll(each.portals()));
      served.clear();
      held = null;
      address = now;
    }
    Plan before = held == null ? Plan.empty(desired.node()) : held;
    follow(desired, PlanDiff.between(before, desired), unneeded);
    boolean first = !written;
    Claims.Changes changes = claims.take();
    written = false;
    int writes = redirects.replace(desired.node(), claims.all());
    written = true;
    finish(first ? new Claims.Changes(List.of(), claims.all()) : changes, unneeded);
    return new Applied(true, writes, Map.of());
  }

  private void follow(Plan desired, PlanDiff difference, List<Portal> unneeded) {
    for (ServicePlan removed : difference.removed()) {
      Served old = served.remove(removed.name());
      if (old != null) {
        claims.set(removed.name(), old.routes(), List.of());
        unneeded.addAll(old.portals());
      }
    }
    difference.changed().forEach(change -> follow(change.after(), unneeded));
    difference.added().forEach(added -> follow(added, unneeded));
    held = desired;
  }

  private void follow(ServicePlan plan, List<Portal> unneeded) {
    Served known = served.get(plan.name());
    if (known == null || !known.plan().port().options().equals(plan.port().options())) {
      Portals.complain(plan.port());
    }
    IpAddress where = address;
    if (where == null) {
      throw new IllegalStateException("no address to listen on is known yet");
    }
    Served each = known == null ? new Served(portals, where, settings.bind() != null, plan) : known;
    List<Route> former = each.routes();
    each.follow(plan, unneeded);
    served.put(plan.name(), each);
    claims.set(plan.name(), former, each.routes());
  }

  private void finish(Claims.Changes changes, List<Portal> unneeded) {
    unneeded.forEach(Portal::close);
    if (settings.bind() == null) {
      flows.changed(changes);
    }
  }

  /// How many TCP connections it carries now, also of services that are gone.
  public int connections() {
    return relay.connections();
  }

  @Override
  public Observed observe() {
    Map<ServicePortName, Observed.Traffic> traffic = new HashMap<>();
    StringBuilder listing = new StringBuilder(PortalText.HEADER);
    served.forEach(
        (name, each) -> {
          for (Portal portal : each.portals()) {
            traffic.merge(
                name,
                new Observed.Traffic(portal.accepted(), portal.bytes()),
                (a, b) -> new Observed.Traffic(a.packets() + b.packets(), a.bytes() + b.bytes()));
            PortalText.write(listing, portal);
          }
        });
    return new Observed(
        listing.append(redirects.listing()).toString(),
        traffic,
        Map.of("connections", (long) relay.connections()));
  }

  @Override
  public void removeAll() {
    redirects.removeAll();
    flows.forgetAll(
        Set.copyOf(served.values().stream().flatMap(each -> each.portals().stream()).toList()));
    served.values().forEach(each -> each.portals().forEach(Portal::close));
    served.forEach((name, each) -> claims.set(name, each.routes(), List.of()));
    served.clear();
    Claims.Changes _ = claims.take();
    held = null;
    written = false;
  }

  @Override
  public void onDrift(Runnable listener) {
    redirects.onDrift(listener);
  }

  /// Listens no more. Connections that are being carried go on until they end; the threads end with
  /// the last of them.
  @Override
  public void close() {
    served.values().forEach(each -> each.portals().forEach(Portal::close));
    relay.drain();
    flows.close();
    redirects.close();
  }

  /// Ends connections too, and waits for the threads.
  public void closeNow() {
    close();
    relay.close();
  }
}
