package io.fairlead.client.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the paths of the fake lead to, and the documents that list them.
final class FakeRoutes {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  /// @param key with an empty name for a whole collection
  record Target(ResourceType type, ObjectKey key, String subresource) {}

  private final List<ResourceType> types;

  FakeRoutes(List<ResourceType> types) {
    this.types = List.copyOf(types);
  }

  Target target(String path) {
    List<String> steps = List.of(path.substring(1).split("/"));
    boolean core = steps.getFirst().equals("api");
    int skipped = core ? 2 : 3;
    if (steps.size() <= skipped) {
      throw ApiException.noSuchResource();
    }
    String group = core ? "" : steps.get(1);
    String version = steps.get(skipped - 1);
    List<String> rest = steps.subList(skipped, steps.size());
    String namespace = "";
    // namespaces/NAME/RESOURCE… is inside a namespace; namespaces/NAME/status and …/finalize is
    // not.
    if (rest.size() >= 3
        && rest.getFirst().equals("namespaces")
        && !rest.get(2).equals("status")
        && !rest.get(2).equals("finalize")) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    String plural = rest.getFirst();
    ResourceType type =
        types.stream()
            .filter(
                t ->
                    t.group().equals(group)
                        && t.version().equals(version)
                        && t.plural().equals(plural))
            .findFirst()
            .orElseThrow(ApiException::noSuchResource);
    return new Target(
        type,
        new ObjectKey(namespace, rest.size() > 1 ? rest.get(1) : ""),
        rest.size() > 2 ? rest.get(2) : "");
  }

  /// The discovery document at a path, or null when the path is none of discovery.
  @Nullable ObjectNode discovery(String path) {
    if (path.equals("/apis")) {
      return groups();
    }
    if (path.equals("/api")) {
      ObjectNode versions = Json.object().put("kind", "APIVersions");
      versions.putArray("versions").add("v1");
      return versions;
    }
    String apiVersion =
        path.startsWith("/apis/")
            ? path.substring("/apis/".length())
            : path.startsWith("/api/") ? path.substring("/api/".length()) : "";
    List<ResourceType> members =
        types.stream().filter(type -> type.apiVersion().equals(apiVersion)).toList();
    return members.isEmpty() ? null : resources(apiVersion, members);
  }

  private ObjectNode groups() {
    ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    Set<String> seen = new LinkedHashSet<>();
    for (ResourceType type : types) {
      if (!type.group().isEmpty() && seen.add(type.group())) {
        ObjectNode version =
            Json.object().put("groupVersion", type.apiVersion()).put("version", type.version());
        ObjectNode group = groups.addObject().put("name", type.group());
        group.putArray("versions").add(version);
        group.set("preferredVersion", version.deepCopy());
      }
    }
    return list;
  }

  private static ObjectNode resources(String apiVersion, List<ResourceType> members) {
    ObjectNode list = Json.object().put("kind", "APIResourceList").put("groupVersion", apiVersion);
    ArrayNode resources = list.putArray("resources");
    for (ResourceType type : members) {
      ArrayNode verbs =
          resources
              .addObject()
              .put("name", type.plural())
              .put("namespaced", type.namespaced())
              .put("kind", type.kind())
              .putArray("verbs");
      VERBS.forEach(verbs::add);
      resources
          .addObject()
          .put("name", type.plural() + "/status")
          .put("namespaced", type.namespaced())
          .put("kind", type.kind())
          .putArray("verbs")
          .add("get");
    }
    return list;
  }
}
