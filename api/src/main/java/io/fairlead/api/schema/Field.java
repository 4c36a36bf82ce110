package io.fairlead.api.schema;

/// One field of a struct.
///
/// @param name the JSON name
/// @param type its shape
/// @param description the text `kubectl explain` prints; empty where the source has none
/// @param required listed as required in OpenAPI
/// @param number the protobuf field number, 0 when the field has none
/// @param pointer absent and zero differ (a Go pointer, or a field without `omitempty`): a zero
///   that is there is kept
/// @param inlined the protobuf message nests this struct, JSON flattens it into its parent
/// @param merge how values of this field combine
/// @param written a zero is written where no client set the field (Go without `omitempty`)
/// @param goType what Go calls its type in messages, `v1.ServiceType`; empty where the shape says
///   it
public record Field(
    String name,
    Type type,
    String description,
    boolean required,
    int number,
    boolean pointer,
    boolean inlined,
    MergeStrategy merge,
    boolean written,
    String goType) {}
