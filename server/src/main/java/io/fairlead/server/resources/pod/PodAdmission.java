package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.Generated;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.RequestContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives a pod what depends on the cluster: the account it runs as with its token, the time it
/// stays on a node that went away, its priority.
final class PodAdmission {
  private static final String TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String TOKEN_VOLUME = "kube-api-access-";
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final int TOKEN_SECONDS = 3607;
  private static final int TOLERATION_SECONDS = 300;
  private static final List<String> NODE_TROUBLES =
      List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
  private static final Map<String, Integer> SYSTEM_PRIORITIES =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  private PodAdmission() {}

  /// Changes `pod`; `old` is null on create.
  static void admit(ObjectNode pod, @Nullable ObjectNode old, RequestContext context) {
    ObjectNode spec = Json.child(pod, "spec");
    if (old == null) {
      MirrorRules.check(pod, context);
      if (!pod.path("metadata").path("annotations").has(MIRROR)) {
        giveAccount(pod, spec, context);
      }
      givePriority(pod, spec);
    } else {
      keepPriority(spec, old.path("spec"));
    }
    giveTolerations(spec);
  }

  private static void giveAccount(ObjectNode pod, ObjectNode spec, RequestContext context) {
    if (spec.path("serviceAccountName").asString("").isEmpty()) {
      spec.put("serviceAccountName", "default");
    }
    String name = spec.path("serviceAccountName").asString("");
    spec.put("serviceAccount", name);
    ObjectNode account = context.reader().get("", "serviceaccounts", context.namespace(), name);
    if (account == null) {
      throw ApiException.forbidden(
          "",
          "pods",
          nameOf(pod),
          "error looking up service account "
              + context.namespace()
              + "/"
              + name
              + ": serviceaccount \""
              + name
              + "\" not found");
    }
    JsonNode secrets = account.path("imagePullSecrets");
    if (spec.path("imagePullSecrets").isEmpty() && !secrets.isEmpty()) {
      spec.set("imagePullSecrets", secrets);
    }
    JsonNode automount = spec.path("automountServiceAccountToken");
    if (automount.isMissingNode()) {
      automount = account.path("automountServiceAccountToken");
    }
    if (automount.asBoolean(true)) {
      mountToken(spec, context);
    }
  }

  private static void mountToken(ObjectNode spec, RequestContext context) {
    String volume = "";
    for (JsonNode existing : spec.path("volumes")) {
      String name = existing.path("name").asString("");
      volume = name.startsWith(TOKEN_VOLUME) ? name : volume;
    }
    boolean make = volume.isEmpty();
    if (make) {
      volume = TOKEN_VOLUME + Generated.suffix(context.random());
    }
    boolean used = false;
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        used |= container instanceof ObjectNode one && mount(one, volume);
      }
    }
    if (make && used) {
      list(spec, "volumes").add(tokenVolume(volume));
    }
  }

  private static boolean mount(ObjectNode container, String volume) {
    for (JsonNode mounted : container.path("volumeMounts")) {
      if (mounted.path("mountPath").asString("").equals(TOKEN_PATH)) {
        return false;
      }
    }
    list(container, "volumeMounts")
        .addObject()
        .put("name", volume)
        .put("readOnly", true)
        .put("mountPath", TOKEN_PATH);
    return true;
  }

  private static ObjectNode tokenVolume(String name) {
    ObjectNode volume = Json.object();
    volume.put("name", name);
    ObjectNode projected = volume.putObject("projected");
    ArrayNode sources = projected.putArray("sources");
    sources
        .addObject()
        .putObject("serviceAccountToken")
        .put("expirationSeconds", TOKEN_SECONDS)
        .put("path", "token");
    ObjectNode authority = sources.addObject().putObject("configMap");
    authority.put("name", "kube-root-ca.crt");
    authority.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
    ObjectNode namespace =
        sources.addObject().putObject("downwardAPI").putArray("items").addObject();
    namespace.put("path", "namespace");
    namespace.putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
    projected.put("defaultMode", 0644);
    return volume;
  }

  private static void giveTolerations(ObjectNode spec) {
    for (String trouble : NODE_TROUBLES) {
      if (!tolerates(spec.path("tolerations"), trouble)) {
        list(spec, "tolerations")
            .addObject()
            .put("key", trouble)
            .put("operator", "Exists")
            .put("effect", "NoExecute")
            .put("tolerationSeconds", TOLERATION_SECONDS);
      }
    }
  }

  private static boolean tolerates(JsonNode tolerations, String taint) {
    for (JsonNode toleration : tolerations) {
      String key = toleration.path("key").asString("");
      String effect = toleration.path("effect").asString("");
      if ((key.isEmpty() || key.equals(taint))
          && (effect.isEmpty() || effect.equals("NoExecute"))) {
        return true;
      }
    }
    return false;
  }

  private static void givePriority(ObjectNode pod, ObjectNode spec) {
    String className = spec.path("priorityClassName").asString("");
    Integer priority = className.isEmpty() ? Integer.valueOf(0) : SYSTEM_PRIORITIES.get(className);
    if (priority == null) {
      throw ApiException.forbidden(
          "", "pods", nameOf(pod), "no PriorityClass with name " + className + " was found");
    }
    JsonNode given = spec.path("priority");
    if (given.isNumber() && given.asInt(0) != priority) {
      throw ApiException.forbidden(
          "",
          "pods",
          nameOf(pod),
          "the integer value of priority ("
              + given.asInt(0)
              + ") must not be provided in pod spec; priority admission controller computed "
              + priority
              + " from the given PriorityClass name");
    }
    spec.put("priority", priority);
    if (!spec.has("preemptionPolicy")) {
      spec.put("preemptionPolicy", "PreemptLowerPriority");
    }
  }

  private static void keepPriority(ObjectNode spec, JsonNode old) {
    for (String key : List.of("priority", "preemptionPolicy")) {
      if (!spec.has(key) && old.has(key)) {
        spec.set(key, old.path(key));
      }
    }
  }

  private static String nameOf(ObjectNode pod) {
    JsonNode metadata = pod.path("metadata");
    return metadata.path("name").asString(metadata.path("generateName").asString(""));
  }

  private static ArrayNode list(ObjectNode object, String key) {
    return object.get(key) instanceof ArrayNode found ? found : object.putArray(key);
  }
}
