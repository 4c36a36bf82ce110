package io.fairlead.server.auth.rbac;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NodeReportLeases;
import io.fairlead.api.selector.FieldSelector;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.NodeUser;
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
/// bound to it (it lists and watches those by `spec.nodeName`), and the secrets, config maps,
/// volume claims and service accounts those pods use. It reads other Nodes, to route to them.
/// Mirror pods, which the node creates itself, do not count. So a node that was broken into does
/// not open the others. What it refuses, ordinary bindings may still allow.
public final class NodeAuthorizer implements Authorizer {
  private static final List<PolicyRule> RULES = PolicyRule.all(RbacBootstrap.nodeRules());
  private static final String MIRROR = "kubernetes.io/config.mirror";
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

  private static final Map<String, List<String>> CLAIM_FIELDS =
      Map.of("persistentVolumeClaim", List.of("claimName"));

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
    String node = NodeUser.of(user);
    if (node == null) {
      return others.authorize(asked);
    }
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
      case "leases" -> concernsLease(node, asked);
      case "pods" -> concernsPods(node, asked);
      case "secrets" -> isUsed(node, asked, spec -> mentions(spec, SECRET_FIELDS, asked.name()));
      case "configmaps" ->
          isUsed(node, asked, spec -> mentions(spec, CONFIG_MAP_FIELDS, asked.name()));
      case "persistentvolumeclaims" ->
          isUsed(node, asked, spec -> mentions(spec, CLAIM_FIELDS, asked.name()));
      case "persistentvolumes" -> concernsVolume(node, asked);
      case "serviceaccounts" ->
          isUsed(
              node,
              asked,
              spec -> Json.textOr(spec, "", "serviceAccountName").equals(asked.name()));
      default -> true;
    };
  }

  /// Its own heartbeat, and what the components on it report. Whose a new one is, the admission
  /// looks at.
  private static boolean concernsLease(String node, Attributes asked) {
    boolean create = asked.verb().equals("create");
    return switch (asked.namespace()) {
      case "kube-node-lease" -> create || asked.name().equals(node);
      case NodeReportLeases.NAMESPACE -> create || NodeReportLeases.isOf(node, asked.name());
      default -> false;
    };
  }

  /// The volume behind a claim of one of its pods.
  private boolean concernsVolume(String node, Attributes asked) {
    ObjectNode volume = reader.get("", "persistentvolumes", "", asked.name());
    if (volume == null) {
      return false;
    }
    String claim = Json.textOr(volume, "", "spec", "claimRef", "name");
    String namespace = Json.textOr(volume, "", "spec", "claimRef", "namespace");
    return !claim.isEmpty()
        && !namespace.isEmpty()
        && usesAny(node, namespace, spec -> mentions(spec, CLAIM_FIELDS, claim));
  }

  private boolean concernsPods(String node, Attributes asked) {
    if (asked.name().isEmpty() && READS.contains(asked.verb())) {
      return node.equals(FieldSelector.parse(asked.fieldSelector()).exactValue("spec.nodeName"));
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
        && usesAny(node, asked.namespace(), use);
  }

  private boolean usesAny(String node, String namespace, Predicate<JsonNode> use) {
    return reader.list("", "pods", namespace).stream()
        .anyMatch(pod -> isOn(node, pod) && !isMirror(pod) && use.test(pod.path("spec")));
  }

  private static boolean isOn(String node, ObjectNode pod) {
    return Json.textOr(pod, "", "spec", "nodeName").equals(node);
  }

  /// A node creates its mirror pods itself: what they mention proves nothing.
  private static boolean isMirror(ObjectNode pod) {
    return pod.path("metadata").path("annotations").has(MIRROR);
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
