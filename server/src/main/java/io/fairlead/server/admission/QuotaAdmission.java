package io.fairlead.server.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.quota.PodAmounts;
import io.fairlead.api.quota.QuotaSubject;
import io.fairlead.api.quota.ResourceAmounts;
import io.fairlead.api.schema.Quantity;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Charges new and changed objects to the ResourceQuotas of their namespace.
///
/// How it works: what an object uses more than before is added to the use in the quota's status,
/// and the quota is written in the same commit as the object, on condition that no other request
/// has charged it meanwhile. So two requests at once can never share the last place. The controller
/// gives back what is gone.
public final class QuotaAdmission {
  public static final String GROUP = "";
  public static final String PLURAL = "resourcequotas";

  private static final Set<String> MUST_SPECIFY =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private QuotaAdmission() {}

  /// The quotas that are charged, with their new use; the server stores them with the object.
  ///
  /// @throws ApiException 403 when one is exceeded
  public static List<ObjectNode> charge(AdmissionRequest request) {
    ResourceDescriptor descriptor = request.descriptor();
    RequestContext context = request.context();
    boolean itself = request.isFor(GROUP, PLURAL) && !request.creates();
    if (!descriptor.namespaced() || itself || context.namespace().isEmpty()) {
      return List.of();
    }
    List<ObjectNode> quotas = context.reader().list(GROUP, PLURAL, context.namespace());
    if (quotas.isEmpty()) {
      return List.of();
    }
    QuotaSubject now = subject(descriptor, request.object());
    Map<String, Quantity> more = new TreeMap<>(now.usage());
    ObjectNode old = request.old();
    if (old != null) {
      subject(descriptor, old)
          .usage()
          .forEach((name, amount) -> more.merge(name, amount, (one, two) -> one.minus(two)));
      more.values().removeIf(amount -> amount.signum() <= 0);
    }
    List<ObjectNode> charged = new ArrayList<>();
    for (ObjectNode quota : quotas) {
      if (now.fits(quota.path("spec")) && charge(request, quota, more)) {
        charged.add(quota);
      }
    }
    return charged;
  }

  private static QuotaSubject subject(ResourceDescriptor descriptor, ObjectNode object) {
    return QuotaSubject.of(descriptor.group(), descriptor.plural(), object);
  }

  /// Adds to the quota's use; says whether there was anything to add.
  private static boolean charge(
      AdmissionRequest request, ObjectNode quota, Map<String, Quantity> more) {
    String name = quota.path("metadata").path("name").asString("");
    Map<String, Quantity> hard = ResourceAmounts.of(quota.path("status").path("hard"));
    Map<String, Quantity> used = ResourceAmounts.of(quota.path("status").path("used"));
    if (request.isPod() && request.creates()) {
      checkSpecified(request, name, hard.keySet());
    }
    Map<String, Quantity> requested = new TreeMap<>(more);
    requested.keySet().retainAll(hard.keySet());
    requested.values().removeIf(Quantity::isZero);
    if (requested.isEmpty()) {
      return false;
    }
    Set<String> unknown = new TreeSet<>(requested.keySet());
    unknown.removeAll(used.keySet());
    if (!unknown.isEmpty()) {
      throw request.forbidden(
          "status unknown for quota: " + name + ", resources: " + String.join(",", unknown));
    }
    Map<String, Quantity> after = new TreeMap<>(used);
    ResourceAmounts.add(after, requested);
    Set<String> exceeded = new TreeSet<>();
    for (String one : requested.keySet()) {
      if (after.getOrDefault(one, Quantity.ZERO).compareTo(hard.getOrDefault(one, Quantity.ZERO))
          > 0) {
        exceeded.add(one);
      }
    }
    if (!exceeded.isEmpty()) {
      throw request.forbidden(
          "exceeded quota: "
              + name
              + ", requested: "
              + text(requested, exceeded)
              + ", used: "
              + text(used, exceeded)
              + ", limited: "
              + text(hard, exceeded));
    }
    ResourceAmounts.write(after, Json.child(Json.child(quota, "status"), "used"));
    return true;
  }

  /// A quota of processors or memory needs to know what each container asks for.
  private static void checkSpecified(
      AdmissionRequest request, String quota, Set<String> constrained) {
    Map<String, List<String>> missing = new LinkedHashMap<>();
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : request.object().path("spec").path(list)) {
        Map<String, Quantity> requests = PodAmounts.ofContainer(container, "requests");
        Map<String, Quantity> limits = PodAmounts.ofContainer(container, "limits");
        for (String name : new TreeSet<>(constrained)) {
          if (!MUST_SPECIFY.contains(name)) {
            continue;
          }
          String plain = name.substring(name.indexOf('.') + 1);
          if (!(name.startsWith("limits.") ? limits : requests).containsKey(plain)) {
            missing
                .computeIfAbsent(name, _ -> new ArrayList<>())
                .add(container.path("name").asString(""));
          }
        }
      }
    }
    if (!missing.isEmpty()) {
      List<String> parts = new ArrayList<>();
      new TreeMap<>(missing)
          .forEach((name, who) -> parts.add(name + " for: " + String.join(",", who)));
      throw request.forbidden(
          "failed quota: " + quota + ": must specify " + String.join("; ", parts));
    }
  }

  private static String text(Map<String, Quantity> amounts, Set<String> names) {
    Map<String, Quantity> shown = new TreeMap<>(amounts);
    shown.keySet().retainAll(names);
    return ResourceAmounts.text(shown);
  }
}
