package io.fairlead.server.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.Envelope;
import io.fairlead.api.protobuf.ProtobufReader;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import java.util.Arrays;
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
///
/// A kube-apiserver that had the same etcd before has written protobuf, which is read as well; what
/// is written again is JSON, which it reads too.
public final class ObjectCodec {
  private static final String METADATA = "metadata";
  private static final byte[] PROTOBUF = {'k', '8', 's', 0};
  private static final byte[] ENCRYPTED = "k8s:enc:".getBytes(UTF_8);
  private static final byte[] REVISION = "\"resourceVersion\":\"".getBytes(UTF_8);

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

  /// Reads stored bytes, of this server or of a kube-apiserver.
  ///
  /// @throws DecodeException when they are no object, or encrypted
  public static ObjectNode decode(byte[] stored) {
    if (startsWith(stored, PROTOBUF)) {
      return ProtobufReader.read(stored, struct(Envelope.open(stored)));
    }
    if (startsWith(stored, ENCRYPTED)) {
      throw new DecodeException(
          "the stored object is encrypted; have it written in the clear by the kube-apiserver that"
              + " has the key, with the provider `identity` first");
    }
    return Json.parseObject(stored);
  }

  private static boolean startsWith(byte[] stored, byte[] prefix) {
    return stored.length >= prefix.length
        && Arrays.equals(stored, 0, prefix.length, prefix, 0, prefix.length);
  }

  /// The struct of a kind, whose package is the first word of the group.
  private static StructType struct(Envelope envelope) {
    String apiVersion = envelope.apiVersion();
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "core" : apiVersion.substring(0, slash).replaceFirst("\\..*", "");
    StructType struct =
        Schemas.kubernetes()
            .find(
                "io.k8s.api."
                    + group
                    + "."
                    + apiVersion.substring(slash + 1)
                    + "."
                    + envelope.kind());
    if (struct == null) {
      throw new DecodeException(
          "a stored object is of the unknown kind " + envelope.kind() + " of " + apiVersion);
    }
    return struct;
  }

  /// What every stored object of that kind begins with.
  static byte[] head(String kind, String apiVersion) {
    return ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":{")
        .getBytes(UTF_8);
  }

  /// Stored bytes with the revision spliced in behind the head, and space around them.
  static byte[] withRevision(byte[] stored, int headLength, long revision, int before, int behind) {
    byte[] inserted = revisionMember(stored, headLength, revision);
    byte[] out = new byte[before + stored.length + inserted.length + behind];
    int rest = before + headLength + inserted.length;
    System.arraycopy(stored, 0, out, before, headLength);
    System.arraycopy(inserted, 0, out, before + headLength, inserted.length);
    System.arraycopy(stored, headLength, out, rest, stored.length - headLength);
    return out;
  }

  /// What stands between the halves of the stored bytes.
  static byte[] revisionMember(byte[] stored, int headLength, long revision) {
    boolean emptyMetadata = stored[headLength] == '}';
    String text = Long.toString(revision);
    int length = REVISION.length + text.length() + (emptyMetadata ? 1 : 2);
    byte[] member = Arrays.copyOf(REVISION, length);
    for (int i = 0; i < text.length(); i++) {
      member[REVISION.length + i] = (byte) text.charAt(i);
    }
    member[REVISION.length + text.length()] = '"';
    if (!emptyMetadata) {
      member[length - 1] = ',';
    }
    return member;
  }
}
