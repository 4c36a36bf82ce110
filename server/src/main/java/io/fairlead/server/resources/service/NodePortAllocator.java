package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.allocation.NodePortRange;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.store.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The node ports of one Service in one write. A claim is a key of its own, stored in the same
/// commit as the Service on condition that there is none, as with addresses.
final class NodePortAllocator {
  private final NodePortRange range;
  private final RequestContext context;
  private final ObjectNode service;
  private final Set<Integer> held;
  private final Set<Integer> claimed = new HashSet<>();
  private final List<Write> writes = new ArrayList<>();

  NodePortAllocator(
      NodePortRange range, RequestContext context, ObjectNode service, @Nullable JsonNode before) {
    this.range = range;
    this.context = context;
    this.service = service;
    this.held = before == null ? Set.of() : ServiceClaims.nodePorts(before);
  }

  /// Fills in node ports and the health check's, and returns the claims that are new.
  List<Write> claim() {
    ObjectNode spec = Json.child(service, "spec");
    if (ServiceSpec.needsNodePorts(spec)) {
      claimPorts(spec);
    }
    if (ServiceSpec.needsHealthCheckPort(spec)) {
      claimHealthCheck(spec);
    }
    return writes;
  }

  /// Gives back the ports that `before` holds and `now` does not.
  static List<Write> release(JsonNode before, @Nullable JsonNode now) {
    Set<Integer> free = ServiceClaims.nodePorts(before);
    if (now != null && ServiceSpec.needsNodePorts(now)) {
      Set<Integer> kept = ServiceSpec.nodePorts(now);
      if (ServiceSpec.needsHealthCheckPort(now)) {
        kept.add(now.path("healthCheckNodePort").asInt(0));
      }
      free.removeAll(kept);
    }
    List<Write> writes = new ArrayList<>();
    free.forEach(port -> writes.add(new Write.Delete(ServiceClaims.NODE_PORTS + port, Write.ANY)));
    return writes;
  }

  /// Ports of one number share a node port across protocols, as far as none asks for another.
  private void claimPorts(ObjectNode spec) {
    Map<Integer, Integer> byPort = new HashMap<>();
    int index = 0;
    for (JsonNode port : spec.path("ports")) {
      int number = port.path("port").asInt(0);
      int wish = port.path("nodePort").asInt(0);
      Integer shared = byPort.get(number);
      if (wish == 0 && !ServiceSpec.allocatesNodePorts(spec)) {
        index++;
        continue;
      }
      int chosen = wish;
      if (wish == 0) {
        chosen = shared != null ? shared : requested(spec, number);
      }
      if (chosen == 0) {
        chosen = claimAny();
      } else if (shared == null || chosen != shared) {
        claimGiven(chosen, index);
      }
      byPort.putIfAbsent(number, chosen);
      if (port instanceof ObjectNode one) {
        one.put("nodePort", chosen);
      }
      index++;
    }
  }

  /// The node port that some port of that number asks for, or 0.
  private static int requested(JsonNode spec, int number) {
    for (JsonNode port : spec.path("ports")) {
      if (port.path("port").asInt(0) == number && port.path("nodePort").asInt(0) != 0) {
        return port.path("nodePort").asInt(0);
      }
    }
    return 0;
  }

  private void claimGiven(int port, int index) {
    if (held.contains(port) && claimed.add(port)) {
      return;
    }
    String why = refusal(port);
    if (!why.isEmpty()) {
      throw ApiException.invalid(
          "",
          "Service",
          name(),
          List.of(FieldError.invalid("spec.ports[" + index + "].nodePort", port, why)));
    }
    put(port);
  }

  private int claimAny() {
    // Another one may have chosen the same a moment ago: the commit notices.
    int port = range.pick(candidate -> seemsFree(candidate), context.random());
    if (port == NodePortRange.NONE) {
      port = range.pick(candidate -> isFree(candidate), context.random());
    }
    if (port == NodePortRange.NONE) {
      throw ApiException.internal("failed to allocate a nodePort: range is full");
    }
    put(port);
    return port;
  }

  private void claimHealthCheck(ObjectNode spec) {
    int port = spec.path("healthCheckNodePort").asInt(0);
    if (port == 0) {
      spec.put("healthCheckNodePort", claimAny());
      return;
    }
    if (!NameValidation.portNumber(port).isEmpty()) {
      // No port at all; validation says so.
      return;
    }
    if (held.contains(port)) {
      return;
    }
    String why = refusal(port);
    if (!why.isEmpty()) {
      throw ApiException.internal(
          "failed to allocate requested HealthCheck NodePort " + port + ": " + why);
    }
    put(port);
  }

  private String refusal(int port) {
    if (!range.contains(port)) {
      return "provided port is not in the valid range. The range of valid ports is " + range;
    }
    return isFree(port) ? "" : "provided port is already allocated";
  }

  private boolean isFree(int port) {
    return !claimed.contains(port) && !context.reader().isClaimed(ServiceClaims.NODE_PORTS + port);
  }

  private boolean seemsFree(int port) {
    return !claimed.contains(port)
        && !context.reader().isKnownClaim(ServiceClaims.NODE_PORTS + port);
  }

  private void put(int port) {
    claimed.add(port);
    writes.add(ServiceClaims.nodePort(port, context.namespace(), name()));
  }

  private String name() {
    return service.at("/metadata/name").asString("");
  }
}
