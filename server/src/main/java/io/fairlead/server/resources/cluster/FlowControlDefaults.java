package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The flow schemas and priority levels that every cluster has, as kube-apiserver 1.36 makes them.
/// The mandatory ones, `exempt` and `catch-all`, cannot be changed; the others are a suggestion.
public final class FlowControlDefaults {
  public static final String GROUP = "flowcontrol.apiserver.k8s.io";
  public static final String SCHEMAS = "flowschemas";
  public static final String LEVELS = "prioritylevelconfigurations";

  /// Its requests never wait.
  public static final String EXEMPT = "exempt";

  /// Takes what no other schema matches.
  public static final String CATCH_ALL = "catch-all";

  /// Says whether the server may bring the spec of a default object up to date.
  public static final String AUTO_UPDATE = "apf.kubernetes.io/autoupdate-spec";

  private static final List<String> EVERYBODY =
      List.of("system:unauthenticated", "system:authenticated");
  private static final String CONTROLLER_MANAGER = "system:kube-controller-manager";
  private static final String SCHEDULER = "system:kube-scheduler";
  private static final String LEASES = "coordination.k8s.io";
  private static final int QUEUE_LENGTH = 50;

  private FlowControlDefaults() {}

  /// Whether the object of that name, of either kind, has a fixed spec.
  public static boolean isMandatory(String name) {
    return name.equals(EXEMPT) || name.equals(CATCH_ALL);
  }

  /// The spec, without what may be changed though the object is mandatory: the shares of `exempt`.
  public static ObjectNode fixedPart(ObjectNode object) {
    ObjectNode spec = Json.child(object, "spec").deepCopy();
    if (name(object).equals(EXEMPT)) {
      spec.remove("exempt");
    }
    return spec;
  }

  /// The default priority level of that name; there must be one.
  static ObjectNode level(String name) {
    return named(levels(), name);
  }

  /// The default flow schema of that name; there must be one.
  static ObjectNode schema(String name) {
    return named(schemas(), name);
  }

  private static ObjectNode named(List<ObjectNode> objects, String name) {
    return objects.stream().filter(one -> name(one).equals(name)).findFirst().orElseThrow();
  }

  public static String name(ObjectNode object) {
    return Json.textOr(object, "", "metadata", "name");
  }

  /// Fresh objects, with the defaults of their kind.
  public static List<ObjectNode> levels() {
    ObjectNode exempt = level(EXEMPT, "Exempt");
    Json.child(exempt, "spec").putObject("exempt").put("nominalConcurrencyShares", 0);
    Json.child(Json.child(exempt, "spec"), "exempt").put("lendablePercent", 0);
    ObjectNode catchAll = limited(CATCH_ALL, 5, 0);
    response(catchAll).put("type", "Reject");
    return List.of(
        catchAll,
        exempt,
        queued("global-default", 20, 50, 128, 6),
        queued("leader-election", 10, 0, 16, 4),
        queued("node-high", 40, 25, 64, 6),
        queued("system", 30, 33, 64, 6),
        queued("workload-high", 40, 50, 128, 6),
        queued("workload-low", 100, 90, 128, 6));
  }

  private static ObjectNode queued(
      String name, int shares, int lendablePercent, int queues, int handSize) {
    ObjectNode level = limited(name, shares, lendablePercent);
    response(level)
        .put("type", "Queue")
        .putObject("queuing")
        .put("queues", queues)
        .put("handSize", handSize)
        .put("queueLengthLimit", QUEUE_LENGTH);
    return level;
  }

  private static ObjectNode limited(String name, int shares, int lendablePercent) {
    ObjectNode level = level(name, "Limited");
    Json.child(level, "spec")
        .putObject("limited")
        .put("nominalConcurrencyShares", shares)
        .put("lendablePercent", lendablePercent);
    return level;
  }

  private static ObjectNode response(ObjectNode level) {
    return Json.child(Json.child(Json.child(level, "spec"), "limited"), "limitResponse");
  }

  private static ObjectNode level(String name, String type) {
    ObjectNode level = object("PriorityLevelConfiguration", name);
    level.putObject("spec").put("type", type);
    return level;
  }

