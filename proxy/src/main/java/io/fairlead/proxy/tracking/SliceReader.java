package io.fairlead.proxy.tracking;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.tracking.SliceObject.Content;
import io.fairlead.proxy.tracking.SliceObject.Endpoint;
import io.fairlead.proxy.tracking.SliceObject.Port;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/// Keeps of an EndpointSlice what the proxy needs.
final class SliceReader {
  private static final FieldMask FIELDS =
      FieldMask.of(FieldMask.Part.HINTS)
          .labels(V1EndpointSlice.SERVICE_LABEL)
          .annotations(V1EndpointSlice.TRIGGER_ANNOTATION);

  private SliceReader() {}

  static SliceObject read(JsonParser in) {
    V1EndpointSlice slice = V1EndpointSlice.read(in, FIELDS);
    IpAddress.Family family = family(slice.addressType());
    Content content =
        family == null
            ? new Content(List.of(), List.of())
            : new Content(ports(slice), endpoints(slice, family));
    return new SliceObject(
        ObjectMeta.of(slice.metadata().key(), slice.metadata().resourceVersion()),
        slice.service(),
        family,
        content,
        time(slice.annotations().get(V1EndpointSlice.TRIGGER_ANNOTATION)));
  }

  private static IpAddress.@Nullable Family family(String type) {
    return switch (type) {
      case "IPv4" -> IpAddress.Family.IPV4;
      case "IPv6" -> IpAddress.Family.IPV6;
      default -> null;
    };
  }

  private static List<Port> ports(V1EndpointSlice slice) {
    List<Port> ports = new ArrayList<>(slice.ports().size());
    for (V1EndpointSlice.Port port : slice.ports()) {
      String name = port.name();
      if (name != null && port.port() != 0) {
        ports.add(new Port(name, port.port(), Protocol.of(port.protocol())));
      }
    }
    return ports;
  }

  private static List<Endpoint> endpoints(V1EndpointSlice slice, IpAddress.Family family) {
    List<Endpoint> endpoints = new ArrayList<>(slice.endpoints().size());
    for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
      // Only the first address counts.
      IpAddress address =
          endpoint.addresses().isEmpty()
              ? null
              : IpAddress.parseLenientOrNull(endpoint.addresses().getFirst());
      if (address != null && address.family() == family) {
        endpoints.add(
            new Endpoint(
                address,
                endpoint.nodeName(),
                !Boolean.FALSE.equals(endpoint.ready()),
                !Boolean.FALSE.equals(endpoint.serving()),
                Boolean.TRUE.equals(endpoint.terminating()),
                names(endpoint.forZones()),
                names(endpoint.forNodes())));
      }
    }
    return endpoints;
  }

  private static Set<String> names(List<String> hints) {
    return hints.isEmpty() ? Set.of() : Set.copyOf(hints);
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
