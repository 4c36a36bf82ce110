package io.fairlead.controller.endpointslice;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// An EndpointSlice as it is stored. Immutable.
///
/// @param addressType `IPv4`, `IPv6`, or what else there may be
record Slice(
    ObjectMeta metadata,
    String generateName,
    Map<String, String> annotations,
    String addressType,
    List<SliceEndpoint> endpoints,
    List<SlicePort> ports)
    implements HasMetadata {

  Slice {
    annotations = Map.copyOf(annotations);
    endpoints = List.copyOf(endpoints);
    ports = List.copyOf(ports);
  }

  static Slice of(ObjectNode object) {
    return RawObject.of(object).read(Slice::read);
  }

  /// Reads one from its tokens.
  static Slice read(JsonParser in) {
    V1EndpointSlice slice = V1EndpointSlice.read(in, FieldMask.ALL);
    List<SliceEndpoint> endpoints = new ArrayList<>(slice.endpoints().size());
    for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
      endpoints.add(SliceEndpoint.of(endpoint));
    }
    List<SlicePort> ports = new ArrayList<>(slice.ports().size());
    for (V1EndpointSlice.Port port : slice.ports()) {
      ports.add(SlicePort.of(port));
    }
    return new Slice(
        slice.metadata(),
        slice.generateName(),
        slice.annotations(),
        slice.addressType(),
        endpoints,
        ports);
  }

  String uid() {
    return metadata.uid();
  }

  /// The Service it says it belongs to; its name is empty when it says nothing.
  ObjectKey service() {
    return new ObjectKey(
        metadata.namespace(), metadata.labels().getOrDefault(SliceLabels.SERVICE_NAME, ""));
  }

  boolean managedByUs() {
    return SliceLabels.MANAGER.equals(metadata.labels().get(SliceLabels.MANAGED_BY));
  }

  /// Whether it belongs to the Service with this uid, and not to one of the same name before it.
  boolean ownedBy(String serviceUid) {
    return metadata.ownerReferences().stream()
        .anyMatch(
            owner ->
                owner.uid().equals(serviceUid)
                    && owner.kind().equals("Service")
                    && owner.apiVersion().equals("v1"));
  }

  /// Its ports, whatever their order: what slices are grouped by.
  Set<SlicePort> portSet() {
    return Set.copyOf(ports);
  }

  boolean hasHints() {
    return endpoints.stream().anyMatch(endpoint -> !endpoint.hints().isNone());
  }
}
