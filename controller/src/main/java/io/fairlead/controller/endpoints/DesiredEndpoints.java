package io.fairlead.controller.endpoints;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.PodAddress;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePortSpec;
import io.fairlead.controller.serving.TriggerTimeTracker;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// What the Endpoints of a Service must be. Pure.
///
/// @param subsets repacked and small enough
/// @param truncated some addresses were left out for their number
record DesiredEndpoints(
    Map<String, String> labels, List<EndpointSubset> subsets, boolean truncated) {
  private static final String HEADLESS = "service.kubernetes.io/headless";
  private static final String OVER_CAPACITY = "endpoints.kubernetes.io/over-capacity";
  private static final String TRUNCATED = "truncated";

  /// @param pods those the Service selects
  static DesiredEndpoints of(Service service, Collection<EndpointPod> pods) {
    Repacking repacking = new Repacking();
    for (EndpointPod pod : pods) {
      if (listed(service, pod)) {
        address(service, pod).ifPresent(address -> add(service, pod, address, repacking));
      }
    }
    List<EndpointSubset> all = repacking.subsets();
    return Truncation.of(all)
        // What was cut may have told two subsets apart.
        .map(some -> new DesiredEndpoints(labels(service), Repacking.of(some), true))
        .orElseGet(() -> new DesiredEndpoints(labels(service), all, false));
  }

  private static Map<String, String> labels(Service service) {
    Map<String, String> labels = new TreeMap<>(service.metadata().labels());
    labels.put(EndpointsObject.MANAGED_BY, EndpointsObject.MANAGER);
    if (service.headless()) {
      labels.put(HEADLESS, "");
    } else {
      labels.remove(HEADLESS);
    }
    return labels;
  }

  private static boolean listed(Service service, EndpointPod pod) {
    return pod.addressable() && (!pod.terminating() || service.publishNotReadyAddresses());
  }

  private static void add(
      Service service, EndpointPod pod, EndpointAddress address, Repacking repacking) {
    boolean ready = pod.ready() || service.publishNotReadyAddresses();
    if (service.ports().isEmpty() && service.headless()) {
      repacking.add(null, address, ready);
    }
    for (ServicePortSpec port : service.ports()) {
      OptionalInt number = pod.resolve(port);
      if (number.isPresent()) {
        repacking.add(
            new EndpointPort(port.name(), number.getAsInt(), port.protocol(), port.appProtocol()),
            address,
            ready);
      }
    }
  }

  private static Optional<EndpointAddress> address(Service service, EndpointPod pod) {
    return published(service, pod)
        .filter(DesiredEndpoints::isPublishable)
        .map(
            address ->
                new EndpointAddress(
                    address.text(),
                    pod.hostnameIn(service),
                    pod.nodeName(),
                    Optional.of(
                        AddressTargetRef.pod(
                            pod.key().namespace(), pod.key().name(), pod.metadata().uid()))));
  }

  /// The address of the Service's first family; where it has none, the pod's own first one.
  private static Optional<PodAddress> published(Service service, EndpointPod pod) {
    boolean undecided =
        service.families().isEmpty() && IpAddress.parseOrNull(service.clusterIp()) == null;
    if (undecided) {
      return Optional.of(pod.addresses().getFirst());
    }
    Family family = service.servedFamilies().getFirst();
    return pod.address(family);
  }

  /// An API server refuses the whole object for one address that means something else on every
  /// machine; so such a pod is left out.
  private static boolean isPublishable(PodAddress text) {
    IpAddress address = IpAddress.parse(text.text());
    return !address.isUnspecified()
        && !address.isLoopback()
        && !address.isLinkLocalUnicast()
        && !address.isMulticast()
        && !address.isIpv4Mapped();
  }

  /// Whether an object already says all this.
  boolean isIn(EndpointsObject present) {
    boolean annotated = TRUNCATED.equals(present.annotations().get(OVER_CAPACITY));
    return annotated == truncated
        && (truncated || !present.annotations().containsKey(OVER_CAPACITY))
        && present.metadata().labels().equals(labels)
        && present.content().equals(Fingerprint.of(subsets));
  }

  /// The object to write.
  ///
  /// @param present what it replaces; what others put there stays
  /// @param trigger when the change happened that makes us write
  ObjectNode object(Service service, Optional<EndpointsObject> present, Optional<Instant> trigger) {
    ObjectNode object = Json.object().put("kind", "Endpoints").put("apiVersion", "v1");
    ObjectNode metadata =
        object
            .putObject("metadata")
            .put("name", service.key().name())
            .put("namespace", service.key().namespace());
    present.ifPresent(
        old -> {
          metadata
              .put("uid", old.metadata().uid())
              .put("resourceVersion", old.metadata().resourceVersion());
          old.held().ifPresent(held -> metadata.setAll(held.deepCopy()));
        });
    labels.forEach(Json.child(metadata, "labels")::put);
    Map<String, String> annotations =
        new HashMap<>(present.map(EndpointsObject::annotations).orElse(Map.of()));
    annotations.remove(TriggerTimeTracker.ANNOTATION);
    annotations.remove(OVER_CAPACITY);
    trigger.ifPresent(time -> annotations.put(TriggerTimeTracker.ANNOTATION, time.toString()));
    if (truncated) {
      annotations.put(OVER_CAPACITY, TRUNCATED);
    }
    if (!annotations.isEmpty()) {
      new TreeMap<>(annotations).forEach(Json.child(metadata, "annotations")::put);
    }
    if (!subsets.isEmpty()) {
      object.set("subsets", EndpointSubset.toJson(subsets));
    }
    return object;
  }
}
