package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.userspace.relay.Portal;
import io.fairlead.proxy.userspace.relay.UserspaceRelay;
import io.fairlead.proxy.userspace.rules.NftablesRedirects;
import io.fairlead.proxy.userspace.rules.RedirectRoute;
import io.fairlead.proxy.userspace.rules.Redirects;
import io.fairlead.work.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Carries out plans of one family by carrying the traffic itself.
///
/// How it works: each service port gets a listener, and rules in the kernel lead new connections to
/// its addresses there. Policies of traffic are decided in the kernel, by which listener a packet
/// gets; which endpoint is decided here, when the connection is accepted. Order in a change:
/// listeners open, rules change, listeners close; so no connection meets a closed port.
///
/// Opened in the network namespace of the calling thread; used by one thread at a time.
public final class UserspacePlane implements DataPlane {
  private final IpAddress.Family family;
  private final UserspaceSettings settings;
  private final Redirects redirects;
  private final UserspaceRelay relay;
  private final PortalOpener portals;
  private final UdpFlowCleaner flows;
  private final DestinationOwners claims = new DestinationOwners();
  private final Map<ServicePortName, ServedServicePort> served = new LinkedHashMap<>();
  private @Nullable IpAddress address;
  private boolean written;

  private UserspacePlane(
      IpAddress.Family family,
      UserspaceSettings settings,
      Redirects redirects,
      ConntrackTable table,
      Ticker ticker,
      RandomGenerator random) {
    this.family = family;
    this.settings = settings;
    this.redirects = redirects;
    this.relay = UserspaceRelay.start("userspace-" + family, settings.relay(), ticker);
    this.portals = new PortalOpener(relay, settings.ports(), ticker, random);
    this.flows = new UdpFlowCleaner(family, table);
  }

  /// @param redirects is closed with the plane
  /// @param table what the kernel remembers of UDP
  public static UserspacePlane open(
      IpAddress.Family family,
      UserspaceSettings settings,
      Redirects redirects,
      ConntrackTable table,
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
  public ApplyResult apply(Plan desired, PlanDiff change) {
    if (!written || change.nodeChanged()) {
      return reconcile(desired);
    }
    List<Portal> unneeded = new ArrayList<>();
    written = false;
    change.removed().forEach(service -> leave(service.name(), unneeded));
    change.changed().forEach(service -> follow(service.after(), unneeded));
    change.added().forEach(service -> follow(service, unneeded));
    DestinationOwners.Changes changes = claims.take();
    if (changes.isEmpty() && unneeded.isEmpty()) {
      written = true;
      return ApplyResult.nothing();
    }
    int writes = redirects.change(changes.removed(), changes.added());
    written = true;
    finish(changes, unneeded);
    return new ApplyResult(false, writes, Map.of());
  }

  @Override
  public ApplyResult reconcile(Plan desired) {
    List<Portal> unneeded = new ArrayList<>();
    IpAddress now = settings.listenAddress(family, desired.node().address());
    if (!now.equals(address)) {
      // Another address: every listener moves.
      served.forEach((name, each) -> claims.set(name, each.routes(), List.of()));
      served.values().forEach(each -> unneeded.addAll(each.portals()));
      served.clear();
      address = now;
    }
    boolean first = !written;
    written = false;
    for (ServicePortName name : List.copyOf(served.keySet())) {
      if (desired.service(name) == null) {
        leave(name, unneeded);
      }
    }
    desired.services().forEach((_, service) -> follow(service, unneeded));
    DestinationOwners.Changes changes = claims.take();
    int writes = redirects.replace(desired.node(), claims.all());
    written = true;
    finish(first ? new DestinationOwners.Changes(List.of(), claims.all()) : changes, unneeded);
    return new ApplyResult(true, writes, Map.of());
  }

  private void leave(ServicePortName name, List<Portal> unneeded) {
    ServedServicePort old = served.remove(name);
    if (old != null) {
      claims.set(name, old.routes(), List.of());
      unneeded.addAll(old.portals());
    }
  }

  private void follow(ServicePlan plan, List<Portal> unneeded) {
    ServedServicePort known = served.get(plan.name());
    if (known != null && known.follows(plan)) {
      return;
    }
    if (known == null || !known.plan().port().options().equals(plan.port().options())) {
      PortalOpener.complain(plan.port());
    }
    IpAddress where = address;
    if (where == null) {
      throw new IllegalStateException("no address to listen on is known yet");
    }
    ServedServicePort each =
        known == null
            ? new ServedServicePort(portals, where, settings.bind() != null, plan)
            : known;
    List<RedirectRoute> former = each.routes();
    each.follow(plan, unneeded);
    served.put(plan.name(), each);
    claims.set(plan.name(), former, each.routes());
  }

  private void finish(DestinationOwners.Changes changes, List<Portal> unneeded) {
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
  public Optional<RelayedChoice> relayed(IpAddress client, int clientPort) {
    return relay.choice(client, clientPort);
  }

  @Override
  public DataPlaneSnapshot observe() {
    Map<ServicePortName, DataPlaneSnapshot.Traffic> traffic = new HashMap<>();
    StringBuilder listing = new StringBuilder(PortalText.HEADER);
    served.forEach(
        (name, each) -> {
          for (Portal portal : each.portals()) {
            traffic.merge(
                name,
                new DataPlaneSnapshot.Traffic(portal.accepted(), portal.bytes()),
                (a, b) ->
                    new DataPlaneSnapshot.Traffic(
                        a.packets() + b.packets(), a.bytes() + b.bytes()));
            PortalText.write(listing, portal);
          }
        });
    return new DataPlaneSnapshot(
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
    DestinationOwners.Changes _ = claims.take();
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
