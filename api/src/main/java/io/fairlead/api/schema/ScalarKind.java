package io.fairlead.api.schema;

/// The kinds of leaf values that the Kubernetes API knows.
public enum ScalarKind {
  STRING,
  BOOLEAN,
  INT32,
  INT64,
  DOUBLE,
  /// Base64 text in JSON, raw bytes in protobuf.
  BYTES,
  /// RFC 3339 with whole seconds.
  TIME,
  /// RFC 3339 with six decimals.
  MICRO_TIME,
  /// `metav1.Duration`: text such as `1m30s`.
  DURATION,
  /// A number or a string, `80` or `"http"`.
  INT_OR_STRING,
  /// `100m`, `1Gi`; printed in canonical form.
  QUANTITY,
  /// Any JSON value: `RawExtension`, `FieldsV1`, `JSON`.
  ANY
}
