package io.fairlead.server.cache;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.StoreEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns store entries of one resource into [CachedObject]s. Stateless.
final class CachedObjectReader {
  private final Resource resource;
  private final ResourceDescriptor descriptor;
  private final byte[] head;

  CachedObjectReader(Resource resource) {
    this.resource = resource;
    this.descriptor = resource.descriptor();
    this.head = ObjectCodec.head(descriptor.kind(), descriptor.apiVersion());
  }

  /// How many bytes every object of the kind begins with alike.
  int headLength() {
    return head.length;
  }

  /// Whether what is stored is made into what is shown when an object is read first.
  boolean isLazy() {
    return resource.isCustom();
  }

  /// Whether another program makes the one into the other.
  boolean isRemote() {
    return resource.convertsRemotely();
  }

  /// What is stored, as this kind.
  byte[] shown(byte[] stored) {
    return encoded(resource.fromStored(ObjectCodec.decode(stored)), stored);
  }

  /// The same for many, in their order: another program that converts them is asked once.
  List<byte[]> shown(List<byte[]> stored) {
    List<ObjectNode> shown = resource.fromStored(stored.stream().map(ObjectCodec::decode).toList());
    List<byte[]> encoded = new ArrayList<>(stored.size());
    for (int i = 0; i < shown.size(); i++) {
      encoded.add(encoded(shown.get(i), stored.get(i)));
    }
    return encoded;
  }

  private byte[] encoded(ObjectNode shown, byte[] stored) {
    shown.put("kind", descriptor.kind()).put("apiVersion", descriptor.apiVersion());
    byte[] encoded = ObjectCodec.encode(shown);
    return Arrays.equals(encoded, stored) ? stored : encoded;
  }

  CachedObject read(StoreEntry entry) {
    byte[] stored = entry.value();
    if (!isLazy() && !startsWithHead(stored)) {
      // Shared storage holds the other kind's form; a foreign writer may order members
      // differently, or have written protobuf.
      stored = shown(stored);
    }
    String key = entry.key();
    int begin = descriptor.storagePrefix().length() + 1;
    int slash = key.indexOf('/', begin);
    String namespace = slash < 0 ? "" : key.substring(begin, slash).intern();
    return new CachedObject(
        this, key, namespace, slash < 0 ? begin : slash + 1, entry.modRevision(), stored);
  }

  /// The answer to the write that stored these bytes, ended by a line end; null when this kind is
  /// stored in another form.
  byte @Nullable [] answer(byte[] stored, long revision) {
    if (!startsWithHead(stored)) {
      return null;
    }
    byte[] answer = ObjectCodec.withRevision(stored, head.length, revision, 0, 1);
    answer[answer.length - 1] = '\n';
    return answer;
  }

  /// What selectors ask for.
  CachedObject.SelectorAttributes marks(ObjectNode tree, String namespace, String name) {
    return new CachedObject.SelectorAttributes(labels(tree), fields(tree, namespace, name));
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
