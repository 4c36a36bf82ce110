package io.fairlead.server.resources.rbac;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.table.Cells;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Nobody gives away more than he holds: who writes a role must hold all that it grants or have the
/// verb `escalate`, who binds one must hold it or have the verb `bind`.
final class Escalation {
  private static final String GROUP = "rbac.authorization.k8s.io";

  private Escalation() {}

  /// Refuses a role that grants more than the user holds.
  static void checkRole(ObjectNode role, String plural, RequestContext context) {
    String name = role.at("/metadata/name").asString("");
    if (mayOn("escalate", plural, name, context)) {
      return;
    }
    List<JsonNode> excess = excess(role.path("rules"), context);
    if (!excess.isEmpty()) {
      throw refused(plural, name, excess, context);
    }
  }

  /// Refuses a binding of a role that the user neither holds nor may bind.
  static void checkBinding(ObjectNode binding, String plural, RequestContext context) {
    JsonNode reference = binding.path("roleRef");
    String roleName = reference.path("name").asString("");
    boolean namespaced = reference.path("kind").asString("").equals("Role");
    String rolePlural = namespaced ? "roles" : "clusterroles";
    if (mayOn("bind", rolePlural, roleName, context)) {
      return;
    }
    ObjectNode role =
        context.reader().get(GROUP, rolePlural, namespaced ? context.namespace() : "", roleName);
    if (role == null) {
      throw ApiException.notFound(GROUP, rolePlural, roleName);
    }
    List<JsonNode> excess = excess(role.path("rules"), context);
    if (!excess.isEmpty()) {
      throw refused(plural, binding.at("/metadata/name").asString(""), excess, context);
    }
  }

  private static boolean mayOn(String verb, String plural, String name, RequestContext context) {
    return context
        .authorizer()
        .authorize(
            new Attributes(
                context.user(), verb, GROUP, "v1", plural, "", context.namespace(), name, ""))
        .allowed();
  }

  /// The rules that hold something the user does not.
  private static List<JsonNode> excess(JsonNode rules, RequestContext context) {
    List<JsonNode> missing = new ArrayList<>();
    for (JsonNode rule : rules) {
      if (!parts(rule, context).stream()
          .allMatch(part -> context.authorizer().authorize(part).allowed())) {
        missing.add(rule);
      }
    }
    return missing;
  }

  /// A rule taken apart into single permissions.
  private static Set<Attributes> parts(JsonNode rule, RequestContext context) {
    Set<Attributes> parts = new LinkedHashSet<>();
    UserInfo user = context.user();
    for (String verb : Cells.strings(rule.path("verbs"))) {
      for (String url : Cells.strings(rule.path("nonResourceURLs"))) {
        parts.add(new Attributes(user, verb, "", "", "", "", "", "", url));
      }
      for (String group : Cells.strings(rule.path("apiGroups"))) {
        for (String resource : Cells.strings(rule.path("resources"))) {
          int slash = resource.indexOf('/');
          String plural = slash < 0 ? resource : resource.substring(0, slash);
          String sub = slash < 0 ? "" : resource.substring(slash + 1);
          List<String> names = Cells.strings(rule.path("resourceNames"));
          for (String name : names.isEmpty() ? List.of("") : names) {
            parts.add(
                new Attributes(user, verb, group, "*", plural, sub, context.namespace(), name, ""));
          }
        }
      }
    }
    return parts;
  }

  private static ApiException refused(
      String plural, String name, List<JsonNode> excess, RequestContext context) {
    UserInfo user = context.user();
    String rules = excess.stream().map(Escalation::shown).collect(Collectors.joining("\n"));
    return ApiException.forbidden(
        GROUP,
        plural,
        name,
        "user \""
            + user.name()
            + "\" (groups="
            + quoted(user.groups())
            + ") is attempting to grant RBAC permissions not currently held:\n"
            + rules);
  }

  private static String shown(JsonNode rule) {
    List<String> parts = new ArrayList<>();
    add(parts, "APIGroups", rule.path("apiGroups"));
    add(parts, "Resources", rule.path("resources"));
    add(parts, "ResourceNames", rule.path("resourceNames"));
    add(parts, "NonResourceURLs", rule.path("nonResourceURLs"));
    add(parts, "Verbs", rule.path("verbs"));
    return "{" + String.join(", ", parts) + "}";
  }

  private static void add(List<String> parts, String word, JsonNode values) {
    if (!values.isEmpty()) {
      parts.add(word + ":" + quoted(Cells.strings(values)));
    }
  }

  private static String quoted(List<String> values) {
    return values.stream().map(value -> "\"" + value + "\"").toList().toString().replace(", ", " ");
  }
}
