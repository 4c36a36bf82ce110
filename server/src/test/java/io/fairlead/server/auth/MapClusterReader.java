package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.ClusterReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A cluster reader over a map; also counts its changes, as the watch cache does.
public final class MapClusterReader implements ClusterReader {
  private final Map<String, ObjectNode> objects = new TreeMap<>();
  private long revision;

  public void put(String group, String plural, ObjectNode object) {
    String namespace = Json.textOr(object, "", "metadata", "namespace");
    String name = Json.textOr(object, "", "metadata", "name");
    ObjectNode stored = object.deepCopy();
    Json.child(stored, "metadata").put("resourceVersion", Long.toString(++revision));
    objects.put(key(group, plural, namespace) + name, stored);
  }

  /// JSON with single quotes for legibility.
  public void put(String group, String plural, String json) {
    put(group, plural, json(json));
  }

  public void remove(String group, String plural, String namespace, String name) {
    revision++;
    objects.remove(key(group, plural, namespace) + name);
  }

  public long revision() {
    return revision;
  }

  public static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public @Nullable ObjectNode get(String group, String plural, String namespace, String name) {
    ObjectNode found = objects.get(key(group, plural, namespace) + name);
    return found == null ? null : found.deepCopy();
  }

  @Override
  public List<Map<String, String>> labels(String group, String plural, String namespace) {
    return List.of();
  }

  @Override
  public boolean isClaimed(String key) {
    return false;
  }

  @Override
  public List<ObjectNode> list(String group, String plural, String namespace) {
    String prefix = group + "/" + plural + "/" + (namespace.isEmpty() ? "" : namespace + "/");
    List<ObjectNode> found = new ArrayList<>();
    objects.forEach(
        (key, object) -> {
          if (key.startsWith(prefix)) {
            found.add(object.deepCopy());
          }
        });
    return found;
  }

  private static String key(String group, String plural, String namespace) {
    return group + "/" + plural + "/" + namespace + "/";
  }
}
