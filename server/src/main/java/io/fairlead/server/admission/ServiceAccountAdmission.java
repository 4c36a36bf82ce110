package io.fairlead.server.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameGenerator;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives a new pod the account it runs as, with its token.
final class ServiceAccountAdmission implements AdmissionPlugin {
  private static final String TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String TOKEN_VOLUME = "kube-api-access-";
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final int TOKEN_SECONDS = 3607;

  // A controller makes the account of a new namespace a moment later; the first pods of a new
  // cluster or namespace wait for it.
  private static final String MADE_BY_CONTROLLER = "default";
  private static final Duration STEP = Duration.ofMillis(50);
  private static final int STEPS = 60;

  private final Pacer pacer;

  ServiceAccountAdmission(Pacer pacer) {
    this.pacer = pacer;
  }

  @Override
  public String name() {
    return "ServiceAccount";
  }

  /// A mirror of a pod that a node runs by itself has no account.
  @Override
  public boolean handles(AdmissionRequest request) {
    return request.isPod()
        && request.creates()
        && !request.object().path("metadata").path("annotations").has(MIRROR);
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    RequestContext context = request.context();
    if (spec.path("serviceAccountName").asString("").isEmpty()) {
      spec.put("serviceAccountName", "default");
    }
    String name = spec.path("serviceAccountName").asString("");
    spec.put("serviceAccount", name);
    ObjectNode account = account(context, name);
    if (account == null) {
      throw request.forbidden(
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

  private @Nullable ObjectNode account(RequestContext context, String name) {
    ObjectNode found = context.reader().get("", "serviceaccounts", context.namespace(), name);
    try {
      for (int step = 0; found == null && name.equals(MADE_BY_CONTROLLER) && step < STEPS; step++) {
        pacer.pause(STEP);
        found = context.reader().get("", "serviceaccounts", context.namespace(), name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return found;
  }

  private static void mountToken(ObjectNode spec, RequestContext context) {
    String volume = "";
    for (JsonNode existing : spec.path("volumes")) {
      String name = existing.path("name").asString("");
      volume = name.startsWith(TOKEN_VOLUME) ? name : volume;
    }
    boolean make = volume.isEmpty();
    if (make) {
      volume = TOKEN_VOLUME + NameGenerator.suffix(context.random());
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

  private static ArrayNode list(ObjectNode object, String key) {
    return object.get(key) instanceof ArrayNode found ? found : object.putArray(key);
  }
}
