package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A CustomResourceDefinition, read once for each of its generations.
///
/// @param name `crontabs.stable.example.com`
/// @param versions all versions, the preferred one first
/// @param conversion how one version becomes another: the tree of `spec.conversion`
/// @param terminating it is going away, and its objects before it
public record Definition(
    String name,
    String uid,
    String group,
    String plural,
    String singular,
    String kind,
    String listKind,
    List<String> shortNames,
    List<String> categories,
    boolean namespaced,
    List<CustomVersion> versions,
    ObjectNode conversion,
    boolean terminating) {

  public static Definition of(ObjectNode object) {
    JsonNode spec = object.path("spec");
    JsonNode names = spec.path("names");
    String group = Json.textOr(spec, "", "group");
    String kind = Json.textOr(names, "", "kind");
    List<CustomVersion> versions = new ArrayList<>();
    spec.path("versions").forEach(each -> versions.add(CustomVersion.of(each)));
    versions.sort(Comparator.comparing(CustomVersion::name, VersionOrder.NEWEST_FIRST));
    return new Definition(
        Json.textOr(object, "", "metadata", "name"),
        Json.textOr(object, "", "metadata", "uid"),
        group,
        Json.textOr(names, "", "plural"),
        Json.textOr(names, "", "singular"),
        kind,
        Json.textOr(names, kind + "List", "listKind"),
        SchemaCompiler.texts(names.path("shortNames")),
        SchemaCompiler.texts(names.path("categories")),
        Json.textOr(spec, "", "scope").equals("Namespaced"),
        versions,
        spec.path("conversion") instanceof ObjectNode given ? given : Json.object(),
        object.path("metadata").has("deletionTimestamp"));
  }

  /// Where its objects lie in the store.
  String storagePrefix() {
    return "/registry/" + group + "/" + plural;
  }

  /// The version in which objects are stored.
  String storageVersion() {
    return versions.stream()
        .filter(CustomVersion::storage)
        .findFirst()
        .map(CustomVersion::name)
        .orElse("");
  }

  /// What users of a version are warned of: in the words of its author, or with the newest version
  /// that they can go to. Null when it is not deprecated.
  @Nullable String deprecation(CustomVersion version) {
    if (version.deprecation() == null || !version.deprecation().isEmpty()) {
      return version.deprecation();
    }
    String text = shown(version) + " is deprecated";
    for (CustomVersion other : versions) {
      if (other.served() && other.deprecation() == null) {
        return VersionOrder.NEWEST_FIRST.compare(other.name(), version.name()) < 0
            ? text + "; use " + shown(other)
            : text;
      }
    }
    return text;
  }

  private String shown(CustomVersion version) {
    return group + "/" + version.name() + " " + kind;
  }

  public boolean convertsByWebhook() {
    return Json.textOr(conversion, "None", "strategy").equals("Webhook");
  }
}
