package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.UserInfo;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A role given to users, groups or service accounts.
///
/// @param namespace where it holds; empty for everywhere
/// @param roleKind `Role` or `ClusterRole`
record RbacBinding(
    String namespace, String name, String roleKind, String roleName, List<Subject> subjects) {

  /// Who gets the role.
  ///
  /// @param key what a user is looked up by, see [#keys]
  /// @param shown how a reason names it
  record Subject(String key, String shown) {}

  private static final String ACCOUNT = "system:serviceaccount:";

  static RbacBinding of(ObjectNode object) {
    String namespace = Json.textOr(object, "", "metadata", "namespace");
    List<Subject> subjects = new ArrayList<>();
    for (JsonNode subject : object.path("subjects")) {
      String kind = Json.textOr(subject, "", "kind");
      String name = Json.textOr(subject, "", "name");
      switch (kind) {
        case "User" -> subjects.add(new Subject(userKey(name), "User \"" + name + "\""));
        case "Group" -> subjects.add(new Subject(groupKey(name), "Group \"" + name + "\""));
        case "ServiceAccount" -> {
          String home = Json.textOr(subject, namespace, "namespace");
          String shown = "ServiceAccount \"" + name + "/" + home + "\"";
          subjects.add(new Subject(userKey(ACCOUNT + home + ":" + name), shown));
        }
        default -> {
          // A kind that validation lets through one day grants nothing here.
        }
      }
    }
    return new RbacBinding(
        namespace,
        Json.textOr(object, "", "metadata", "name"),
        Json.textOr(object, "", "roleRef", "kind"),
        Json.textOr(object, "", "roleRef", "name"),
        List.copyOf(subjects));
  }

  /// Under which keys bindings of that user are found.
  static List<String> keys(UserInfo user) {
    List<String> keys = new ArrayList<>(user.groups().size() + 1);
    keys.add(userKey(user.name()));
    user.groups().forEach(group -> keys.add(groupKey(group)));
    return keys;
  }

  /// `RoleBinding "b/ns" of Role "r" to User "bob"`.
  String reason(String key) {
    String shown =
        subjects.stream()
            .filter(subject -> subject.key().equals(key))
            .map(Subject::shown)
            .findFirst()
            .orElse("");
    String self =
        namespace.isEmpty()
            ? "ClusterRoleBinding \"" + name + "\""
            : "RoleBinding \"" + name + "/" + namespace + "\"";
    return self + " of " + roleKind + " \"" + roleName + "\" to " + shown;
  }

  private static String userKey(String name) {
    return "u:" + name;
  }

  private static String groupKey(String name) {
    return "g:" + name;
  }
}
