package io.fairlead.server.rest;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds resources by their place in the path: those of the server and those that are defined while
/// it runs. A look-up reads one immutable snapshot, so the one costs no more for the other.
public final class ResourceRegistry {
  private static final Set<String> COMMON_KINDS =
      Set.of("List", "Status", "DeleteOptions", "WatchEvent");
  private static final Set<String> ROLES =
      Set.of("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding");
  private static final Map<String, Set<String>> RETIRED =
      Map.ofEntries(
          Map.entry("apps/v1beta1", Set.of("Deployment", "StatefulSet", "ControllerRevision")),
          Map.entry(
              "apps/v1beta2",
              Set.of("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ControllerRevision")),
          Map.entry(
              "extensions/v1beta1",
              Set.of("Deployment", "DaemonSet", "ReplicaSet", "Ingress", "NetworkPolicy")),
          Map.entry("batch/v1beta1", Set.of("CronJob")),
          Map.entry("policy/v1beta1", Set.of("PodDisruptionBudget", "Eviction")),
          Map.entry(
              "networking.k8s.io/v1beta1",
              Set.of("Ingress", "IngressClass", "IPAddress", "ServiceCIDR")),
          Map.entry("discovery.k8s.io/v1beta1", Set.of("EndpointSlice")),
          Map.entry("events.k8s.io/v1beta1", Set.of("Event")),
          Map.entry("coordination.k8s.io/v1beta1", Set.of("Lease")),
          Map.entry("rbac.authorization.k8s.io/v1beta1", ROLES),
          Map.entry("rbac.authorization.k8s.io/v1alpha1", ROLES),
          Map.entry("authentication.k8s.io/v1beta1", Set.of("TokenReview", "SelfSubjectReview")),
          Map.entry(
              "authorization.k8s.io/v1beta1",
              Set.of(
                  "SubjectAccessReview",
                  "LocalSubjectAccessReview",
                  "SelfSubjectAccessReview",
                  "SelfSubjectRulesReview")));

  private final List<Resource> builtIn;
  private volatile Snapshot present;

  /// What is served at one moment.
  private record Snapshot(
      List<Resource> resources, Map<String, Map<String, Resource>> byGroupVersion) {
    static Snapshot of(List<Resource> resources) {
      Map<String, Map<String, Resource>> byGroupVersion = new LinkedHashMap<>();
      for (Resource resource : resources) {
        ResourceDescriptor descriptor = resource.descriptor();
        Resource other =
            byGroupVersion
                .computeIfAbsent(
                    key(descriptor.group(), descriptor.version()), _ -> new LinkedHashMap<>())
                .put(descriptor.plural(), resource);
        if (other != null) {
          throw new IllegalArgumentException(
              descriptor.apiVersion() + " " + descriptor.plural() + " is listed twice");
        }
      }
      return new Snapshot(List.copyOf(resources), byGroupVersion);
    }
  }

  public ResourceRegistry(List<Resource> resources) {
    this.builtIn = List.copyOf(resources);
    this.present = Snapshot.of(builtIn);
  }

  public List<Resource> all() {
    return present.resources();
  }

  /// The kinds of the server itself.
  public List<Resource> builtIn() {
    return builtIn;
  }

  /// Serves these kinds beside those of the server from now on, and no others.
  public void define(List<Resource> custom) {
    List<Resource> all = new ArrayList<>(builtIn);
    all.addAll(custom);
    present = Snapshot.of(all);
  }

  public @Nullable Resource find(String group, String version, String plural) {
    return present.byGroupVersion().getOrDefault(key(group, version), Map.of()).get(plural);
  }

  /// The resource in its preferred version, or null.
  public @Nullable Resource find(String group, String plural) {
    for (Resource resource : all()) {
      ResourceDescriptor descriptor = resource.descriptor();
      if (descriptor.group().equals(group) && descriptor.plural().equals(plural)) {
        return resource;
      }
    }
    return null;
  }

  /// The other resources that show the objects of this one, in another version or group.
  public List<Resource> equivalents(Resource resource) {
    String place = resource.descriptor().storagePrefix();
    return place.isEmpty()
        ? List.of()
        : all().stream()
            .filter(each -> !each.equals(resource))
            .filter(each -> each.descriptor().storagePrefix().equals(place))
            .toList();
  }

  /// The stored resource of that kind, or null.
  public @Nullable Resource ofKind(String apiVersion, String kind) {
    for (Resource resource : all()) {
      ResourceDescriptor descriptor = resource.descriptor();
      if (descriptor.kind().equals(kind)
          && descriptor.apiVersion().equals(apiVersion)
          && !descriptor.storagePrefix().isEmpty()) {
        return resource;
      }
    }
    return null;
  }

  /// Whether that version knows such a kind: objects, lists of them, and what every version has.
  /// Versions that are no longer served are still known by name.
  public boolean hasKind(String apiVersion, String kind) {
    String single =
        kind.endsWith("List") ? kind.substring(0, kind.length() - "List".length()) : kind;
    return COMMON_KINDS.contains(kind)
        || RETIRED.getOrDefault(apiVersion, Set.of()).contains(single)
        || all().stream()
            .anyMatch(
                each ->
                    each.descriptor().kind().equals(single)
                        && each.descriptor().apiVersion().equals(apiVersion));
  }

  /// Whether that group is served in any version.
  public boolean hasGroup(String group) {
    return all().stream().anyMatch(each -> each.descriptor().group().equals(group));
  }

  /// The subresource of that name, or null.
  public static @Nullable Subresource subresource(Resource resource, String name) {
    for (Subresource subresource : resource.subresources()) {
      if (subresource.name().equals(name)) {
        return subresource;
      }
    }
    return null;
  }

  private static String key(String group, String version) {
    return group + "/" + version;
  }
}
