package io.fairlead.api.codec;

/// The encodings of a body.
public enum Format {
  JSON,
  YAML,
  /// `application/vnd.kubernetes.protobuf`.
  PROTOBUF
}
