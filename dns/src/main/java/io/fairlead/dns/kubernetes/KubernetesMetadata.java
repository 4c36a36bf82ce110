package io.fairlead.dns.kubernetes;

import java.util.List;
import java.util.Map;

/// What the labels of a cluster name stand for, for logs.
final class KubernetesMetadata {
  private KubernetesMetadata() {}

  /// @param labels left of the zone
  static void add(Map<String, String> facts, List<String> labels) {
    int size = labels.size();
    if (size < 3) {
      return;
    }
    facts.put("kubernetes/kind", labels.get(size - 1));
    facts.put("kubernetes/namespace", labels.get(size - 2));
    facts.put("kubernetes/service", labels.get(size - 3));
    if (size == 4) {
      facts.put("kubernetes/endpoint", labels.get(0));
    }
    if (size == 5) {
      facts.put("kubernetes/port-name", strip(labels.get(0)));
      facts.put("kubernetes/protocol", strip(labels.get(1)));
    }
  }

  private static String strip(String label) {
    return label.startsWith("_") ? label.substring(1) : label;
  }
}
