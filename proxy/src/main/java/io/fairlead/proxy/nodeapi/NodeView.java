package io.fairlead.proxy.nodeapi;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.RelayedChoice;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.runtime.WrittenState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/// What the node API reads of the proxy. Nothing of it waits.
public interface NodeView {
  String nodeName();

  /// Of this program.
  String version();

  ProxyMode mode();

  /// What the rules of each family follow.
  Map<IpAddress.Family, WrittenState> written();

  /// What the proxy did to its rules, and what others did to them.
  ChangeRing changes();

  /// What the kernel has for a plan, in a mode that can be read back so.
  ///
  /// @throws io.fairlead.proxy.core.DataPlaneException when the kernel cannot be asked
  AuditReport audit(ProxyMode mode, Plan plan);

  /// What the relay of the userspace mode did lately for a client's connection; empty in other
  /// modes.
  default Optional<RelayedChoice> relayed(IpAddress client, int clientPort) {
    return Optional.empty();
  }

  /// The newest packets that NetworkPolicies dropped on this node; empty where no component that
  /// enforces them answers.
  default Optional<ArrayNode> policyDrops() {
    return Optional.empty();
  }

  /// The service ports the rules follow, of one namespace or of all.
  ///
  /// @param namespace empty for all
  /// @param service empty for all of the namespace
  default List<ServicePlan> services(String namespace, String service) {
    List<ServicePlan> found = new ArrayList<>();
    written()
        .values()
        .forEach(
            state ->
                state.plan().sorted().stream()
                    .filter(
                        each ->
                            (namespace.isEmpty()
                                    || each.name().service().namespace().equals(namespace))
                                && (service.isEmpty()
                                    || each.name().service().name().equals(service)))
                    .forEach(found::add));
    return found;
  }
}
