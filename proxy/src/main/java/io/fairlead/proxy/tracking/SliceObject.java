package io.fairlead.proxy.tracking;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.proxy.core.Protocol;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
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

  private static final String SERVICE_LABEL = "kubernetes.io/service-name";
  private static final String TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

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

  /// Whether an endpoint of it is on its way out: somebody may be waiting until no rule leads
  /// there.
  public boolean drains() {
    return content.endpoints().stream().anyMatch(Endpoint::terminating);
  }

  /// Reads an EndpointSlice of the API.
  public static SliceObject of(ObjectNode object) {
    ObjectMeta metadata = Slim.metadata(object);
    IpAddress.Family family =
        switch (Json.textOr(object, "", "addressType")) {
          case "IPv4" -> IpAddress.Family.IPV4;
          case "IPv6" -> IpAddress.Family.IPV6;
          default -> null;
        };
    return new SliceObject(
        metadata,
        new ObjectKey(
            metadata.key().namespace(),
            Json.textOr(object, "", "metadata", "labels", SERVICE_LABEL)),
        family,
        family == null
            ? new Content(List.of(), List.of())
            : new Content(ports(object.path("ports")), endpoints(object.path("endpoints"), family)),
        time(Json.text(object, "metadata", "annotations", TRIGGER)));
  }

  private static List<Port> ports(JsonNode list) {
    List<Port> ports = new ArrayList<>();
    for (JsonNode port : list) {
      String name = Json.text(port, "name");
      int number = port.path("port").asInt(0);
      if (name != null && number != 0) {
        ports.add(
            new Port(name.intern(), number, Protocol.of(Json.textOr(port, "TCP", "protocol"))));
      }
    }
    return ports;
  }

  private static List<Endpoint> endpoints(JsonNode list, IpAddress.Family family) {
    List<Endpoint> endpoints = new ArrayList<>();
    for (JsonNode endpoint : list) {
      IpAddress address =
          IpAddress.parseLenientOrNull(endpoint.path("addresses").path(0).asString(""));
      if (address == null || address.family() != family) {
        continue;
      }
      JsonNode conditions = endpoint.path("conditions");
      JsonNode hints = endpoint.path("hints");
      endpoints.add(
          new Endpoint(
              address,
              Json.textOr(endpoint, "", "nodeName").intern(),
              conditions.path("ready").asBoolean(true),
              conditions.path("serving").asBoolean(true),
              conditions.path("terminating").asBoolean(false),
              names(hints.path("forZones")),
              names(hints.path("forNodes"))));
    }
    return endpoints;
  }

  private static Set<String> names(JsonNode list) {
    if (list.isEmpty()) {
      return Set.of();
    }
    return StreamSupport.stream(list.spliterator(), false)
        .map(entry -> Json.textOr(entry, "", "name").intern())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static @Nullable Instant time(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      return null;
    }
  }
}
