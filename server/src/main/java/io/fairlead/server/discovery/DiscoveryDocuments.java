package io.fairlead.server.discovery;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the server serves, in the documents by which clients find out: the old ones (one per group
/// and version) and the aggregated ones (everything in two answers).
///
/// Each is made when it is asked for first, and kept. The order of the resources given is the order
/// of preference: a group stands where its first resource stands, and of two versions the first is
/// preferred.
public final class DiscoveryDocuments {
  private static final String JSON = "application/json";

  private final String serverAddress;
  private final LazyDocument apiVersions;
  private final LazyDocument groups;
  private final Map<String, LazyDocument> groupByName = new LinkedHashMap<>();
  private final Map<String, LazyDocument> resources = new LinkedHashMap<>();
  private final Map<Aggregated, LazyDocument> core = new LinkedHashMap<>();
  private final Map<Aggregated, LazyDocument> others = new LinkedHashMap<>();

  /// The two versions of aggregated discovery; they differ only in name.
  public enum Aggregated {
    V2("v2"),
    V2BETA1("v2beta1");

    private final String version;

    Aggregated(String version) {
      this.version = version;
    }

    String apiVersion() {
      return "apidiscovery.k8s.io/" + version;
    }

    /// What a client asks for and what the answer is called, parameters included.
    public String contentType() {
      return JSON + ";g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
    }
  }

  /// @param serverAddress `IP:port` under which clients reach this server
  public DiscoveryDocuments(List<Resource> served, String serverAddress) {
    this.serverAddress = serverAddress;
    Map<String, Set<String>> versions = new LinkedHashMap<>();
    Map<String, List<Resource>> byGroupVersion = new LinkedHashMap<>();
    for (Resource resource : served) {
      ResourceDescriptor descriptor = resource.descriptor();
      versions
          .computeIfAbsent(descriptor.group(), _ -> new LinkedHashSet<>())
          .add(descriptor.version());
      byGroupVersion
          .computeIfAbsent(descriptor.apiVersion(), _ -> new java.util.ArrayList<>())
          .add(resource);
    }
    apiVersions = json(() -> LegacyDocuments.apiVersions(serverAddress));
    groups = json(() -> LegacyDocuments.groups(versions));
    versions.forEach(
        (group, known) -> {
          if (!group.isEmpty()) {
            groupByName.put(group, json(() -> LegacyDocuments.group(group, known)));
          }
        });
    byGroupVersion.forEach(
        (apiVersion, list) ->
            resources.put(apiVersion, json(() -> LegacyDocuments.resources(apiVersion, list))));
    for (Aggregated version : Aggregated.values()) {
      core.put(
          version, new LazyDocument(() -> aggregated(version, versions, byGroupVersion, true)));
      others.put(
          version, new LazyDocument(() -> aggregated(version, versions, byGroupVersion, false)));
    }
  }

  /// The documents of a server of the same address that serves these.
  public DiscoveryDocuments of(List<Resource> served) {
    return new DiscoveryDocuments(served, serverAddress);
  }

  /// `/api`.
  public StaticDocument apiVersions() {
    return apiVersions.get();
  }

  /// `/apis`.
  public StaticDocument groups() {
    return groups.get();
  }

  /// `/apis/{group}`, or null when there is no such group.
  public @Nullable StaticDocument group(String name) {
    return made(groupByName.get(name));
  }

  /// `/api/v1` and `/apis/{group}/{version}`, or null. The group of core resources is empty.
  public @Nullable StaticDocument resources(String group, String version) {
    return made(resources.get(group.isEmpty() ? version : group + "/" + version));
  }

  /// `/api` for clients that ask for the aggregated form.
  public StaticDocument aggregatedCore(Aggregated version) {
    return java.util.Objects.requireNonNull(core.get(version)).get();
  }

  /// `/apis` for clients that ask for the aggregated form.
  public StaticDocument aggregatedGroups(Aggregated version) {
    return java.util.Objects.requireNonNull(others.get(version)).get();
  }

  private static StaticDocument aggregated(
      Aggregated version,
      Map<String, Set<String>> versions,
      Map<String, List<Resource>> byGroupVersion,
      boolean ofCore) {
    ObjectNode document = Json.object();
    document.put("kind", "APIGroupDiscoveryList").put("apiVersion", version.apiVersion());
    document.putObject("metadata");
    ArrayNode items = document.putArray("items");
    versions.forEach(
        (group, known) -> {
          if (group.isEmpty() == ofCore) {
            items.add(AggregatedDocuments.group(group, known, byGroupVersion));
          }
        });
    return new StaticDocument(Json.bytes(document), version.contentType());
  }

  private static @Nullable StaticDocument made(@Nullable LazyDocument document) {
    return document == null ? null : document.get();
  }

  private static LazyDocument json(Supplier<ObjectNode> tree) {
    return new LazyDocument(() -> new StaticDocument(Json.bytes(tree.get()), JSON));
  }
}
