package io.fairlead.server.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The form in which objects rest.
///
/// How it works: stored JSON begins with `kind`, `apiVersion` and `metadata`, in this order, and
/// holds no resourceVersion, because that is the revision the store gives the write. So the bytes
/// up to `"metadata":{` are the same for all objects of a kind, the revision is spliced in right
/// behind them, and a list item (which carries neither kind nor apiVersion) is a suffix of the same
/// bytes. Nothing is encoded twice.
public final class ObjectCodec {
  private static final String METADATA = "metadata";
  private static final String REVISION = "\"resourceVersion\":\"";
  private static final int REVISION_MEMBER = REVISION.length();

  private ObjectCodec() {}

  /// The bytes to store. The tree is not changed.
  public static byte[] encode(ObjectNode object) {
    ObjectNode ordered = Json.object();
    ordered.set("kind", object.path("kind"));
    ordered.set("apiVersion", object.path("apiVersion"));
    ObjectNode metadata = ordered.putObject(METADATA);
    for (Map.Entry<String, JsonNode> member : object.path(METADATA).properties()) {
      if (!member.getKey().equals("resourceVersion")) {
        metadata.set(member.getKey(), member.getValue());
      }
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (!ordered.has(member.getKey())) {
        ordered.set(member.getKey(), member.getValue());
      }
    }
    return Json.bytes(ordered);
  }

  /// What every stored object of that kind begins with.
  static byte[] head(String kind, String apiVersion) {
    return ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":{")
        .getBytes(UTF_8);
  }

  /// What [#withRevision] was given.
  static byte[] withoutRevision(byte[] json, int headLength) {
    int end = headLength + REVISION_MEMBER;
    while (json[end] != '"') {
      end++;
    }
    end += json[end + 1] == ',' ? 2 : 1;
    byte[] out = new byte[json.length - (end - headLength)];
    System.arraycopy(json, 0, out, 0, headLength);
    System.arraycopy(json, end, out, headLength, json.length - end);
    return out;
  }

  /// Stored bytes with the revision spliced in behind the head.
  static byte[] withRevision(byte[] stored, int headLength, long revision) {
    boolean emptyMetadata = stored[headLength] == '}';
    byte[] inserted = (REVISION + revision + (emptyMetadata ? "\"" : "\",")).getBytes(UTF_8);
    byte[] out = new byte[stored.length + inserted.length];
    System.arraycopy(stored, 0, out, 0, headLength);
    System.arraycopy(inserted, 0, out, headLength, inserted.length);
    System.arraycopy(
        stored, headLength, out, headLength + inserted.length, stored.length - headLength);
    return out;
  }
}