  /// Fresh objects, with the defaults of their kind.
  public static List<ObjectNode> schemas() {
    List<ObjectNode> all = new ArrayList<>();
    all.add(schema(EXEMPT, EXEMPT, 1, null, everything(groups(List.of("system:masters")))));
    all.add(
        schema(
            "probes",
            EXEMPT,
            2,
            null,
            rule -> {
              groups(EVERYBODY).accept(rule.putArray("subjects"));
              paths(rule, "get", List.of("/healthz", "/readyz", "/livez"));
            }));
    all.add(
        schema(
            "system-leader-election",
            "leader-election",
            100,
            "ByUser",
            rule -> {
              ArrayNode subjects = rule.putArray("subjects");
              user(CONTROLLER_MANAGER).accept(subjects);
              user(SCHEDULER).accept(subjects);
              kubeSystemAccounts(subjects);
              resources(
                  rule.putArray("resourceRules").addObject(),
                  List.of("get", "create", "update"),
                  LEASES,
                  List.of("leases"),
                  false);
            }));
    all.add(
        schema(
            "system-node-high",
            "node-high",
            400,
            "ByUser",
            rule -> {
              groups(List.of("system:nodes")).accept(rule.putArray("subjects"));
              ArrayNode rules = rule.putArray("resourceRules");
              List<String> any = List.of("*");
              resources(rules.addObject(), any, "", List.of("nodes", "nodes/status"), true);
              resources(rules.addObject(), any, LEASES, List.of("leases"), false);
            }));
    all.add(
        schema(
            "system-nodes", "system", 500, "ByUser", everything(groups(List.of("system:nodes")))));
    all.add(
        schema(
            "kube-controller-manager",
            "workload-high",
            800,
            "ByNamespace",
            everything(user(CONTROLLER_MANAGER))));
    all.add(
        schema("kube-scheduler", "workload-high", 800, "ByNamespace", everything(user(SCHEDULER))));
    all.add(
        schema(
            "kube-system-service-accounts",
            "workload-high",
            900,
            "ByNamespace",
            everything(FlowControlDefaults::kubeSystemAccounts)));
    all.add(
        schema(
            "service-accounts",
            "workload-low",
            9000,
            "ByUser",
            everything(groups(List.of("system:serviceaccounts")))));
    all.add(
        schema("global-default", "global-default", 9900, "ByUser", everything(groups(EVERYBODY))));
    all.add(schema(CATCH_ALL, CATCH_ALL, 10_000, "ByUser", everything(groups(EVERYBODY))));
    return all;
  }

  private static ObjectNode schema(
      String name,
      String level,
      int precedence,
      @Nullable String distinguisher,
      Consumer<ObjectNode> rule) {
    ObjectNode schema = object("FlowSchema", name);
    ObjectNode spec = schema.putObject("spec");
    spec.putObject("priorityLevelConfiguration").put("name", level);
    spec.put("matchingPrecedence", precedence);
    if (distinguisher != null) {
      spec.putObject("distinguisherMethod").put("type", distinguisher);
    }
    rule.accept(spec.putArray("rules").addObject());
    return schema;
  }

  private static Consumer<ObjectNode> everything(Consumer<ArrayNode> subjects) {
    return rule -> {
      subjects.accept(rule.putArray("subjects"));
      resources(rule.putArray("resourceRules").addObject(), List.of("*"), "*", List.of("*"), true);
      paths(rule, "*", List.of("*"));
    };
  }

  private static void resources(
      ObjectNode rule, List<String> verbs, String group, List<String> resources, boolean cluster) {
    verbs.forEach(rule.putArray("verbs")::add);
    rule.putArray("apiGroups").add(group);
    resources.forEach(rule.putArray("resources")::add);
    if (cluster) {
      rule.put("clusterScope", true);
    }
    rule.putArray("namespaces").add("*");
  }

  private static void paths(ObjectNode rule, String verb, List<String> paths) {
    ObjectNode urls = rule.putArray("nonResourceRules").addObject();
    urls.putArray("verbs").add(verb);
    paths.forEach(urls.putArray("nonResourceURLs")::add);
  }

  private static Consumer<ArrayNode> groups(List<String> names) {
    return subjects ->
        names.forEach(
            name -> subjects.addObject().put("kind", "Group").putObject("group").put("name", name));
  }

  private static Consumer<ArrayNode> user(String name) {
    return subjects -> subjects.addObject().put("kind", "User").putObject("user").put("name", name);
  }

  private static void kubeSystemAccounts(ArrayNode subjects) {
    subjects
        .addObject()
        .put("kind", "ServiceAccount")
        .putObject("serviceAccount")
        .put("namespace", "kube-system")
        .put("name", "*");
  }

  private static ObjectNode object(String kind, String name) {
    ObjectNode object = Json.object();
    object.put("kind", kind).put("apiVersion", GROUP + "/v1");
    object
        .putObject("metadata")
        .put("name", name)
        .putObject("annotations")
        .put(AUTO_UPDATE, "true");
    return object;
  }
}
