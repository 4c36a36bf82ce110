package io.fairlead.server.openapi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing that can be done at one path, before it is written as version 2 or 3 of OpenAPI.
///
/// @param path `/api/v1/namespaces/{namespace}/services/{name}`
/// @param method `get`, `post`, `put`, `patch`, `delete`
/// @param action what Kubernetes calls it: `list`, `deletecollection`, `connect`; else the method
/// @param id a name no other operation has
/// @param description a sentence
/// @param kind the kind it is about
/// @param body the struct of the request's body; null when there is none
/// @param answer the struct of the answer; null when it is a stream or text
/// @param parameters the query parameters
record Operation(
    String path,
    String method,
    String action,
    String id,
    String description,
    GroupVersionKind kind,
    @Nullable String body,
    @Nullable String answer,
    List<Parameter> parameters) {

  /// Group, version and kind.
  record GroupVersionKind(String group, String version, String kind) {}

  boolean isPatch() {
    return method.equals("patch");
  }
}
