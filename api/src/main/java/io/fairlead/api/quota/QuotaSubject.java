package io.fairlead.api.quota;

import io.fairlead.api.schema.Quantity;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What one object uses of the quotas of its namespace. Immutable.
///
/// @param usage amounts by the names quotas use
/// @param pod what scopes ask of pods; null for other kinds, which no scope picks
public record QuotaSubject(Map<String, Quantity> usage, @Nullable PodScopes pod) {
  private static final Set<String> COUNTED_BY_NAME =
      Set.of(
          "pods",
          "services",
          "replicationcontrollers",
          "resourcequotas",
          "secrets",
          "configmaps",
          "persistentvolumeclaims");
  private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");
  private static final Quantity ONE = Quantity.of(1);

  public QuotaSubject {
    usage = Map.copyOf(usage);
  }

  public static QuotaSubject of(String group, String plural, JsonNode object) {
    Map<String, Quantity> usage = new TreeMap<>();
    boolean core = group.isEmpty();
    if (core && plural.equals("pods")) {
      String phase = object.path("status").path("phase").asString("");
      if (phase.equals("Succeeded") || phase.equals("Failed")) {
        return new QuotaSubject(Map.of(), PodScopes.of(object));
      }
      addPod(usage, object.path("spec"));
    } else if (core && plural.equals("services")) {
      addService(usage, object.path("spec"));
    } else if (core && plural.equals("persistentvolumeclaims")) {
      addClaim(usage, object.path("spec"));
    }
    usage.put("count/" + plural + (core ? "" : "." + group), ONE);
    if (core && COUNTED_BY_NAME.contains(plural)) {
      usage.put(plural, ONE);
    }
    return new QuotaSubject(usage, core && plural.equals("pods") ? PodScopes.of(object) : null);
  }

  /// Whether a quota counts this object: all of its scopes must fit.
  public boolean fits(JsonNode quotaSpec) {
    JsonNode scopes = quotaSpec.path("scopes");
    JsonNode expressions = quotaSpec.path("scopeSelector").path("matchExpressions");
    if (scopes.isEmpty() && expressions.isEmpty()) {
      return true;
    }
    return pod != null && pod.fits(scopes, expressions);
  }

  private static void addPod(Map<String, Quantity> usage, JsonNode spec) {
    PodAmounts.of(spec, "requests")
        .forEach(
            (name, amount) -> {
              if (STANDARD.contains(name)) {
                usage.put(name, amount);
              }
              usage.put("requests." + name, amount);
              if (name.startsWith("hugepages-")) {
                usage.put(name, amount);
              }
            });
    PodAmounts.of(spec, "limits")
        .forEach(
            (name, amount) -> {
              if (STANDARD.contains(name)) {
                usage.put("limits." + name, amount);
              }
            });
  }

  private static void addService(Map<String, Quantity> usage, JsonNode spec) {
    int ports = spec.path("ports").size();
    int chosen = 0;
    for (JsonNode port : spec.path("ports")) {
      chosen += port.path("nodePort").asInt(0) > 0 ? 1 : 0;
    }
    boolean allocates = spec.path("allocateLoadBalancerNodePorts").asBoolean(true);
    switch (spec.path("type").asString("")) {
      case "NodePort" -> usage.put("services.nodeports", Quantity.of(ports));
      case "LoadBalancer" -> {
        usage.put("services.nodeports", Quantity.of(allocates ? ports : chosen));
        usage.put("services.loadbalancers", ONE);
      }
      default -> {
        // Uses neither.
      }
    }
  }

  private static void addClaim(Map<String, Quantity> usage, JsonNode spec) {
    Quantity storage = Quantity.parseOrNull(spec.at("/resources/requests/storage").asString("0"));
    Quantity amount = storage == null ? Quantity.ZERO : storage;
    usage.put("requests.storage", amount);
    String storageClass = spec.path("storageClassName").asString("");
    if (!storageClass.isEmpty()) {
      String prefix = storageClass + ".storageclass.storage.k8s.io/";
      usage.put(prefix + "requests.storage", amount);
      usage.put(prefix + "persistentvolumeclaims", ONE);
    }
  }
}
