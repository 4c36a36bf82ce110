package io.fairlead.client;

import io.fairlead.api.json.Json;
import tools.jackson.databind.JsonNode;

/// The place of an object among those of its kind.
///
/// @param namespace empty for kinds without one
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  public static ObjectKey of(JsonNode object) {
    return new ObjectKey(
        Json.textOr(object, "", "metadata", "namespace"),
        Json.textOr(object, "", "metadata", "name"));
  }

  // What a record is given for these takes a fresh JVM long, and every map is searched by keys.
  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectKey key
        && name.equals(key.name)
        && namespace.equals(key.namespace);
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }

  /// By namespace, then by name.
  @Override
  public int compareTo(ObjectKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  /// `default/web`, `default`.
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
