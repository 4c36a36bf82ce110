package io.fairlead.server.resources.pod;

import io.fairlead.server.resources.kind.Defaults;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in a pod spec, of a pod or of a template.
public final class PodSpecDefaults {
  static final List<String> CONTAINER_LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private static final int TERMINATION_GRACE_SECONDS = 30;

  private PodSpecDefaults() {}

  /// Fills in the template of a workload, `spec.template`.
  public static void applyToTemplate(ObjectNode template) {
    Defaults.object(template, "metadata");
    apply(Defaults.object(template, "spec"));
  }

  /// What pods and templates have in common.
  static void apply(ObjectNode spec) {
    Defaults.text(spec, "restartPolicy", "Always");
    Defaults.missingNumber(spec, "terminationGracePeriodSeconds", TERMINATION_GRACE_SECONDS);
    Defaults.text(spec, "dnsPolicy", "ClusterFirst");
    Defaults.object(spec, "securityContext");
    Defaults.text(spec, "schedulerName", "default-scheduler");
    mirrorServiceAccount(spec);
    for (String list : CONTAINER_LISTS) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode one) {
          ContainerDefaults.apply(one);
        }
      }
    }
    for (JsonNode volume : spec.path("volumes")) {
      if (volume instanceof ObjectNode one) {
        VolumeDefaults.apply(one);
      }
    }
  }

  /// What only a pod gets: node ports of the host's network, requests from limits, service links.
  static void applyToPod(ObjectNode spec) {
    apply(spec);
    Defaults.missingFlag(spec, "enableServiceLinks", true);
    boolean hostNetwork = spec.path("hostNetwork").asBoolean(false);
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        if (hostNetwork) {
          useHostPorts(container);
        }
        requestLimits(container.path("resources"));
      }
    }
  }

  /// The old field `serviceAccount` and the new one always say the same.
  private static void mirrorServiceAccount(ObjectNode spec) {
    String name = spec.path("serviceAccountName").asString("");
    String old = spec.path("serviceAccount").asString("");
    if (!name.isEmpty()) {
      spec.put("serviceAccount", name);
    } else if (!old.isEmpty()) {
      spec.put("serviceAccountName", old);
    }
  }

  private static void useHostPorts(JsonNode container) {
    for (JsonNode port : container.path("ports")) {
      if (port instanceof ObjectNode one && one.path("hostPort").asLong(0) == 0) {
        one.put("hostPort", one.path("containerPort").asLong(0));
      }
    }
  }

  private static void requestLimits(JsonNode resources) {
    if (!(resources instanceof ObjectNode holder) || !holder.path("limits").isObject()) {
      return;
    }
    for (Map.Entry<String, JsonNode> limit : holder.path("limits").properties()) {
      ObjectNode requests = Defaults.object(holder, "requests");
      if (!requests.has(limit.getKey())) {
        requests.set(limit.getKey(), limit.getValue());
      }
    }
  }
}
