package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.RequestContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Keeps users from giving away, to others or to themselves, more than they hold.
///
/// A user who writes a role must hold all its rules or have the verb `escalate` on it; who binds a
/// role must hold all its rules or have the verb `bind` on it. An aggregated ClusterRole may become
/// anything, so it takes full authority to make one, change one, or make it an ordinary one.
public final class EscalationCheck {
  /// More rules than anybody writes, few enough to compare within a request.
  private static final int MOST_SINGLE_RULES = 100_000;

  private static final List<String> OWNERSHIP =
      List.of("ownerReferences", "finalizers", "managedFields", "resourceVersion");
  private static final Set<String> ALL = Set.of("*");
  private static final List<PolicyRule> FULL =
      List.of(
          new PolicyRule(ALL, ALL, ALL, Set.of(), List.of()),
          new PolicyRule(ALL, Set.of(), Set.of(), Set.of(), List.of("*")));

  private EscalationCheck() {}

  /// For `admit` of roles and clusterroles.
  ///
  /// @throws ApiException 403 when the user may not write these rules
  public static void checkRole(
      String plural, ObjectNode role, @Nullable ObjectNode old, RequestContext context) {
    if (old != null && changesOwnershipOnly(role, old)) {
      return;
    }
    String name = Json.textOr(role, "", "metadata", "name");
    if (isExempt(context, "escalate", plural, name, context.namespace())) {
      return;
    }
    boolean aggregated =
        plural.equals("clusterroles")
            && (ClusterRoleAggregation.isAggregated(role)
                || (old != null && ClusterRoleAggregation.isAggregated(old)));
    List<PolicyRule> wanted = aggregated ? FULL : PolicyRule.all(role.path("rules"));
    checkHeld(wanted, plural, name, context);
  }

  /// For `admit` of rolebindings and clusterrolebindings.
  ///
  /// @throws ApiException 403 when the user may not give away that role, 404 when there is none
  public static void checkBinding(
      String plural, ObjectNode binding, @Nullable ObjectNode old, RequestContext context) {
    if (old != null && changesOwnershipOnly(binding, old)) {
      return;
    }
    boolean isRole = Json.textOr(binding, "", "roleRef", "kind").equals("Role");
    String rolePlural = isRole ? "roles" : "clusterroles";
    String roleName = Json.textOr(binding, "", "roleRef", "name");
    if (isExempt(context, "bind", rolePlural, roleName, context.namespace())) {
      return;
    }
    ObjectNode role =
        context
            .reader()
            .get(RbacSource.GROUP, rolePlural, isRole ? context.namespace() : "", roleName);
    if (role == null) {
      throw ApiException.notFound(RbacSource.GROUP, rolePlural, roleName);
    }
    List<PolicyRule> wanted = new ArrayList<>(PolicyRule.all(role.path("rules")));
    if (!isRole && ClusterRoleAggregation.isAggregated(role)) {
      List<ObjectNode> others = context.reader().list(RbacSource.GROUP, "clusterroles", "");
      Set<String> parts = ClusterRoleAggregation.closure(role, others);
      others.stream()
          .filter(other -> parts.contains(Json.textOr(other, "", "metadata", "name")))
          .forEach(other -> wanted.addAll(PolicyRule.all(other.path("rules"))));
    }
    checkHeld(wanted, plural, Json.textOr(binding, "", "metadata", "name"), context);
  }

  /// Garbage collection must be able to let go of any object. A label is more: it may make a role
  /// part of another one.
  private static boolean changesOwnershipOnly(ObjectNode object, ObjectNode old) {
    return withoutOwnership(object).equals(withoutOwnership(old));
  }

  private static ObjectNode withoutOwnership(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    Json.child(copy, "metadata").remove(OWNERSHIP);
    return copy;
  }

  private static boolean isExempt(
      RequestContext context, String verb, String plural, String name, String namespace) {
    UserInfo user = context.user();
    return user.isIn(RbacAuthorizer.MASTERS)
        || context
            .authorizer()
            .authorize(
                new Attributes(user, verb, RbacSource.GROUP, "v1", plural, "", namespace, name, ""))
            .allowed();
  }

  private static void checkHeld(
      List<PolicyRule> wanted, String plural, String name, RequestContext context) {
    UserInfo user = context.user();
    List<PolicyRule> held =
        context.authorizer().rules(user, context.namespace()).stream().map(PolicyRule::of).toList();
    List<PolicyRule> missing = missing(held, wanted);
    if (!missing.isEmpty()) {
      throw ApiException.forbidden(
          RbacSource.GROUP,
          plural,
          name,
          "user \""
              + user.name()
              + "\" (groups="
              + quoted(user.groups())
              + ") is attempting to grant RBAC permissions not currently held:\n"
              + described(missing));
    }
  }

  /// The one-of-each rules of `wanted` that no rule of `held` covers.
  static List<PolicyRule> missing(List<PolicyRule> held, List<PolicyRule> wanted) {
    List<PolicyRule> singles =
        wanted.stream().flatMap(PolicyRule::singles).limit(MOST_SINGLE_RULES + 1L).toList();
    if (singles.size() > MOST_SINGLE_RULES) {
      throw ApiException.badRequest(
          "the rules stand for more than "
              + MOST_SINGLE_RULES
              + " permissions; use \"*\" or split the role");
    }
    return singles.stream()
        .filter(single -> held.stream().noneMatch(rule -> rule.covers(single)))
        .toList();
  }

  /// One line for each resource or path, its verbs together, sorted.
  private static String described(List<PolicyRule> missing) {
    Map<PolicyRule, Set<String>> verbs = new LinkedHashMap<>();
    for (PolicyRule rule : missing) {
      PolicyRule withoutVerb =
          new PolicyRule(Set.of(), rule.groups(), rule.resources(), rule.names(), rule.paths());
      verbs.computeIfAbsent(withoutVerb, any -> new LinkedHashSet<>()).addAll(rule.verbs());
    }
    Set<String> lines = new TreeSet<>();
    verbs.forEach(
        (rule, together) -> {
          List<String> parts = new ArrayList<>();
          part(parts, "APIGroups", rule.groups());
          part(parts, "Resources", rule.resources());
          part(parts, "NonResourceURLs", rule.paths());
          part(parts, "ResourceNames", rule.names());
          part(parts, "Verbs", together);
          lines.add("{" + String.join(", ", parts) + "}");
        });
    return String.join("\n", lines);
  }

  private static void part(List<String> parts, String name, Collection<String> values) {
    if (!values.isEmpty()) {
      parts.add(name + ":" + quoted(values));
    }
  }

  private static String quoted(Collection<String> values) {
    return values.stream()
        .map(value -> "\"" + value + "\"")
        .collect(Collectors.joining(" ", "[", "]"));
  }
}
