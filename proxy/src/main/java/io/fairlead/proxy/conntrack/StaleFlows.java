package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.FlowTable.Socket;
import io.fairlead.proxy.conntrack.FlowTable.UdpFlow;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Front;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Says which UDP conversations must be forgotten after a change of plan. Pure.
///
/// UDP has no end: a client that keeps its port keeps its conversation, and the kernel would send
/// its packets to an endpoint that is gone for as long as it talks. TCP ends by itself. An endpoint
/// that terminates but still serves keeps its conversations.
public final class StaleFlows {
  private final Map<Socket, Set<Socket>> addresses = new HashMap<>();
  private final Map<Integer, Set<Socket>> nodePorts = new HashMap<>();
  private final Map<Integer, Set<Socket>> goneNodePorts = new HashMap<>();

  private StaleFlows() {}

  public static StaleFlows of(PlanDiff diff) {
    StaleFlows stale = new StaleFlows();
    for (ServicePlan removed : diff.removed()) {
      stale.removed(removed);
    }
    diff.changed().forEach(change -> stale.present(change.after()));
    diff.added().forEach(stale::present);
    return stale;
  }

  /// Whether no UDP service port changed, so that the table need not be read.
  public boolean isEmpty() {
    return addresses.isEmpty() && nodePorts.isEmpty() && goneNodePorts.isEmpty();
  }

  private void present(ServicePlan plan) {
    if (plan.port().protocol() != Protocol.UDP) {
      return;
    }
    Set<Socket> serving =
        plan.endpoints().stream()
            .filter(Backend::serving)
            .map(StaleFlows::socket)
            .collect(Collectors.toSet());
    for (Front front : plan.fronts()) {
      IpAddress address = front.address();
      if (address != null) {
        addresses.put(new Socket(address, front.port()), serving);
      } else if (!serving.isEmpty()) {
        // Only the port is known of a node port: without endpoints to compare with, somebody
        // else's conversation on that port could be hit.
        nodePorts.put(front.port(), serving);
      }
    }
  }

  private void removed(ServicePlan plan) {
    if (plan.port().protocol() != Protocol.UDP) {
      return;
    }
    Set<Socket> former =
        plan.endpoints().stream().map(StaleFlows::socket).collect(Collectors.toSet());
    for (Front front : plan.fronts()) {
      IpAddress address = front.address();
      if (address != null) {
        addresses.put(new Socket(address, front.port()), Set.of());
      } else {
        goneNodePorts.put(front.port(), former);
      }
    }
  }

  private static Socket socket(Backend endpoint) {
    return new Socket(endpoint.address(), endpoint.port());
  }

  /// Whether a conversation goes to an endpoint it must not go to any more.
  public boolean isStale(UdpFlow flow) {
    Set<Socket> serving = addresses.get(flow.destination());
    if (serving != null) {
      return !serving.contains(flow.replySource());
    }
    int port = flow.destination().port();
    Set<Socket> ofNodePort = nodePorts.get(port);
    if (ofNodePort != null) {
      return !ofNodePort.contains(flow.replySource());
    }
    return goneNodePorts.getOrDefault(port, Set.of()).contains(flow.replySource());
  }
}
