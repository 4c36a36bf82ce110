package io.fairlead.api.schema;

/// The shape of a value in a Kubernetes object.
///
/// Types form a graph (a `JSONSchemaProps` contains itself), so a [StructType] is a class that is
/// linked after all structs exist; the others are plain records.
public sealed interface Type permits Type.Scalar, Type.ListOf, Type.MapOf, StructType {

  /// A leaf. Its kind says how it is read from JSON, from protobuf, and how it is printed.
  record Scalar(ScalarKind kind) implements Type {}

  /// A list. How two lists merge is a property of the field that holds it ([Field#merge()]).
  record ListOf(Type element) implements Type {}

  /// A map with string keys.
  record MapOf(Type value) implements Type {}
}
