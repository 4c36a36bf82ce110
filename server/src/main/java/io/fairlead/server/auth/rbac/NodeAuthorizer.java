package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.resource.ClusterReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Speaks for the agents on nodes: user `system:node:NAME` of group `system:nodes`.
///
/// A node may do what the role `system:node` says, but only with its own Node and Lease, the pods
/// bound to it, and the secrets, config maps and service accounts those pods use. So a node that
/// was broken into does not open the others. What it refuses, ordinary bindings may still allow.
public final class NodeAuthorizer implements Authorizer {
  private static final String GROUP = "system:nodes";
  private static final String PREFIX = "system:node:";
  private static final List<PolicyRule> RULES = PolicyRule.all(RbacBootstrap.nodeRules());
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /// Where a pod names what it uses: the field, and in it the member with the name.
  private static final Map<String, List<String>> SECRET_FIELDS =
      Map.of(
          "secret", List.of("secretName", "name"),
          "secretKeyRef", List.of("name"),
          "secretRef", List.of("name"),
          "imagePullSecrets", List.of("name"));

  private static final Map<String, List<String>> CONFIG_MAP_FIELDS =
      Map.of(
          "configMap", List.of("name"),
          "configMapKeyRef", List.of("name"),
          "configMapRef", List.of("name"));

  private final Authorizer others;
  private final ClusterReader reader;

  /// @param others asked about everybody else, and about what a node may not do as a node
  public NodeAuthorizer(Authorizer others, ClusterReader reader) {
    this.others = others;
    this.reader = reader;
  }

  @Override
  public Decision authorize(Attributes asked) {
    UserInfo user = asked.user();
    if (!user.isIn(GROUP) || !user.name().startsWith(PREFIX)) {
      return others.authorize(asked);
    }
    String node = user.name().substring(PREFIX.length());
    boolean inRole = RULES.stream().anyMatch(rule -> rule.allows(asked));
    if (inRole && concerns(node, asked)) {
      return new Decision(true, "");
    }
    Decision decision = others.authorize(asked);
    return decision.allowed() || !inRole
        ? decision
        : new Decision(false, "no relationship found between node '" + node + "' and this object");
  }

  @Override
  public List<Rule> rules(UserInfo user, String namespace) {
    return others.rules(user, namespace);
  }

  private boolean concerns(String node, Attributes asked) {
    boolean reads = READS.contains(asked.verb());
    return switch (asked.resource()) {
      case "nodes" -> reads || asked.verb().equals("create") || asked.name().equals(node);
      case "leases" ->
          asked.namespace().equals("kube-node-lease")
              && (asked.verb().equals("create") || asked.name().equals(node));
      case "pods" -> concernsPods(node, asked);
      case "secrets" -> isUsed(node, asked, spec -> mentions(spec, SECRET_FIELDS, asked.name()));
      case "configmaps" ->
          isUsed(node, asked, spec -> mentions(spec, CONFIG_MAP_FIELDS, asked.name()));
      case "serviceaccounts" ->
          isUsed(
              node,
              asked,
              spec -> Json.textOr(spec, "", "serviceAccountName").equals(asked.name()));
      default -> true;
    };
  }

  /// Lists cannot be cut to one node here; single pods can.
  private boolean concernsPods(String node, Attributes asked) {
    if (asked.verb().equals("list") || asked.verb().equals("watch")) {
      return true;
    }
    if (asked.verb().equals("create") && asked.subresource().isEmpty()) {
      // Mirrors of its static pods only: the admission of pods looks inside.
      return true;
    }
    if (asked.name().isEmpty()) {
      return false;
    }
    ObjectNode pod = reader.get("", "pods", asked.namespace(), asked.name());
    return pod != null && isOn(node, pod);
  }

  private boolean isUsed(String node, Attributes asked, Predicate<JsonNode> use) {
    return !asked.name().isEmpty()
        && !asked.namespace().isEmpty()
        && reader.list("", "pods", asked.namespace()).stream()
            .anyMatch(pod -> isOn(node, pod) && use.test(pod.path("spec")));
  }

  private static boolean isOn(String node, ObjectNode pod) {
    return Json.textOr(pod, "", "spec", "nodeName").equals(node);
  }

  private static boolean mentions(JsonNode spec, Map<String, List<String>> fields, String name) {
    for (Map.Entry<String, JsonNode> member : spec.properties()) {
      List<String> members = fields.get(member.getKey());
      if (members != null && names(member.getValue(), members, name)) {
        return true;
      }
      if (mentions(member.getValue(), fields, name)) {
        return true;
      }
    }
    for (JsonNode item : spec.isArray() ? spec : Json.array()) {
      if (mentions(item, fields, name)) {
        return true;
      }
    }
    return false;
  }

  private static boolean names(JsonNode reference, List<String> members, String name) {
    for (JsonNode one : reference.isArray() ? reference : Json.array().add(reference)) {
      for (String member : members) {
        if (Json.textOr(one, "", member).equals(name)) {
          return true;
        }
      }
    }
    return false;
  }
}
