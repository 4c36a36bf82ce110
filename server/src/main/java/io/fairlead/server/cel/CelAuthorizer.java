package io.fairlead.server.cel;

/// Answers expressions what a user may do: the variable `authorizer`.
public interface CelAuthorizer {
  /// @param reason why; may be empty
  record Answer(boolean allowed, String reason) {}

  /// Where something would be done. All but `resource` may be empty.
  record Target(String group, String resource, String subresource, String namespace, String name) {}

  /// The same question about a service account.
  CelAuthorizer of(String namespace, String serviceAccount);

  /// About a path that is no resource.
  Answer path(String path, String verb);

  /// About a resource.
  Answer resource(Target target, String verb);
}
