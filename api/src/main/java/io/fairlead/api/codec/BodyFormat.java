package io.fairlead.api.codec;

/// The encodings of a body.
public enum BodyFormat {
  JSON,
  YAML,
  /// `application/vnd.kubernetes.protobuf`.
  PROTOBUF
}
