package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import io.fairlead.kernel.nftables.Verdict;
import io.fairlead.proxy.core.NodePortAddresses;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// What the table holds, as far as it follows from a plan. Owned by the plane's thread. When a
/// transaction fails it no longer tells the truth and is thrown away.
final class State {
  /// How the endpoints of service ports are numbered where that does not follow from the plan: ten
  /// thousand that are as they came need not be held twice.
  private final Map<ServicePortName, Placement> placements = new HashMap<>();

  private final Claims claims = new Claims();
  private final Shared shared = new Shared();
  private final ActionNumbers actions;
  private final Renderer renderer;
  private Plan plan;

  private State(Plan plan, ActionNumbers actions) {
    this.plan = plan;
    this.actions = actions;
    this.renderer = new Renderer(actions::number);
  }

  /// The state for a plan.
  ///
  /// @param actions with the numbers to keep
  /// @param placements how the endpoints of a service port are numbered now
  static State of(Plan plan, ActionNumbers actions, Function<ServicePlan, Placement> placements) {
    State state = new State(plan, actions);
    plan.services()
        .forEach(
            (_, service) -> {
              Placement there = placements.apply(service);
              if (!there.isEmpty()) {
                state.place(service, there.with(service));
              }
              state.claim(service);
              state.shared.add(service, (_, _) -> {});
            });
    return state;
  }

  private void place(ServicePlan service, Placement placement) {
    if (placement.isNatural(service)) {
      placements.remove(service.name());
    } else {
      placements.put(service.name(), placement);
    }
  }

  private Placement placement(ServicePlan service) {
    Placement kept = placements.get(service.name());
    return kept == null ? Placement.NONE.with(service) : kept;
  }

  private void claim(ServicePlan service) {
    for (Bytes key : Renderer.keys(service)) {
      claims.claim(key, service.name());
    }
  }

  private void release(ServicePlan service) {
    for (Bytes key : Renderer.keys(service)) {
      claims.release(key, service.name());
    }
  }

  Plan plan() {
    return plan;
  }

  ActionNumbers actions() {
    return actions;
  }

  boolean owns(Bytes key, ServicePortName name) {
    return claims.owns(key, name);
  }

  int services() {
    return plan.services().size();
  }

  /// Everything the table shall hold.
  Elements elements() {
    Elements all = new Elements();
    render(all);
    return all;
  }

  /// The same, one after another, each key once.
  void render(ElementSink into) {
    plan.services().forEach((_, service) -> render(service, into));
    shared.all(into);
    nodePortAddresses(into);
    for (Action action : actions.used()) {
      containers(action).forEach(container -> into.put(container, actionElement(action)));
    }
  }

  /// The verdict maps an action belongs into.
  static List<Container> containers(Action action) {
    return action instanceof Action.Split
        ? List.of(Container.ACTIONS)
        : List.of(Container.ACTIONS, Container.LEAVES);
  }

  Element actionElement(Action action) {
    return Element.of(Number.bytes(actions.number(action)), Verdict.go(action.chain()));
  }

  private void nodePortAddresses(ElementSink into) {
    if (plan.node().nodePortAddresses() instanceof NodePortAddresses.Only(var addresses)) {
      for (IpAddress address : addresses) {
        if (address.family() == plan.node().family() && !address.isLoopback()) {
          into.put(Container.NODE_PORT_IPS, Element.of(Layout.address(address)));
        }
      }
    }
  }

  private void render(ServicePlan service, ElementSink into) {
    renderer.render(service, placement(service), claims, into);
  }

  /// Goes on to another plan of the same node.
  ///
  /// @return what the table needs for that, without the chains of new actions
  Delta change(Plan next, PlanDiff difference) {
    Set<ServicePortName> affected = affected(difference);
    Elements before = elements(affected);
    Delta delta = new Delta();
    Shared.Sink fresh = (container, each) -> delta.add(container, Shared.element(container, each));
    Shared.Sink gone =
        (container, each) -> delta.delete(container, Shared.element(container, each));
    for (ServicePlan removed : difference.removed()) {
      release(removed);
      placements.remove(removed.name());
      shared.remove(removed, gone);
    }
    for (PlanDiff.Change change : difference.changed()) {
      ServicePlan was = change.before();
      ServicePlan is = change.after();
      place(is, placement(was).with(is));
      if (!Renderer.keys(was).equals(Renderer.keys(is))) {
        release(was);
        claim(is);
      }
      shared.add(is, fresh);
      shared.remove(was, gone);
    }
    for (ServicePlan added : difference.added()) {
      claim(added);
      shared.add(added, fresh);
    }
    plan = next;
    delta.between(before, elements(affected));
    return delta;
  }

  /// What the table shall hold for some service ports.
  private Elements elements(Set<ServicePortName> names) {
    Elements some = new Elements();
    for (ServicePortName name : names) {
      ServicePlan service = plan.service(name);
      if (service != null) {
        render(service, some);
      }
    }
    return some;
  }

  /// The changed service ports, and those that want a front of theirs.
  private Set<ServicePortName> affected(PlanDiff difference) {
    Set<ServicePortName> affected = new LinkedHashSet<>();
    difference.removed().forEach(service -> touch(service, affected));
    difference.added().forEach(service -> touch(service, affected));
    for (PlanDiff.Change change : difference.changed()) {
      affected.add(change.after().name());
      touch(change.before(), affected);
      touch(change.after(), affected);
    }
    return affected;
  }

  private void touch(ServicePlan service, Set<ServicePortName> affected) {
    affected.add(service.name());
    for (Bytes key : Renderer.keys(service)) {
      claims.claimants(key, affected);
    }
  }
}
