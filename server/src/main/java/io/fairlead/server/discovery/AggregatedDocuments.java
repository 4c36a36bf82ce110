package io.fairlead.server.discovery;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The parts of an aggregated discovery document.
final class AggregatedDocuments {
  private AggregatedDocuments() {}

  /// One group with all its versions. The core group has no name.
  static ObjectNode group(
      String group, Set<String> versions, Map<String, List<Resource>> byGroupVersion) {
    ObjectNode out = Json.object();
    ObjectNode metadata = out.putObject("metadata");
    if (!group.isEmpty()) {
      metadata.put("name", group);
    }
    ArrayNode list = out.putArray("versions");
    for (String version : versions) {
      String apiVersion = group.isEmpty() ? version : group + "/" + version;
      ObjectNode one = list.addObject().put("version", version);
      ArrayNode resources = one.putArray("resources");
      byGroupVersion.getOrDefault(apiVersion, List.of()).stream()
          .sorted(Comparator.comparing(resource -> resource.descriptor().plural()))
          .forEach(resource -> resources.add(resource(resource)));
      one.put("freshness", "Current");
    }
    return out;
  }

  private static ObjectNode resource(Resource resource) {
    ResourceDescriptor descriptor = resource.descriptor();
    ObjectNode out = Json.object().put("resource", descriptor.plural());
    boolean named = resource.isCustom();
    out.set(
        "responseKind",
        kind(
            named ? descriptor.group() : "", named ? descriptor.version() : "", descriptor.kind()));
    out.put("scope", descriptor.namespaced() ? "Namespaced" : "Cluster");
    out.put("singularResource", descriptor.singular());
    LegacyDocuments.texts(out, "verbs", descriptor.verbs());
    LegacyDocuments.textsUnlessEmpty(out, "shortNames", descriptor.shortNames());
    LegacyDocuments.textsUnlessEmpty(out, "categories", descriptor.categories());
    if (!resource.subresources().isEmpty()) {
      ArrayNode list = out.putArray("subresources");
      resource.subresources().stream()
          .sorted(Comparator.comparing(Subresource::name))
          .forEach(subresource -> list.add(subresource(descriptor, subresource, named)));
    }
    return out;
  }

  private static ObjectNode subresource(
      ResourceDescriptor parent, Subresource subresource, boolean named) {
    ObjectNode out = Json.object().put("subresource", subresource.name());
    boolean foreign = named || LegacyDocuments.isForeign(parent, subresource);
    out.set(
        "responseKind",
        kind(
            foreign ? subresource.group() : "",
            foreign ? subresource.version() : "",
            subresource.kind()));
    LegacyDocuments.texts(out, "verbs", subresource.verbs());
    return out;
  }

  /// Group and version are empty where they are those of the enclosing document, but for custom
  /// resources.
  private static ObjectNode kind(String group, String version, String kind) {
    return Json.object().put("group", group).put("version", version).put("kind", kind);
  }
}
