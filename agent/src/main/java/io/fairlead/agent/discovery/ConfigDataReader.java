package io.fairlead.agent.discovery;

import java.util.Map;
import java.util.Optional;

/// Reads what a pod's environment and volumes refer to.
public interface ConfigDataReader {
  /// The data of a ConfigMap as text; empty when there is no such object.
  Optional<Map<String, byte[]>> configMap(String namespace, String name);

  /// The data of a Secret, decoded; empty when there is no such object.
  Optional<Map<String, byte[]>> secret(String namespace, String name);
}
