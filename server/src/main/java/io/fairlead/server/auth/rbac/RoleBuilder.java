package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes the roles and bindings that every cluster has.
final class RoleBuilder {
  static final String READ = "get,list,watch";
  static final String WRITE = "create,delete,deletecollection,patch,update";

  private static final String API_VERSION = RbacSource.GROUP + "/v1";
  private static final String AGGREGATE = RbacSource.GROUP + "/aggregate-to-";

  private final ObjectNode object;

  private RoleBuilder(ObjectNode object) {
    this.object = object;
  }

  static RoleBuilder clusterRole(String name) {
    return new RoleBuilder(head("ClusterRole", name, ""));
  }

  static RoleBuilder role(String namespace, String name) {
    return new RoleBuilder(head("Role", name, namespace));
  }

  /// Allows verbs on resources of one API group; both lists with commas.
  RoleBuilder allow(String verbs, String group, String resources) {
    ObjectNode rule = rule(verbs);
    rule.putArray("apiGroups").add(group);
    fill(rule.putArray("resources"), resources);
    return this;
  }

  /// The same for single objects.
  RoleBuilder allowNamed(String verbs, String group, String resources, String names) {
    ObjectNode rule = rule(verbs);
    rule.putArray("apiGroups").add(group);
    fill(rule.putArray("resources"), resources);
    fill(rule.putArray("resourceNames"), names);
    return this;
  }

  /// Allows events of both API groups to be written.
  RoleBuilder allowEvents() {
    return allow("create,patch,update", "", "events")
        .allow("create,patch,update", "events.k8s.io", "events");
  }

  RoleBuilder allowPaths(String verbs, String paths) {
    fill(rule(verbs).putArray("nonResourceURLs"), paths);
    return this;
  }

  /// Lets `admin`, `edit` or `view` take in this role.
  RoleBuilder aggregateTo(String role) {
    Json.child(Json.child(object, "metadata"), "labels").put(AGGREGATE + role, "true");
    return this;
  }

  /// Puts this role together from those that [#aggregateTo] it.
  RoleBuilder aggregated(String role) {
    object
        .putObject("aggregationRule")
        .putArray("clusterRoleSelectors")
        .addObject()
        .putObject("matchLabels")
        .put(AGGREGATE + role, "true");
    return this;
  }

  ObjectNode build() {
    if (!object.has("rules")) {
      object.putArray("rules");
    }
    return object;
  }

  /// A ClusterRoleBinding of the ClusterRole with the same name.
  static ObjectNode bindCluster(String name, List<ObjectNode> subjects) {
    return bind(head("ClusterRoleBinding", name, ""), "ClusterRole", name, subjects);
  }

  /// A RoleBinding of the Role with the same name.
  static ObjectNode bindRole(String namespace, String name, List<ObjectNode> subjects) {
    return bind(head("RoleBinding", name, namespace), "Role", name, subjects);
  }

  /// A RoleBinding under another name than its Role's.
  static ObjectNode bindRole(
      String namespace, String name, String role, List<ObjectNode> subjects) {
    return bind(head("RoleBinding", name, namespace), "Role", role, subjects);
  }

  static ObjectNode user(String name) {
    return subject("User", name);
  }

  static ObjectNode group(String name) {
    return subject("Group", name);
  }

  static ObjectNode account(String namespace, String name) {
    return Json.object()
        .put("kind", "ServiceAccount")
        .put("name", name)
        .put("namespace", namespace);
  }

  private static ObjectNode subject(String kind, String name) {
    return Json.object().put("kind", kind).put("apiGroup", RbacSource.GROUP).put("name", name);
  }

  private static ObjectNode bind(
      ObjectNode binding, String roleKind, String role, List<ObjectNode> subjects) {
    if (!subjects.isEmpty()) {
      subjects.forEach(binding.putArray("subjects")::add);
    }
    binding
        .putObject("roleRef")
        .put("apiGroup", RbacSource.GROUP)
        .put("kind", roleKind)
        .put("name", role);
    return binding;
  }

  private static ObjectNode head(String kind, String name, String namespace) {
    ObjectNode object = Json.object().put("kind", kind).put("apiVersion", API_VERSION);
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    metadata.putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
    metadata.putObject("annotations").put("rbac.authorization.kubernetes.io/autoupdate", "true");
    return object;
  }

  private ObjectNode rule(String verbs) {
    ArrayNode rules =
        object.get("rules") instanceof ArrayNode list ? list : object.putArray("rules");
    ObjectNode rule = rules.addObject();
    fill(rule.putArray("verbs"), verbs);
    return rule;
  }

  private static void fill(ArrayNode list, String values) {
    for (String value : values.split(",", -1)) {
      list.add(value);
    }
  }
}
