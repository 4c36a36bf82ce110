package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.client.OwnerReference;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.TriggerTimeTracker;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A draft as the object that is sent.
///
/// What belongs to others on a slice that is overwritten stays: their annotations, finalizers and
/// owner references. Its version is sent along, so a slice that another client has just written is
/// looked at again instead.
final class SliceBody {
  private SliceBody() {}

  /// @param trigger when what caused this happened, if that is known
  static ObjectNode of(SliceDraft draft, Service service, Optional<Instant> trigger) {
    ObjectNode body =
        Json.object().put("kind", "EndpointSlice").put("apiVersion", "discovery.k8s.io/v1");
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("namespace", service.key().namespace());
    draft.base().ifPresentOrElse(base -> existing(metadata, base), () -> fresh(metadata, service));
    put(metadata.putObject("labels"), SliceLabels.of(service));
    annotate(metadata, draft, trigger);
    body.put("addressType", draft.addressType());
    ArrayNode endpoints = body.putArray("endpoints");
    draft.endpoints().forEach(endpoint -> endpoints.add(endpoint.toJson()));
    ArrayNode ports = body.putArray("ports");
    draft.ports().forEach(port -> ports.add(port.toJson()));
    return body;
  }

  /// What the server makes a name from.
  static String prefix(String service) {
    String dashed = service + "-";
    return NameValidation.dns1123Subdomain(dashed + "x").isEmpty() ? dashed : service;
  }

  private static void fresh(ObjectNode metadata, Service service) {
    metadata.put("generateName", prefix(service.key().name()));
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Service")
        .put("name", service.key().name())
        .put("uid", service.metadata().uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }

  private static void existing(ObjectNode metadata, Slice base) {
    metadata.put("name", base.metadata().name());
    if (!base.generateName().isEmpty()) {
      metadata.put("generateName", base.generateName());
    }
    metadata.put("uid", base.uid());
    metadata.put("resourceVersion", base.metadata().resourceVersion());
    ArrayNode owners = metadata.putArray("ownerReferences");
    for (OwnerReference owner : base.metadata().ownerReferences()) {
      ObjectNode reference =
          owners
              .addObject()
              .put("apiVersion", owner.apiVersion())
              .put("kind", owner.kind())
              .put("name", owner.name())
              .put("uid", owner.uid());
      if (owner.controller()) {
        reference.put("controller", true);
      }
      if (owner.blockOwnerDeletion()) {
        reference.put("blockOwnerDeletion", true);
      }
    }
    if (!base.metadata().finalizers().isEmpty()) {
      ArrayNode finalizers = metadata.putArray("finalizers");
      base.metadata().finalizers().forEach(finalizers::add);
    }
  }

  private static void annotate(ObjectNode metadata, SliceDraft draft, Optional<Instant> trigger) {
    Map<String, String> annotations =
        new TreeMap<>(draft.base().map(Slice::annotations).orElse(Map.of()));
    annotations.remove(TriggerTimeTracker.ANNOTATION);
    trigger.ifPresent(time -> annotations.put(TriggerTimeTracker.ANNOTATION, time.toString()));
    if (!annotations.isEmpty()) {
      put(metadata.putObject("annotations"), annotations);
    }
  }

  private static void put(ObjectNode object, Map<String, String> texts) {
    new TreeMap<>(texts).forEach(object::put);
  }
}
