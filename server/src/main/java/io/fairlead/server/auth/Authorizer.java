package io.fairlead.server.auth;

import java.util.List;

/// Decides whether a user may do something.
public interface Authorizer {
  /// What is asked for. For a path that is no resource, `path` is set and the resource fields are
  /// empty.
  ///
  /// @param fieldSelector what a list or watch is limited to, as the request says it
  record Attributes(
      UserInfo user,
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name,
      String path,
      String fieldSelector) {
    /// Without a selector.
    public Attributes(
        UserInfo user,
        String verb,
        String group,
        String version,
        String resource,
        String subresource,
        String namespace,
        String name,
        String path) {
      this(user, verb, group, version, resource, subresource, namespace, name, path, "");
    }
  }

  /// @param allowed the answer
  /// @param reason why, for reviews and the audit log; may be empty
  record Decision(boolean allowed, String reason) {}

  /// One rule that applies to a user, for SelfSubjectRulesReview. Either `resources` or `paths` is
  /// empty.
  record Rule(
      List<String> verbs,
      List<String> groups,
      List<String> resources,
      List<String> names,
      List<String> paths) {}

  Decision authorize(Attributes attributes);

  /// All rules that apply to that user in that namespace.
  List<Rule> rules(UserInfo user, String namespace);
}
