package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// The load balancer addresses that the rules of this node carry, as far as Fairlead allocated
/// them. Costs what changes. Safe for any threads.
final class BalancerAddresses {
  /// The annotation `fairlead.dev/allocated-from`, which only Services have that Fairlead serves.
  private static final String ALLOCATED = "allocated-from";

  private static final String REBALANCE = "rebalance";

  /// An address and what is said of it.
  ///
  /// @param local whether traffic to it must stay on the node that it comes to
  /// @param endpoints what this node has for it; without a meaning unless `local`
  /// @param anyReady whether some node has an endpoint that is ready
  record Carried(
      SortedSet<ObjectKey> services,
      boolean local,
      LocalEndpoints endpoints,
      boolean anyReady,
      String rebalance) {}

  private final Map<IpAddress, Map<ServicePortName, ServicePlan>> plans = new HashMap<>();
  private Map<IpAddress, Carried> carried = Map.of();
  private boolean stale;

  /// Rules follow a changed plan.
  ///
  /// @return whether an address of ours is concerned
  synchronized boolean update(PlanDiff change) {
    boolean concerned = false;
    for (ServicePlan gone : change.removed()) {
      concerned |= remove(gone);
    }
    for (PlanDiff.Change each : change.changed()) {
      concerned |= remove(each.before());
      concerned |= add(each.after());
    }
    for (ServicePlan added : change.added()) {
      concerned |= add(added);
    }
    stale |= concerned;
    return concerned;
  }

  private boolean add(ServicePlan plan) {
    if (!plan.port().options().containsKey(ALLOCATED)) {
      return false;
    }
    for (IpAddress address : plan.port().loadBalancerIps()) {
      plans.computeIfAbsent(address, _ -> new HashMap<>()).put(plan.name(), plan);
    }
    return !plan.port().loadBalancerIps().isEmpty();
  }

  private boolean remove(ServicePlan plan) {
    boolean found = false;
    for (IpAddress address : plan.port().loadBalancerIps()) {
      Map<ServicePortName, ServicePlan> there = plans.get(address);
      if (there != null && there.remove(plan.name()) != null) {
        found = true;
        if (there.isEmpty()) {
          plans.remove(address);
        }
      }
    }
    return found;
  }

  /// What is carried now; the same object while nothing changes.
  synchronized Map<IpAddress, Carried> now() {
    if (stale) {
      Map<IpAddress, Carried> all = LinkedHashMap.newLinkedHashMap(plans.size());
      plans.forEach((address, there) -> all.put(address, summary(there)));
      carried = Map.copyOf(all);
      stale = false;
    }
    return carried;
  }

  /// Services that share an address and have policy Local select the same pods, so the least that
  /// one of them has counts.
  private static Carried summary(Map<ServicePortName, ServicePlan> there) {
    SortedSet<ObjectKey> services = new TreeSet<>();
    SortedSet<String> rebalance = new TreeSet<>();
    LocalEndpoints least = LocalEndpoints.READY;
    boolean local = false;
    boolean anyReady = false;
    for (ServicePlan plan : there.values()) {
      services.add(plan.name().service());
      rebalance.add(plan.port().options().getOrDefault(REBALANCE, ""));
      if (plan.port().externalLocal()) {
        local = true;
        anyReady |= plan.endpoints().stream().anyMatch(Backend::ready);
        LocalEndpoints has = endpoints(plan);
        least = has.compareTo(least) < 0 ? has : least;
      }
    }
    return new Carried(
        services, local, local ? least : LocalEndpoints.NONE, anyReady, String.join("", rebalance));
  }

  private static LocalEndpoints endpoints(ServicePlan plan) {
    if (plan.choice().local().isEmpty()) {
      return LocalEndpoints.NONE;
    }
    return plan.choice().local().stream().anyMatch(Backend::ready)
        ? LocalEndpoints.READY
        : LocalEndpoints.TERMINATING;
  }
}
