package io.fairlead.server.cache;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// One object as the cache holds it: its bytes, ready to be sent, and what selectors ask for.
/// Immutable; the bytes are shared by everyone and must not be changed.
public final class CachedObject {
  private static final int METADATA_MEMBER = "\"metadata\":{".length();

  private final String key;
  private final String namespace;
  private final String name;
  private final long revision;
  private final Map<String, String> labels;
  private final Map<String, String> fields;
  private final byte[] json;
  private final int headLength;

  CachedObject(
      String key,
      String namespace,
      String name,
      long revision,
      Map<String, String> labels,
      Map<String, String> fields,
      byte[] stored,
      int headLength) {
    this.key = key;
    this.namespace = namespace;
    this.name = name;
    this.revision = revision;
    this.labels = labels;
    this.fields = fields;
    this.headLength = headLength;
    this.json = ObjectCodec.withRevision(stored, headLength, revision);
  }

  /// The same content as it stood when it was deleted or left a selection at that revision.
  CachedObject at(long laterRevision) {
    byte[] stored = ObjectCodec.withoutRevision(json, headLength);
    return new CachedObject(
        key, namespace, name, laterRevision, labels, fields, stored, headLength);
  }

  String key() {
    return key;
  }

  /// Empty for cluster-scoped objects.
  public String namespace() {
    return namespace;
  }

  public String name() {
    return name;
  }

  /// The object's resourceVersion.
  public long revision() {
    return revision;
  }

  public Map<String, String> labels() {
    return labels;
  }

  /// What a field selector can ask for, `metadata.name` and `metadata.namespace` included.
  public Map<String, String> fields() {
    return fields;
  }

  /// The whole object with kind, apiVersion and resourceVersion. Shared.
  public byte[] json() {
    return json;
  }

  /// Writes the object without kind and apiVersion, as the items of a list are.
  public void writeItem(OutputStream out) throws IOException {
    int from = headLength - METADATA_MEMBER;
    out.write('{');
    out.write(json, from, json.length - from);
  }

  /// How many bytes [#writeItem] writes.
  public int itemLength() {
    return json.length - headLength + METADATA_MEMBER + 1;
  }

  /// A tree of one's own, with resourceVersion.
  public ObjectNode tree() {
    return Json.parseObject(json);
  }

  @Override
  public String toString() {
    return key + "@" + revision;
  }
}
