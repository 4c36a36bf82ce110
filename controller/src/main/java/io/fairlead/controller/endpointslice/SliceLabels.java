package io.fairlead.controller.endpointslice;

import io.fairlead.controller.serving.Service;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The labels of a Service's slices: its own, and three that belong to the slices.
final class SliceLabels {
  static final String SERVICE_NAME = "kubernetes.io/service-name";
  static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
  static final String HEADLESS = "service.kubernetes.io/headless";
  static final String MANAGER = "endpointslice-controller.k8s.io";

  private static final Set<String> RESERVED = Set.of(SERVICE_NAME, MANAGED_BY, HEADLESS);

  private SliceLabels() {}

  static Map<String, String> of(Service service) {
    Map<String, String> labels = copied(service.metadata().labels());
    labels.put(SERVICE_NAME, service.key().name());
    labels.put(MANAGED_BY, MANAGER);
    if (service.headless()) {
      labels.put(HEADLESS, "");
    }
    return labels;
  }

  /// Whether a slice lacks a label of its Service or has one too many; reserved ones do not count.
  static boolean drifted(Slice slice, Service service) {
    return !copied(slice.metadata().labels()).equals(copied(service.metadata().labels()));
  }

  private static Map<String, String> copied(Map<String, String> labels) {
    Map<String, String> copy = new HashMap<>(labels);
    copy.keySet().removeAll(RESERVED);
    return copy;
  }
}
