package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.SetElement;
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
/// transaction fails it may be wrong, and the plane drops it.
final class ExpectedTable {
  /// How the endpoints of service ports are numbered where that does not follow from the plan: ten
  /// thousand that are as they came need not be held twice.
  private final Map<ServicePortName, EndpointNumbering> placements = new HashMap<>();

  private final FrontendOwners claims = new FrontendOwners();
  private final SharedElements shared = new SharedElements();
  private final ChainActionNumbers actions;
  private final NftablesRenderer renderer;
  private Plan plan;

  private ExpectedTable(Plan plan, ChainActionNumbers actions) {
    this.plan = plan;
    this.actions = actions;
    this.renderer = new NftablesRenderer(actions::number);
  }

  /// The state for a plan.
  ///
  /// @param actions with the numbers to keep
  /// @param placements how the endpoints of a service port are numbered now
  static ExpectedTable of(
      Plan plan, ChainActionNumbers actions, Function<ServicePlan, EndpointNumbering> placements) {
    ExpectedTable state = new ExpectedTable(plan, actions);
    plan.services()
        .forEach(
            (_, service) -> {
              EndpointNumbering there = placements.apply(service);
              if (!there.isEmpty()) {
                state.place(service, there.with(service));
              }
              state.claim(service);
              state.shared.add(service, (_, _) -> {});
            });
    return state;
  }

  private void place(ServicePlan service, EndpointNumbering placement) {
    if (placement.isNatural(service)) {
      placements.remove(service.name());
    } else {
      placements.put(service.name(), placement);
    }
  }

  private EndpointNumbering placement(ServicePlan service) {
    EndpointNumbering kept = placements.get(service.name());
    return kept == null ? EndpointNumbering.NONE.with(service) : kept;
  }

  private void claim(ServicePlan service) {
    for (NftData key : NftablesRenderer.keys(service)) {
      claims.claim(key, service.name());
    }
  }

  private void release(ServicePlan service) {
    for (NftData key : NftablesRenderer.keys(service)) {
      claims.release(key, service.name());
    }
  }

  Plan plan() {
    return plan;
  }

  ChainActionNumbers actions() {
    return actions;
  }

  boolean owns(NftData key, ServicePortName name) {
    return claims.owns(key, name);
  }

  int services() {
    return plan.services().size();
  }

  /// Everything the table shall hold.
  IndexedElements elements() {
    IndexedElements all = new IndexedElements();
    render(all);
    return all;
  }

  /// The same, one after another, each key once.
  void render(ElementSink into) {
    plan.services().forEach((_, service) -> render(service, into));
    shared.all(into);
    nodePortAddresses(into);
    for (ChainAction action : actions.used()) {
      containers(action).forEach(container -> into.put(container, actionElement(action)));
    }
  }

  /// The verdict maps an action belongs into.
  static List<ProxySet> containers(ChainAction action) {
    return action instanceof ChainAction.Split
        ? List.of(ProxySet.ACTIONS)
        : List.of(ProxySet.ACTIONS, ProxySet.LEAVES);
  }

  SetElement actionElement(ChainAction action) {
    return SetElement.of(PacketTag.bytes(actions.number(action)), NftVerdict.go(action.chain()));
  }

  private void nodePortAddresses(ElementSink into) {
    if (plan.node().nodePortAddresses() instanceof NodePortAddresses.Only(var addresses)) {
      for (IpAddress address : addresses) {
        if (address.family() == plan.node().family() && !address.isLoopback()) {
          into.put(ProxySet.NODE_PORT_IPS, SetElement.of(NftablesTableLayout.address(address)));
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
  ElementDiff change(Plan next, PlanDiff difference) {
    Set<ServicePortName> affected = affected(difference);
    IndexedElements before = new IndexedElements();
    render(affected, before);
    IndexedElements needed = new IndexedElements();
    SharedElements.Sink fresh =
        (container, each) -> needed.put(container, SharedElements.element(container, each));
    SharedElements.Sink gone =
        (container, each) -> before.put(container, SharedElements.element(container, each));
    for (ServicePlan removed : difference.removed()) {
      release(removed);
      placements.remove(removed.name());
      shared.remove(removed, gone);
    }
    for (PlanDiff.Change change : difference.changed()) {
      ServicePlan was = change.before();
      ServicePlan is = change.after();
      place(is, placement(was).with(is));
      if (!NftablesRenderer.keys(was).equals(NftablesRenderer.keys(is))) {
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
    ElementDiff elements = new ElementDiff(before);
    needed.forEach(elements);
    render(affected, elements);
    return elements.finish();
  }

  /// What the table shall hold for some service ports.
  private void render(Set<ServicePortName> names, ElementSink into) {
    for (ServicePortName name : names) {
      ServicePlan service = plan.service(name);
      if (service != null) {
        render(service, into);
      }
    }
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
    for (NftData key : NftablesRenderer.keys(service)) {
      claims.claimants(key, affected);
    }
  }
}
