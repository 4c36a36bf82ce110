package io.fairlead.proxy.tracking;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.proxy.core.Protocol;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// What the proxy keeps of an EndpointSlice.
///
/// @param service the Service it belongs to
/// @param family null when its addresses are host names, which no rule can use
/// @param triggerTime when the change that led to this state happened, if it says so
public record SliceObject(
    ObjectMeta metadata,
    ObjectKey service,
    IpAddress.@Nullable Family family,
    Content content,
    @Nullable Instant triggerTime)
    implements HasMetadata {

  /// What decides about rules. Equal contents need no new plan.
  public record Content(List<Port> ports, List<Endpoint> endpoints) {
    public Content {
      ports = List.copyOf(ports);
      endpoints = List.copyOf(endpoints);
    }
  }

  /// One port all endpoints of the slice have.
  public record Port(String name, int port, Protocol protocol) {}

  /// One address of the slice.
  ///
  /// @param node empty when it is not said
  public record Endpoint(
      IpAddress address,
      String node,
      boolean ready,
      boolean serving,
      boolean terminating,
      Set<String> zones,
      Set<String> nodes) {}

  /// Whether an endpoint of it is terminating: an agent may be waiting until no rule leads there.
  public boolean drains() {
    for (Endpoint endpoint : content.endpoints()) {
      if (endpoint.terminating()) {
        return true;
      }
    }
    return false;
  }

  /// Reads an EndpointSlice of the API.
  public static SliceObject of(ObjectNode object) {
    return RawObject.of(object).read(SliceObject::read);
  }

  /// Reads one from its tokens.
  public static SliceObject read(JsonParser in) {
    return SliceReader.read(in);
  }
}
