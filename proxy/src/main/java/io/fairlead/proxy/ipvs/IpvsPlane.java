package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsChange;
import io.fairlead.kernel.ipvs.IpvsChangeFailure;
import io.fairlead.kernel.ipvs.IpvsTimeouts;
import io.fairlead.kernel.ipvs.ListedRealServer;
import io.fairlead.kernel.ipvs.ListedVirtualServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.work.Pacer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries plans out with the kernel's load balancer, in one family.
///
/// How it works: a plan is rendered to virtual servers, addresses and entries of sets. A change
/// compares only what the changed service ports touch with a mirror of the kernel, so one changed
/// endpoint is one message. Reconciling reads the kernel back and compares everything.
public final class IpvsPlane implements DataPlane {
  private static final Logger log = LoggerFactory.getLogger(IpvsPlane.class);

  private final IpvsBackends backends;
  private final IpvsSettings settings;
  private final IpvsStateReader reading;
  private final IpvsTableMonitor monitor;
  private final Set<String> missingSchedulers = new HashSet<>();
  private @Nullable Plan applied;
  private IpvsRenderer renderer = new IpvsRenderer(Set.of(), List.of(), name -> name);
  private DesiredIpvsState desired = new DesiredIpvsState();
  private InstalledIpvsState installed = new InstalledIpvsState();
  private boolean lookedForConnections;

  private IpvsPlane(
      IpvsBackends backends,
      IpAddress.Family family,
      IpvsSettings settings,
      IpvsTableMonitor monitor) {
    this.backends = backends;
    this.settings = settings;
    this.reading = new IpvsStateReader(backends, family);
    this.monitor = monitor;
  }

  /// Prepares the kernel's settings and opens.
  ///
  /// @param again opens another socket to the load balancer, for the loop that monitors it
  public static IpvsPlane open(
      IpvsBackends backends,
      IpAddress.Family family,
      IpvsSettings settings,
      Pacer pacer,
      Supplier<VirtualServers> again) {
    backends.numbers().prepare(settings);
    if (!settings.timeouts().equals(new IpvsTimeouts(0, 0, 0))) {
      try {
        backends.servers().setTimeouts(settings.timeouts());
      } catch (DataPlaneException e) {
        log.atWarn().setCause(e).log("the timeouts of IPVS stay as they were");
      }
    }
    return new IpvsPlane(backends, family, settings, new IpvsTableMonitor(pacer, again));
  }

  /// Opens to take away what is there: nothing is prepared.
  public static IpvsPlane toRemove(
      IpvsBackends backends, IpAddress.Family family, IpvsSettings settings) {
    return new IpvsPlane(
        backends, family, settings, new IpvsTableMonitor(Pacer.system(), backends::servers));
  }

  @Override
  public ApplyResult apply(Plan plan, PlanDiff diff) {
    if (applied == null || diff.nodeChanged()) {
      return reconcile(plan);
    }
    // Until the kernel has taken everything.
    applied = null;
    for (ServicePlan gone : diff.removed()) {
      desired.remove(gone.name(), renderer.render(gone));
    }
    for (PlanDiff.Change change : diff.changed()) {
      desired.remove(change.before().name(), renderer.render(change.before()));
      desired.add(change.after().name(), renderer.render(change.after()));
    }
    for (ServicePlan fresh : diff.added()) {
      desired.add(fresh.name(), renderer.render(fresh));
    }
    IpvsChangeSet step =
        new IpvsChangePlanner(plan.node(), desired, installed, reading::busy)
            .part(desired.takeTouched());
    List<IpvsChangeFailure> refusals = carryOut(step);
    if (!refusals.isEmpty()) {
      // The kernel is not as we thought it is.
      return reconcile(plan);
    }
    return done(false, step, plan);
  }

  @Override
  public ApplyResult reconcile(Plan plan) {
    applied = null;
    boolean made = backends.device().ensure();
    renderer =
        IpvsRenderer.of(
            plan.node().nodePortAddresses(), backends.device().nodeAddresses(), this::scheduler);
    desired = new DesiredIpvsState();
    plan.services().forEach((name, service) -> desired.add(name, renderer.render(service)));
    desired.takeTouched();
    installed = reading.everything();
    SavedIptables tables = new SavedIptables(installed.chains, List.copyOf(installed.jumps));
    InstalledIpvsState there = installed;
    IpvsChangeSet step =
        new IpvsChangePlanner(
                plan.node(),
                desired,
                there,
                endpoint -> {
                  InstalledIpvsState.Server server = there.servers.get(endpoint);
                  return server == null ? Set.of() : server.busy();
                })
            .whole(tables, endpoint -> settings.excludes(IpvsStateReader.address(endpoint)));
    List<IpvsChangeFailure> refusals = carryOut(step);
    if (learnsOfMissing(refusals)) {
      return reconcile(plan);
    }
    if (!refusals.isEmpty()) {
      throw new DataPlaneException("IPVS refused to " + refusals.getFirst());
    }
    ApplyResult result = done(true, step, plan);
    return made ? new ApplyResult(true, result.writes() + 1, result.sizes()) : result;
  }

  /// What is taken for the scheduler a Service asks for.
  private String scheduler(String name) {
    return name.isEmpty() || missingSchedulers.contains(name) ? settings.scheduler() : name;
  }

