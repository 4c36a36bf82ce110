package io.fairlead.controller.placement;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Node;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Why a node does not want pods.
///
/// @param effect `NoSchedule`, `PreferNoSchedule` or `NoExecute`
public record Taint(String key, String value, String effect) {
  public static final String NO_SCHEDULE = "NoSchedule";
  public static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";
  public static final String NO_EXECUTE = "NoExecute";
  public static final String NOT_READY = "node.kubernetes.io/not-ready";
  public static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  public static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
  public static final String MEMORY_PRESSURE = "node.kubernetes.io/memory-pressure";
  public static final String DISK_PRESSURE = "node.kubernetes.io/disk-pressure";
  public static final String PID_PRESSURE = "node.kubernetes.io/pid-pressure";
  public static final String NETWORK_UNAVAILABLE = "node.kubernetes.io/network-unavailable";
  public static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  static List<Taint> of(List<V1Node.Taint> list) {
    List<Taint> read = new ArrayList<>(list.size());
    for (V1Node.Taint one : list) {
      read.add(new Taint(one.key(), one.value(), one.effect()));
    }
    return read;
  }

  public ObjectNode toJson() {
    ObjectNode out = Json.object().put("key", key);
    if (!value.isEmpty()) {
      out.put("value", value);
    }
    return out.put("effect", effect);
  }

  public boolean toleratedBy(List<Toleration> tolerations) {
    for (Toleration toleration : tolerations) {
      if (toleration.tolerates(this)) {
        return true;
      }
    }
    return false;
  }

  /// `{key: value}` as scheduling messages spell it.
  @Override
  public String toString() {
    return "{" + key + ": " + value + "}";
  }
}
