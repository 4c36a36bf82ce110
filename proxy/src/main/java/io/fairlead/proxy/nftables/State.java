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
  /// A service port and how its endpoints are numbered.
  private record Held(ServicePlan plan, Placement placement) {}

  private final Map<ServicePortName, Held> services = new HashMap<>();
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
    Delta ignored = new Delta();
    plan.services()
        .forEach(
            (name, service) -> {
              Placement placement = placements.apply(service).with(service);
              state.services.put(name, new Held(service, placement));
              Renderer.keys(service).forEach(key -> state.claims.claim(key, name));
              state.shared.add(service, ignored);
            });
    return state;
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
    return services.size();
  }

  /// Everything the table shall hold.
  Elements elements() {
    Elements all = new Elements();
    render(all);
    return all;
  }

  /// The same, one after another, each key once.
  void render(ElementSink into) {
    services.forEach((name, held) -> render(name, held, into));
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

  private void render(ServicePortName name, Held held, ElementSink into) {
    renderer.render(held.plan, held.placement, key -> claims.owns(key, name), into);
  }

  /// Goes on to another plan of the same node.
  ///
  /// @return what the table needs for that, without the chains of new actions
  Delta change(Plan next, PlanDiff difference) {
    Set<ServicePortName> affected = affected(difference);
    Delta delta = new Delta();
    Elements before = new Elements();
    for (ServicePortName name : affected) {
      Held held = services.get(name);
      if (held != null) {
        render(name, held, before);
      }
    }
    for (ServicePlan removed : difference.removed()) {
      Renderer.keys(removed).forEach(key -> claims.release(key, removed.name()));
      services.remove(removed.name());
      shared.remove(removed, delta);
    }
    for (PlanDiff.Change change : difference.changed()) {
      replace(change, delta);
    }
    for (ServicePlan added : difference.added()) {
      services.put(added.name(), new Held(added, Placement.NONE.with(added)));
      Renderer.keys(added).forEach(key -> claims.claim(key, added.name()));
      shared.add(added, delta);
    }
    Elements after = new Elements();
    for (ServicePortName name : affected) {
      Held held = services.get(name);
      if (held != null) {
        render(name, held, after);
      }
    }
    delta.between(before, after);
    plan = next;
    return delta;
  }

  private void replace(PlanDiff.Change change, Delta delta) {
    ServicePlan after = change.after();
    ServicePortName name = after.name();
    Held held = services.get(name);
    Placement placement = held == null ? Placement.NONE : held.placement;
    List<Bytes> old = Renderer.keys(change.before());
    List<Bytes> wanted = Renderer.keys(after);
    if (!old.equals(wanted)) {
      old.forEach(key -> claims.release(key, name));
      wanted.forEach(key -> claims.claim(key, name));
    }
    shared.add(after, delta);
    shared.remove(change.before(), delta);
    services.put(name, new Held(after, placement.with(after)));
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
    Renderer.keys(service).forEach(key -> claims.claimants(key, affected));
  }
}
