package io.fairlead.server.cache;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.Resource;
import io.fairlead.store.Entry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns store entries of one resource into [CachedObject]s. Stateless.
final class ObjectReader {
  private final Resource resource;
  private final Descriptor descriptor;
  private final byte[] head;

  ObjectReader(Resource resource) {
    this.resource = resource;
    this.descriptor = resource.descriptor();
    this.head = ObjectCodec.head(descriptor.kind(), descriptor.apiVersion());
  }

  CachedObject read(Entry entry) {
    byte[] stored = entry.value();
    ObjectNode tree = Json.parseObject(stored);
    if (!startsWithHead(stored)) {
      // Shared storage holds the other kind's form; a foreign writer may order members differently.
      ObjectNode shown = resource.fromStored(tree);
      shown.put("kind", descriptor.kind()).put("apiVersion", descriptor.apiVersion());
      tree = shown;
      stored = ObjectCodec.encode(shown);
    }
    String path = entry.key().substring(descriptor.storagePrefix().length() + 1);
    int slash = path.indexOf('/');
    String namespace = slash < 0 ? "" : path.substring(0, slash);
    String name = path.substring(slash + 1);
    return new CachedObject(
        entry.key(),
        namespace,
        name,
        entry.modRevision(),
        labels(tree),
        fields(tree, namespace, name),
        stored,
        head.length);
  }

  private boolean startsWithHead(byte[] stored) {
    return stored.length > head.length
        && Arrays.equals(stored, 0, head.length, head, 0, head.length);
  }

  private static Map<String, String> labels(ObjectNode tree) {
    JsonNode labels = tree.path("metadata").path("labels");
    if (labels.isEmpty()) {
      return Map.of();
    }
    Map<String, String> out = HashMap.newHashMap(labels.size());
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      out.put(label.getKey(), label.getValue().asString());
    }
    return out;
  }

  private Map<String, String> fields(ObjectNode tree, String namespace, String name) {
    Map<String, String> out = new HashMap<>(resource.selectableFields(tree));
    out.put("metadata.name", name);
    if (!namespace.isEmpty()) {
      out.put("metadata.namespace", namespace);
    }
    return out;
  }
}
