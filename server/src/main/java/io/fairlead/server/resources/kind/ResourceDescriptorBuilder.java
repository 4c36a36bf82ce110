package io.fairlead.server.resources.kind;

import io.fairlead.server.resource.ResourceDescriptor;
import java.util.List;

/// Builds a [ResourceDescriptor], filling in what follows from the names: the singular, the place
/// in the store, the schema. Only what differs needs to be said.
public final class ResourceDescriptorBuilder {
  private final String group;
  private final String plural;
  private final String kind;
  private final boolean namespaced;
  private String version = "v1";
  private String singular;
  private String storagePrefix;
  private List<String> shortNames = List.of();
  private List<String> categories = List.of();
  private List<String> verbs = ResourceDescriptor.ALL_VERBS;
  private String schema = "";

  private ResourceDescriptorBuilder(String group, String plural, String kind, boolean namespaced) {
    this.group = group;
    this.plural = plural;
    this.kind = kind;
    this.namespaced = namespaced;
    this.singular = kind.toLowerCase(java.util.Locale.ROOT);
    this.storagePrefix = "/registry/" + plural;
  }

  public static ResourceDescriptorBuilder namespaced(String group, String plural, String kind) {
    return new ResourceDescriptorBuilder(group, plural, kind, true);
  }

  public static ResourceDescriptorBuilder cluster(String group, String plural, String kind) {
    return new ResourceDescriptorBuilder(group, plural, kind, false);
  }

  public ResourceDescriptorBuilder version(String served) {
    version = served;
    return this;
  }

  public ResourceDescriptorBuilder shortNames(String... names) {
    shortNames = List.of(names);
    return this;
  }

  public ResourceDescriptorBuilder categories(String... names) {
    categories = List.of(names);
    return this;
  }

  /// Where objects lie when that is not `/registry/PLURAL`.
  public ResourceDescriptorBuilder storedUnder(String prefix) {
    storagePrefix = prefix;
    return this;
  }

  public ResourceDescriptorBuilder verbs(String... allowed) {
    verbs = List.of(allowed);
    return this;
  }

  /// A kind that is only asked, never kept: create, and no place in the store.
  public ResourceDescriptorBuilder createOnly() {
    storagePrefix = "";
    return verbs("create");
  }

  /// The struct of the kind, where its name does not follow from the group.
  public ResourceDescriptorBuilder schema(String name) {
    schema = name;
    return this;
  }

  public ResourceDescriptor build() {
    return new ResourceDescriptor(
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
        schema.isEmpty() ? schemaName(group, version, kind) : schema);
  }

  /// The upstream name of the struct of a kind, `io.k8s.api.rbac.v1.Role`.
  public static String schemaName(String group, String version, String kind) {
    int dot = group.indexOf('.');
    String family = group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
    return "io.k8s.api." + family + "." + version + "." + kind;
  }
}
