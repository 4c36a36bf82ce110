package io.fairlead.server.discovery;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The discovery documents that clients before aggregated discovery read, one per path.
final class LegacyDocuments {
  private LegacyDocuments() {}

  static ObjectNode apiVersions(String serverAddress) {
    ObjectNode document = Json.object().put("kind", "APIVersions");
    document.putArray("versions").add("v1");
    document
        .putArray("serverAddressByClientCIDRs")
        .addObject()
        .put("clientCIDR", "0.0.0.0/0")
        .put("serverAddress", serverAddress);
    return document;
  }

  static ObjectNode groups(Map<String, Set<String>> versions) {
    ObjectNode document = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = document.putArray("groups");
    versions.forEach(
        (group, known) -> {
          if (!group.isEmpty()) {
            describe(groups.addObject(), group, known);
          }
        });
    return document;
  }

  static ObjectNode group(String group, Set<String> versions) {
    ObjectNode document = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
    describe(document, group, versions);
    return document;
  }

  static void describe(ObjectNode into, String group, Set<String> versions) {
    into.put("name", group);
    ArrayNode list = into.putArray("versions");
    for (String version : versions) {
      list.addObject().put("groupVersion", group + "/" + version).put("version", version);
    }
    into.set("preferredVersion", list.get(0).deepCopy());
  }

  /// The resources of one group and version, sorted by name with their subresources.
  static ObjectNode resources(String apiVersion, List<Resource> served) {
    ObjectNode document = Json.object().put("kind", "APIResourceList");
    if (!apiVersion.equals("v1")) {
      // The original leaves it out of the core document, and only there.
      document.put("apiVersion", "v1");
    }
    document.put("groupVersion", apiVersion);
    Map<String, ObjectNode> sorted = new TreeMap<>();
    for (Resource resource : served) {
      ResourceDescriptor descriptor = resource.descriptor();
      sorted.put(descriptor.plural(), resource(descriptor));
      for (Subresource subresource : resource.subresources()) {
        String name = descriptor.plural() + "/" + subresource.name();
        // Of custom resources the status stands before all other parts.
        boolean first = resource.isCustom() && subresource.name().equals("status");
        sorted.put(
            first ? descriptor.plural() + "/" : name, subresource(name, descriptor, subresource));
      }
    }
    document.putArray("resources").addAll(sorted.values());
    return document;
  }

  private static ObjectNode resource(ResourceDescriptor descriptor) {
    ObjectNode out =
        Json.object()
            .put("name", descriptor.plural())
            .put("singularName", descriptor.singular())
            .put("namespaced", descriptor.namespaced())
            .put("kind", descriptor.kind());
    texts(out, "verbs", descriptor.verbs());
    textsUnlessEmpty(out, "shortNames", descriptor.shortNames());
    textsUnlessEmpty(out, "categories", descriptor.categories());
    return out;
  }

  private static ObjectNode subresource(
      String name, ResourceDescriptor parent, Subresource subresource) {
    ObjectNode out =
        Json.object()
            .put("name", name)
            .put("singularName", "")
            .put("namespaced", parent.namespaced());
    if (isForeign(parent, subresource)) {
      out.put("group", subresource.group()).put("version", subresource.version());
    }
    out.put("kind", subresource.kind());
    texts(out, "verbs", subresource.verbs());
    return out;
  }

  /// Whether the kind of a subresource belongs to another group or version than its resource.
  static boolean isForeign(ResourceDescriptor parent, Subresource subresource) {
    return !parent.group().equals(subresource.group())
        || !parent.version().equals(subresource.version());
  }

  static void texts(ObjectNode out, String name, List<String> values) {
    ArrayNode list = out.putArray(name);
    values.forEach(list::add);
  }

  static void textsUnlessEmpty(ObjectNode out, String name, List<String> values) {
    if (!values.isEmpty()) {
      texts(out, name, values);
    }
  }
}
