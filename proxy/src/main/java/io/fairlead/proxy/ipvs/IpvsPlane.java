package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.ipvs.Change;
import io.fairlead.kernel.ipvs.Endpoint;
import io.fairlead.kernel.ipvs.ListedReal;
import io.fairlead.kernel.ipvs.ListedServer;
import io.fairlead.kernel.ipvs.Refusal;
import io.fairlead.kernel.ipvs.Timeouts;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.proxy.core.Applied;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Observed;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
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

  private final Doors doors;
  private final IpvsSettings settings;
  private final Reading reading;
  private final Sentinel sentinel;
  private final Set<String> missingSchedulers = new HashSet<>();
  private @Nullable Plan applied;
  private Renderer renderer = new Renderer(Set.of(), List.of(), name -> name);
  private Desired desired = new Desired();
  private Installed installed = new Installed();
  private boolean lookedForConnections;

  private IpvsPlane(
      Doors doors, IpAddress.Family family, IpvsSettings settings, Sentinel sentinel) {
    this.doors = doors;
    this.settings = settings;
    this.reading = new Reading(doors, family);
    this.sentinel = sentinel;
  }

  /// Prepares the kernel's settings and opens.
  ///
  /// @param again opens another door to the load balancer, for the thread that looks after it
  public static IpvsPlane open(
      Doors doors,
      IpAddress.Family family,
      IpvsSettings settings,
      Pacer pacer,
      Supplier<VirtualServers> again) {
    doors.numbers().prepare(settings);
    if (!settings.timeouts().equals(new Timeouts(0, 0, 0))) {
      try {
        doors.servers().setTimeouts(settings.timeouts());
      } catch (DataPlaneException e) {
        log.atWarn().setCause(e).log("the timeouts of IPVS stay as they were");
      }
    }
    return new IpvsPlane(doors, family, settings, new Sentinel(pacer, again));
  }

  /// Opens to take away what is there: nothing is prepared.
  public static IpvsPlane toRemove(Doors doors, IpAddress.Family family, IpvsSettings settings) {
    return new IpvsPlane(doors, family, settings, new Sentinel(Pacer.system(), doors::servers));
  }

  @Override
  public Applied apply(Plan plan) {
    Plan last = applied;
    if (last == null) {
      return reconcile(plan);
    }
    PlanDiff diff = PlanDiff.between(last, plan);
    if (diff.nodeChanged()) {
      return reconcile(plan);
    }
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
    applied = null;
    Step step =
        new Stepper(plan.node(), desired, installed, reading::busy).part(desired.takeTouched());
    List<Refusal> refusals = carryOut(step);
    if (!refusals.isEmpty()) {
      // The kernel is not as we thought it is.
      return reconcile(plan);
    }
    return done(false, step, plan);
  }

  @Override
  public Applied reconcile(Plan plan) {
    applied = null;
    boolean made = doors.device().ensure();
    renderer =
        Renderer.of(
            plan.node().nodePortAddresses(), doors.device().nodeAddresses(), this::scheduler);
    desired = new Desired();
    plan.services().forEach((name, service) -> desired.add(name, renderer.render(service)));
    desired.takeTouched();
    installed = reading.everything();
    Tables tables = new Tables(installed.chains, List.copyOf(installed.jumps));
    Installed there = installed;
    Step step =
        new Stepper(
                plan.node(),
                desired,
                there,
                endpoint -> {
                  Installed.Server server = there.servers.get(endpoint);
                  return server == null ? Set.of() : server.busy();
                })
            .whole(tables, endpoint -> settings.excludes(Reading.address(endpoint)));
    List<Refusal> refusals = carryOut(step);
    if (learnsOfMissing(refusals)) {
      return reconcile(plan);
    }
    if (!refusals.isEmpty()) {
      throw new DataPlaneException("IPVS refused to " + refusals.getFirst());
    }
    Applied result = done(true, step, plan);
    return made ? new Applied(true, result.writes() + 1, result.sizes()) : result;
  }

  /// What is taken for the scheduler a Service asks for.
  private String scheduler(String name) {
    return name.isEmpty() || missingSchedulers.contains(name) ? settings.scheduler() : name;
  }

  /// Notes schedulers that Services chose and the kernel lacks; those Services get the general one.
  ///
  /// @return whether one is new
  private boolean learnsOfMissing(List<Refusal> refusals) {
    boolean learned = false;
    for (Refusal refusal : refusals) {
      VirtualServer server =
          switch (refusal.change()) {
            case Change.AddServer(VirtualServer added) -> added;
            case Change.SetServer(VirtualServer set) -> set;
            case Change.DeleteServer _, Change.AddReal _, Change.SetReal _, Change.DeleteReal _ ->
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

  private List<Refusal> carryOut(Step step) {
    restore(step.enter());
    if (!step.takesOver()) {
      write(step.rules());
    }
    List<Refusal> refusals = new ArrayList<>(doors.servers().apply(step.additions()));
    step.bind().forEach(doors.device()::add);
    if (step.takesOver()) {
      if (!refusals.isEmpty()) {
        // The rules that are there serve on until the kernel has taken everything.
        return refusals;
      }
      write(step.rules());
    }
    step.unbind().forEach(doors.device()::remove);
    refusals.addAll(doors.servers().apply(step.removals()));
    restore(step.leave());
    return refusals;
  }

  private void write(RuleDocument rules) {
    if (rules.writes() > 0) {
      doors.rules().restore(rules.text());
    }
  }

  private void restore(List<String> lines) {
    if (!lines.isEmpty()) {
      doors.sets().restore(String.join("\n", lines) + "\n");
    }
  }

  private Applied done(boolean full, Step step, Plan plan) {
    Mirror.follow(installed, step, Chains.of(plan.node(), desired));
    applied = plan;
    sentinel.expect(sample(), installed.leaving() > 0);
    return new Applied(full, step.writes(), Map.of());
  }

  /// Some virtual server that has real servers.
  private @Nullable Endpoint sample() {
    for (Map.Entry<Endpoint, Installed.Server> entry : installed.servers.entrySet()) {
      if (!entry.getValue().reals().isEmpty()) {
        return entry.getKey();
      }
    }
    return null;
  }

  @Override
  public Observed observe() {
    ServerListing listing = new ServerListing();
    Map<ServicePortName, Observed.Traffic> traffic = new HashMap<>();
    long active = 0;
    long inactive = 0;
    List<ListedServer> servers =
        reading.servers().stream()
            .sorted(
                Comparator.comparing(
                        (ListedServer each) -> Reading.address(each.server().endpoint()))
                    .thenComparing(each -> each.server().endpoint().toString()))
            .toList();
    for (ListedServer listed : servers) {
      Endpoint endpoint = listed.server().endpoint();
      List<ListedReal> reals =
          doors.servers().realServers(endpoint).stream()
              .sorted(
                  Comparator.comparing(
                          (ListedReal real) ->
                              IpAddress.ofBytes(real.server().address().getAddress()))
                      .thenComparing(real -> real.server().port()))
              .toList();
      listing.add(listed.server(), reals);
      active += reals.stream().mapToLong(ListedReal::active).sum();
      inactive += reals.stream().mapToLong(ListedReal::inactive).sum();
      ServicePortName owner = desired.owner(endpoint);
      if (owner != null) {
        traffic.merge(
            owner,
            new Observed.Traffic(listed.statistics().packetsIn(), listed.statistics().bytesIn()),
            (one, other) ->
                new Observed.Traffic(one.packets() + other.packets(), one.bytes() + other.bytes()));
      }
    }
    return new Observed(
        listing.toString(),
        traffic,
        Map.of("active_connections", active, "inactive_connections", inactive));
  }

  @Override
  public void removeAll() {
    remove(false);
  }

  @Override
  public void removeBeside(String successor) {
    remove(successor.equals("iptables"));
  }

  /// TCP only: the kernel counts every UDP client of the last five minutes as active. A handshake
  /// is not counted as active yet, so the first look takes any connection for one.
  @Override
  public boolean carries() {
    boolean any = !lookedForConnections;
    lookedForConnections = true;
    for (ListedServer listed : reading.servers()) {
      Endpoint endpoint = listed.server().endpoint();
      if (endpoint.protocolName().equals("tcp")
          && !settings.excludes(Reading.address(endpoint))
          && doors.servers().realServers(endpoint).stream()
              .anyMatch(real -> (any ? real.connections() : real.active()) > 0)) {
        return true;
      }
    }
    return false;
  }

  private void remove(boolean besideIptables) {
    applied = null;
    // What goes now is not missed.
    sentinel.expect(null, false);
    new Removal(reading, settings).run(besideIptables);
    doors.numbers().restore();
    installed = new Installed();
    desired = new Desired();
  }

  @Override
  public void onDrift(Runnable listener) {
    sentinel.start(listener);
    doors.device().onForeignChange(listener);
  }

  @Override
  public void close() {
    sentinel.close();
    doors.close();
  }
}
