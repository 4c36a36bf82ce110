package io.fairlead.client;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.transport.ConnectionException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Which kinds a server has.
///
/// @param resources each kind once, in the version its group prefers
/// @param failures the group versions that could not be read, with the reason; what they hold is
///   unknown, not absent
public record Discovery(List<ServedResource> resources, List<String> failures) {
  /// A kind and what can be done with it.
  public record ServedResource(ResourceType type, Set<String> verbs) {
    public ServedResource {
      verbs = Set.copyOf(verbs);
    }

    public boolean can(String... wanted) {
      return verbs.containsAll(List.of(wanted));
    }
  }

  public Discovery {
    resources = List.copyOf(resources);
    failures = List.copyOf(failures);
  }

  /// Asks a server. One request for each group version; a failure of one does not hide the others.
  public static Discovery of(Client client) {
    Set<String> versions = new LinkedHashSet<>(List.of("v1"));
    for (JsonNode group : client.getPath("/apis").path("groups")) {
      String preferred = Json.textOr(group, "", "preferredVersion", "groupVersion");
      if (!preferred.isEmpty()) {
        versions.add(preferred);
      }
      group
          .path("versions")
          .forEach(version -> versions.add(Json.textOr(version, preferred, "groupVersion")));
    }
    List<ServedResource> found = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (String version : versions) {
      String path = version.contains("/") ? "/apis/" + version : "/api/" + version;
      try {
        for (JsonNode resource : client.getPath(path).path("resources")) {
          ServedResource served = served(version, resource);
          if (!served.type().plural().contains("/") && known.add(served.type().toString())) {
            found.add(served);
          }
        }
      } catch (ApiException | ConnectionException e) {
        failures.add(version + ": " + e.getMessage());
      }
    }
    return new Discovery(found, failures);
  }

  /// The kind an owner reference or an object names, whatever its version.
  public Optional<ResourceType> find(String group, String kind) {
    return resources.stream()
        .map(ServedResource::type)
        .filter(type -> type.group().equals(group) && type.kind().equals(kind))
        .findFirst();
  }

  private static ServedResource served(String groupVersion, JsonNode resource) {
    int slash = groupVersion.indexOf('/');
    Set<String> verbs = new LinkedHashSet<>();
    resource.path("verbs").forEach(verb -> verbs.add(verb.asString("")));
    return new ServedResource(
        new ResourceType(
            slash < 0 ? "" : groupVersion.substring(0, slash),
            groupVersion.substring(slash + 1),
            Json.textOr(resource, "", "name"),
            Json.textOr(resource, "", "kind"),
            resource.path("namespaced").asBoolean(false)),
        verbs);
  }
}
