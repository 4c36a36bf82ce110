package io.fairlead.server.rest;

import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.Subresource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds resources by their place in the path.
public final class Registry {
  private final List<Resource> resources;
  private final Map<String, Map<String, Resource>> byGroupVersion = new LinkedHashMap<>();

  public Registry(List<Resource> resources) {
    this.resources = List.copyOf(resources);
    for (Resource resource : resources) {
      Descriptor descriptor = resource.descriptor();
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
  }

  public List<Resource> all() {
    return resources;
  }

  public @Nullable Resource find(String group, String version, String plural) {
    return byGroupVersion.getOrDefault(key(group, version), Map.of()).get(plural);
  }

  /// The resource in its preferred version, or null.
  public @Nullable Resource find(String group, String plural) {
    for (Resource resource : resources) {
      Descriptor descriptor = resource.descriptor();
      if (descriptor.group().equals(group) && descriptor.plural().equals(plural)) {
        return resource;
      }
    }
    return null;
  }

  /// Whether some path takes objects of that kind.
  public boolean hasKind(String apiVersion, String kind) {
    return resources.stream()
        .anyMatch(
            each ->
                each.descriptor().kind().equals(kind)
                    && each.descriptor().apiVersion().equals(apiVersion));
  }

  /// Whether that group is served in any version.
  public boolean hasGroup(String group) {
    return resources.stream().anyMatch(each -> each.descriptor().group().equals(group));
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
