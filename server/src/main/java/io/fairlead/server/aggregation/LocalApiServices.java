package io.fairlead.server.aggregation;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resources.admission.ApiServiceResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The APIServices of what this server serves itself, with the priorities of the original. Pure.
public final class LocalApiServices {
  private static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

  /// What a version has that the original does not know.
  private static final Priority OTHER = new Priority(1_000, 100);

  private static final Map<String, Priority> PRIORITIES =
      Map.ofEntries(
          Map.entry("v1", new Priority(18_000, 1)),
          Map.entry("apps/v1", new Priority(17_800, 15)),
          Map.entry("events.k8s.io/v1", new Priority(17_750, 15)),
          Map.entry("authentication.k8s.io/v1", new Priority(17_700, 15)),
          Map.entry("authorization.k8s.io/v1", new Priority(17_600, 15)),
          Map.entry("autoscaling/v1", new Priority(17_500, 15)),
          Map.entry("autoscaling/v2", new Priority(17_500, 30)),
          Map.entry("batch/v1", new Priority(17_400, 15)),
          Map.entry("certificates.k8s.io/v1", new Priority(17_300, 15)),
          Map.entry("networking.k8s.io/v1", new Priority(17_200, 15)),
          Map.entry("policy/v1", new Priority(17_100, 15)),
          Map.entry("rbac.authorization.k8s.io/v1", new Priority(17_000, 15)),
          Map.entry("storage.k8s.io/v1", new Priority(16_800, 15)),
          Map.entry("admissionregistration.k8s.io/v1", new Priority(16_700, 15)),
          Map.entry("apiextensions.k8s.io/v1", new Priority(16_700, 15)),
          Map.entry("scheduling.k8s.io/v1", new Priority(16_600, 15)),
          Map.entry("coordination.k8s.io/v1", new Priority(16_500, 15)),
          Map.entry("node.k8s.io/v1", new Priority(16_300, 15)),
          Map.entry("discovery.k8s.io/v1", new Priority(16_200, 15)),
          Map.entry("resource.k8s.io/v1", new Priority(16_200, 21)),
          Map.entry("flowcontrol.apiserver.k8s.io/v1", new Priority(16_100, 21)));

  private record Priority(int group, int version) {}

  private LocalApiServices() {}

  /// One for each version of these resources, but for that of APIService itself.
  public static List<ObjectNode> of(List<Resource> served) {
    Map<String, ObjectNode> all = new LinkedHashMap<>();
    for (Resource resource : served) {
      ResourceDescriptor descriptor = resource.descriptor();
      if (!descriptor.group().equals(ApiServiceResource.GROUP)) {
        all.computeIfAbsent(descriptor.apiVersion(), _ -> service(descriptor));
      }
    }
    return List.copyOf(all.values());
  }

  private static ObjectNode service(ResourceDescriptor descriptor) {
    Priority priority = PRIORITIES.getOrDefault(descriptor.apiVersion(), OTHER);
    ObjectNode service =
        Json.object().put("kind", "APIService").put("apiVersion", ApiServiceResource.GROUP + "/v1");
    ObjectNode metadata = service.putObject("metadata");
    metadata.put("name", descriptor.version() + "." + descriptor.group());
    metadata.putObject("labels").put(MANAGED, "onstart");
    ObjectNode spec = service.putObject("spec");
    if (!descriptor.group().isEmpty()) {
      spec.put("group", descriptor.group());
    }
    spec.put("version", descriptor.version())
        .put("groupPriorityMinimum", priority.group())
        .put("versionPriority", priority.version());
    return service;
  }
}
