package io.fairlead.server.render;

/// How an answer is written: what the client and the server agreed on.
///
/// @param metaVersion `v1` or `v1beta1` of meta.k8s.io, for tables and partial metadata
/// @param pretty indent JSON for people
/// @param schemaName the struct of the kind that is asked for, by which protobuf is written
public record ResponseFormat(
    Encoding encoding, Shape shape, String metaVersion, boolean pretty, String schemaName) {

  /// The bytes on the wire.
  public enum Encoding {
    JSON("application/json"),
    YAML("application/yaml"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String mediaType;

    Encoding(String mediaType) {
      this.mediaType = mediaType;
    }

    public String mediaType() {
      return mediaType;
    }
  }

  /// Which view of the object is sent.
  public enum Shape {
    OBJECT,
    TABLE,
    PARTIAL,
    PARTIAL_LIST
  }

  /// Whether the stored bytes can be sent as they are.
  public boolean isPlain() {
    return encoding == Encoding.JSON && shape == Shape.OBJECT && !pretty;
  }

  public String contentType() {
    return encoding.mediaType();
  }

  /// Watches in other encodings than JSON say so in the type.
  public String streamType() {
    return encoding == Encoding.JSON ? contentType() : contentType() + ";stream=watch";
  }

  public String metaApiVersion() {
    return "meta.k8s.io/" + metaVersion;
  }

  /// The same encoding for an answer that is never converted, such as a Status.
  public ResponseFormat asObject() {
    return new ResponseFormat(encoding, Shape.OBJECT, metaVersion, pretty, schemaName);
  }
}
