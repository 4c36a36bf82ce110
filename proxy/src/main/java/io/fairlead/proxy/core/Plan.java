package io.fairlead.proxy.core;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a node's data plane shall do in one family. Immutable; a plan made from another shares what
/// did not change.
///
/// @param endpointCount endpoints of all service ports, used or not
public record Plan(
    NodeFacts node, PersistentMap<ServicePortName, ServicePlan> services, int endpointCount) {

  /// A plan without Services.
  public static Plan empty(NodeFacts node) {
    return new Plan(node, PersistentMap.empty(), 0);
  }

  /// A plan of many service ports at once; of two with one name the latter counts.
  public static Plan of(NodeFacts node, List<ServicePlan> services) {
    Map<ServicePortName, ServicePlan> byName = HashMap.newHashMap(services.size());
    services.forEach(service -> byName.put(service.name(), service));
    int endpoints = 0;
    for (ServicePlan service : byName.values()) {
      endpoints += service.endpoints().size();
    }
    return new Plan(node, PersistentMap.of(byName), endpoints);
  }

  /// The plan with that service port in place of what it had under the name.
  public Plan with(ServicePlan service) {
    ServicePlan old = services.get(service.name());
    return new Plan(
        node,
        services.with(service.name(), service),
        endpointCount + service.endpoints().size() - count(old));
  }

  /// The plan without that service port.
  public Plan without(ServicePortName name) {
    return new Plan(node, services.without(name), endpointCount - count(services.get(name)));
  }

  /// The same Services decided for other facts about the node.
  public Plan under(NodeFacts facts) {
    return of(
        facts,
        services.values().stream()
            .map(each -> ServicePlan.of(each.port(), each.endpoints(), facts))
            .toList());
  }

  public @Nullable ServicePlan service(ServicePortName name) {
    return services.get(name);
  }

  /// All service ports by name; for modes and people that need an order.
  public List<ServicePlan> sorted() {
    return services.values().stream().sorted(Comparator.comparing(ServicePlan::name)).toList();
  }

  private static int count(@Nullable ServicePlan service) {
    return service == null ? 0 : service.endpoints().size();
  }
}
