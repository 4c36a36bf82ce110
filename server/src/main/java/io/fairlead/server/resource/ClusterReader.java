package io.fairlead.server.resource;

import io.fairlead.api.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Reads other objects while a request is worked on: is there such a namespace, which budget covers
/// this pod. Answers come from the watch cache and are at least as new as any write of that kind
/// which this server has acknowledged. The trees are the caller's own.
public interface ClusterReader {
  /// The object, or null. `namespace` is empty for cluster-scoped resources.
  @Nullable ObjectNode get(String group, String plural, String namespace, String name);

  /// Whether there is such an object; cheaper than reading it.
  default boolean has(String group, String plural, String namespace, String name) {
    return get(group, plural, namespace, name) != null;
  }

  /// Whether there is one as far as is known, which may be a moment behind. For a choice that the
  /// commit checks: who chooses does not wait for what others have just chosen.
  default boolean isKnown(String group, String plural, String namespace, String name) {
    return has(group, plural, namespace, name);
  }

  /// Whether there is such a key among those that a resource claims beside its objects
  /// ([Resource#claimPrefixes]). A look-up.
  boolean isClaimed(String key);

  /// The same as far as is known, like [#isKnown].
  default boolean isKnownClaim(String key) {
    return isClaimed(key);
  }

  /// The labels of all objects of that resource in a namespace. Reads no object, so it is cheap
  /// even where there are thousands.
  List<Map<String, String>> labels(String group, String plural, String namespace);

  /// The objects of that resource in a namespace with this value of a label. Reads no others.
  default List<ObjectNode> labelled(
      String group, String plural, String namespace, String label, String value) {
    return list(group, plural, namespace).stream()
        .filter(object -> Json.textOr(object, "", "metadata", "labels", label).equals(value))
        .toList();
  }

  /// All objects of that resource, of one namespace unless it is empty.
  List<ObjectNode> list(String group, String plural, String namespace);
}
