package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable.FlowPattern;
import io.fairlead.proxy.conntrack.ConntrackTable.Socket;
import io.fairlead.proxy.conntrack.ConntrackTable.UdpFlow;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Says which UDP conversations must be forgotten after a change of plan. Pure.
///
/// UDP has no end: a client that keeps its port keeps its conversation, and the kernel would send
/// its packets to an endpoint that is gone for as long as it talks. TCP ends by itself. An endpoint
/// that terminates but still serves keeps its conversations.
///
/// Of a node port only the port is known, and other programs may talk on the same port of another
/// address. So a conversation on the node port of a Service without endpoints is stale only when
/// its destination was translated. That also holds for a proxy that was down when the endpoint went
/// and does not know which one it was. The original keeps all of them (vector C2).
public final class StaleFlows {
  private static final int MOST_PATTERNS = 16;

  private final Map<Socket, Set<Socket>> addresses = new HashMap<>();
  private final Map<Integer, Set<Socket>> nodePorts = new HashMap<>();
  private final Map<Integer, Set<Socket>> goneNodePorts = new HashMap<>();

  /// Who answered before.
  private final Set<Socket> former = new HashSet<>();

  private StaleFlows() {}

  public static StaleFlows of(PlanDiff diff) {
    StaleFlows stale = new StaleFlows();
    for (ServicePlan removed : diff.removed()) {
      stale.removed(removed, removed.fronts());
    }
    for (PlanDiff.Change change : diff.changed()) {
      // An address or node port the Service has lost while it goes on with others.
      List<Frontend> lost = new ArrayList<>(change.before().fronts());
      lost.removeIf(front -> change.after().fronts().stream().anyMatch(is -> same(front, is)));
      stale.removed(change.before(), lost);
      change.before().endpoints().forEach(each -> stale.former.add(socket(each)));
    }
    // After what was removed: an address that one Service gave up may be another's now.
    diff.changed().forEach(change -> stale.present(change.after()));
    diff.added().forEach(stale::present);
    return stale;
  }

  private static boolean same(Frontend one, Frontend other) {
    return one.port() == other.port() && Objects.equals(one.address(), other.address());
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
    for (Frontend front : plan.fronts()) {
      IpAddress address = front.address();
      if (address != null) {
        addresses.put(new Socket(address, front.port()), serving);
      } else {
        nodePorts.put(front.port(), serving);
      }
    }
  }

  private void removed(ServicePlan plan, List<Frontend> fronts) {
    if (plan.port().protocol() != Protocol.UDP) {
      return;
    }
    Set<Socket> former =
        plan.endpoints().stream().map(StaleFlows::socket).collect(Collectors.toSet());
    for (Frontend front : fronts) {
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

  /// Patterns of conversations that are all stale, for tables that forget by patterns. Not
  /// complete: [#isStale] finds the others.
  ///
  /// @return empty when there are so many that to read the table is quicker
  public List<FlowPattern> patterns() {
    List<FlowPattern> patterns = new ArrayList<>();
    addresses.forEach(
        (front, serving) -> patterns.addAll(patterns(front.address(), front.port(), serving)));
    Set<Integer> shared = addresses.keySet().stream().map(Socket::port).collect(Collectors.toSet());
    nodePorts.forEach(
        (port, serving) -> {
          // An address of a Service may have a port of that number, with other endpoints.
          if (!shared.contains(port)) {
            patterns.addAll(patterns(null, port, serving));
          }
        });
    goneNodePorts.forEach(
        (port, answered) -> {
          if (!shared.contains(port) && !nodePorts.containsKey(port)) {
            answered.forEach(each -> patterns.add(new FlowPattern(null, port, each, false)));
          }
        });
    return patterns.size() > MOST_PATTERNS ? List.of() : patterns;
  }

  private List<FlowPattern> patterns(
      @Nullable IpAddress destination, int port, Set<Socket> serving) {
    if (serving.isEmpty()) {
      return List.of(new FlowPattern(destination, port, null, destination == null));
    }
    return former.stream()
        .filter(each -> !serving.contains(each))
        .map(each -> new FlowPattern(destination, port, each, false))
        .toList();
  }

  /// Whether a conversation goes to an endpoint it must not go to any more.
  public boolean isStale(UdpFlow flow) {
    Set<Socket> serving = addresses.get(flow.destination());
    if (serving != null) {
      return !serving.contains(flow.replySource());
    }
    int port = flow.destination().port();
    Set<Socket> ofNodePort = nodePorts.get(port);
    if (ofNodePort == null) {
      return goneNodePorts.getOrDefault(port, Set.of()).contains(flow.replySource());
    }
    return ofNodePort.isEmpty()
        ? !flow.replySource().equals(flow.destination())
        : !ofNodePort.contains(flow.replySource());
  }
}
