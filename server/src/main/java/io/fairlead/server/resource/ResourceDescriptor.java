package io.fairlead.server.resource;

import java.util.List;

/// What a resource is called and where it lives.
///
/// @param group the API group, "" for core
/// @param version `v1` everywhere so far
/// @param plural the name in paths, `services`
/// @param singular what `kubectl` also accepts, `service`
/// @param kind `Service`
/// @param namespaced whether objects live in a namespace
/// @param shortNames `svc`
/// @param categories `all`
/// @param verbs what may be done with it, in discovery order
/// @param storagePrefix the first part of its keys, `/registry/services/specs`; empty when nothing
///   is stored
/// @param schemaName the struct that describes it, `io.k8s.api.core.v1.Service`
/// @param listKind `ServiceList`
public record ResourceDescriptor(
    String group,
    String version,
    String plural,
    String singular,
    String kind,
    boolean namespaced,
    List<String> shortNames,
    List<String> categories,
    List<String> verbs,
    String storagePrefix,
    String schemaName,
    String listKind) {

  /// All that can be done with an ordinary resource.
  public static final List<String> ALL_VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  /// The same with the usual name for lists.
  public ResourceDescriptor(
      String group,
      String version,
      String plural,
      String singular,
      String kind,
      boolean namespaced,
      List<String> shortNames,
      List<String> categories,
      List<String> verbs,
      String storagePrefix,
      String schemaName) {
    this(
        group,
        version,
        plural,
        singular,
        kind,
        namespaced,
        shortNames,
        categories,
        verbs,
        storagePrefix,
        schemaName,
        kind + "List");
  }

  public ResourceDescriptor {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
    verbs = List.copyOf(verbs);
  }

  /// `v1`, `apps/v1`.
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /// The key of an object; `namespace` is ignored for cluster-scoped resources.
  public String key(String namespace, String name) {
    return namespaced ? storagePrefix + "/" + namespace + "/" + name : storagePrefix + "/" + name;
  }

  /// The prefix under which all objects lie, or those of one namespace when it is not empty.
  public String keyPrefix(String namespace) {
    return namespaced && !namespace.isEmpty()
        ? storagePrefix + "/" + namespace + "/"
        : storagePrefix + "/";
  }
}
