package io.fairlead.server.cache;

import io.fairlead.server.resource.ClusterReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Reads the caches for those who work on a request.
///
/// The store's watch comes a moment later than the answer to a write, so a read waits until the
/// cache of its kind has every write of that kind that was acknowledged. It does not wait for
/// writes of other kinds: with many clients there is always one on its way.
final class CachedClusterReader implements ClusterReader {
  private final Caches caches;
  private final ClaimedKeys claims;

  CachedClusterReader(Caches caches, ClaimedKeys claims) {
    this.caches = caches;
    this.claims = claims;
  }

  @Override
  public @Nullable ObjectNode get(String group, String plural, String namespace, String name) {
    CachedObject found = fresh(group, plural).get(namespace, name);
    return found == null ? null : found.tree();
  }

  @Override
  public boolean has(String group, String plural, String namespace, String name) {
    return fresh(group, plural).get(namespace, name) != null;
  }

  @Override
  public boolean isKnown(String group, String plural, String namespace, String name) {
    return caches.of(group, plural).get(namespace, name) != null;
  }

  @Override
  public boolean isClaimed(String key) {
    caches.awaitRevision(claims.acknowledged(), Caches.FRESHNESS);
    return claims.contains(key);
  }

  @Override
  public boolean isKnownClaim(String key) {
    return claims.contains(key);
  }

  @Override
  public List<Map<String, String>> labels(String group, String plural, String namespace) {
    return all(group, plural, namespace).stream().map(CachedObject::labels).toList();
  }

  @Override
  public List<ObjectNode> labelled(
      String group, String plural, String namespace, String label, String value) {
    return all(group, plural, namespace).stream()
        .filter(object -> value.equals(object.labels().get(label)))
        .map(CachedObject::tree)
        .toList();
  }

  @Override
  public List<ObjectNode> list(String group, String plural, String namespace) {
    return all(group, plural, namespace).stream().map(CachedObject::tree).toList();
  }

  private List<CachedObject> all(String group, String plural, String namespace) {
    ObjectCache cache = fresh(group, plural);
    if (cache.isEmpty()) {
      return List.of();
    }
    ListQuery query = new ListQuery(SelectionPredicate.namespace(namespace), "0", "", 0, "");
    return cache.list(query).items();
  }

  private ObjectCache fresh(String group, String plural) {
    ObjectCache cache = caches.of(group, plural);
    caches.awaitRevision(cache.acknowledged(), Caches.FRESHNESS);
    return cache;
  }
}