  /// Notes schedulers that Services chose and the kernel lacks; those Services get the general one.
  ///
  /// @return whether one is new
  private boolean learnsOfMissing(List<IpvsChangeFailure> refusals) {
    boolean learned = false;
    for (IpvsChangeFailure refusal : refusals) {
      VirtualServer server =
          switch (refusal.change()) {
            case IpvsChange.AddServer(VirtualServer added) -> added;
            case IpvsChange.SetServer(VirtualServer set) -> set;
            case IpvsChange.DeleteServer _,
                IpvsChange.AddReal _,
                IpvsChange.SetReal _,
                IpvsChange.DeleteReal _ ->
                null;
          };
      if (server != null
          && refusal.isNotFound()
          && !server.scheduler().equals(settings.scheduler())
          && missingSchedulers.add(server.scheduler())) {
        log.atWarn()
            .addKeyValue("service", desired.owner(server.endpoint()))
            .addKeyValue("instead", settings.scheduler())
            .log(Schedulers.missing(server.scheduler()));
        learned = true;
      }
    }
    return learned;
  }

  private List<IpvsChangeFailure> carryOut(IpvsChangeSet step) {
    restore(step.enter());
    if (!step.takesOver()) {
      write(step.rules());
    }
    List<IpvsChangeFailure> refusals = new ArrayList<>(backends.servers().apply(step.additions()));
    step.bind().forEach(backends.device()::add);
    if (step.takesOver()) {
      if (!refusals.isEmpty()) {
        // The rules that are there serve on until the kernel has taken everything.
        return refusals;
      }
      write(step.rules());
    }
    step.unbind().forEach(backends.device()::remove);
    refusals.addAll(backends.servers().apply(step.removals()));
    restore(step.leave());
    return refusals;
  }

  private void write(IpvsRestoreDocument rules) {
    if (rules.writes() > 0) {
      backends.rules().restore(rules.text());
    }
  }

  private void restore(List<String> lines) {
    if (!lines.isEmpty()) {
      backends.sets().restore(String.join("\n", lines) + "\n");
    }
  }

  private ApplyResult done(boolean full, IpvsChangeSet step, Plan plan) {
    InstalledStateUpdater.follow(installed, step, IpvsChains.of(plan.node(), desired));
    applied = plan;
    monitor.expect(sample(), installed.leaving() > 0);
    return new ApplyResult(full, step.writes(), Map.of());
  }

  /// Some virtual server that has real servers.
  private @Nullable VirtualServerAddress sample() {
    for (Map.Entry<VirtualServerAddress, InstalledIpvsState.Server> entry :
        installed.servers.entrySet()) {
      if (!entry.getValue().reals().isEmpty()) {
        return entry.getKey();
      }
    }
    return null;
  }

  @Override
  public DataPlaneSnapshot observe() {
    ServerListing listing = new ServerListing();
    Map<ServicePortName, DataPlaneSnapshot.Traffic> traffic = new HashMap<>();
    long active = 0;
    long inactive = 0;
    List<ListedVirtualServer> servers =
        reading.servers().stream()
            .sorted(
                Comparator.comparing(
                        (ListedVirtualServer each) ->
                            IpvsStateReader.address(each.server().endpoint()))
                    .thenComparing(each -> each.server().endpoint().toString()))
            .toList();
    for (ListedVirtualServer listed : servers) {
      VirtualServerAddress endpoint = listed.server().endpoint();
      List<ListedRealServer> reals =
          backends.servers().realServers(endpoint).stream()
              .sorted(
                  Comparator.comparing(
                          (ListedRealServer real) ->
                              IpAddress.ofBytes(real.server().address().getAddress()))
                      .thenComparing(real -> real.server().port()))
              .toList();
      listing.add(listed.server(), reals);
      active += reals.stream().mapToLong(ListedRealServer::active).sum();
      inactive += reals.stream().mapToLong(ListedRealServer::inactive).sum();
      ServicePortName owner = desired.owner(endpoint);
      if (owner != null) {
        traffic.merge(
            owner,
            new DataPlaneSnapshot.Traffic(
                listed.statistics().packetsIn(), listed.statistics().bytesIn()),
            (one, other) ->
                new DataPlaneSnapshot.Traffic(
                    one.packets() + other.packets(), one.bytes() + other.bytes()));
      }
    }
    return new DataPlaneSnapshot(
        listing.toString(),
        traffic,
        Map.of("active_connections", active, "inactive_connections", inactive));
  }

  @Override
  public void removeAll() {
    remove(false);
  }

  @Override
  public void removeBeside(ProxyMode successor) {
    remove(successor == ProxyMode.IPTABLES);
  }

  /// TCP only: the kernel counts every UDP client of the last five minutes as active. A handshake
  /// is not counted as active yet, so the first look takes any connection for one.
  @Override
  public boolean carries() {
    boolean any = !lookedForConnections;
    lookedForConnections = true;
    for (ListedVirtualServer listed : reading.servers()) {
      VirtualServerAddress endpoint = listed.server().endpoint();
      if (endpoint.protocolName().equals("tcp")
          && !settings.excludes(IpvsStateReader.address(endpoint))
          && backends.servers().realServers(endpoint).stream()
              .anyMatch(real -> (any ? real.connections() : real.active()) > 0)) {
        return true;
      }
    }
    return false;
  }

  private void remove(boolean besideIptables) {
    applied = null;
    // What goes now is not missed.
    monitor.expect(null, false);
    new IpvsCleanup(reading, settings).run(besideIptables);
    backends.numbers().restore();
    installed = new InstalledIpvsState();
    desired = new DesiredIpvsState();
  }

  @Override
  public void onDrift(Runnable listener) {
    monitor.start(listener);
    backends.device().onForeignChange(listener);
  }

  @Override
  public void close() {
    monitor.close();
    backends.close();
  }
}
