package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resources.kind.Problems;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Decides of which families a Service gets addresses.
final class IpFamilies {
  private static final String SINGLE = "SingleStack";
  private static final String REQUIRE = "RequireDualStack";

  private IpFamilies() {}

  /// A client that knows only `clusterIP` gets `clusterIPs` that say the same.
  static void normalize(ObjectNode spec, @Nullable JsonNode before) {
    String one = spec.path("clusterIP").asString("");
    JsonNode all = spec.path("clusterIPs");
    if (before == null || before.path("clusterIPs").isEmpty()) {
      if (!one.isEmpty() && all.isEmpty()) {
        spec.putArray("clusterIPs").add(one);
      }
      return;
    }
    boolean changedOne = !spec.path("clusterIP").equals(before.path("clusterIP"));
    if (changedOne && all.equals(before.path("clusterIPs"))) {
      if (one.isEmpty()) {
        spec.remove("clusterIPs");
      } else {
        List<String> addresses = ServiceSpec.clusterIps(spec);
        addresses.set(0, one);
        put(spec, "clusterIPs", addresses);
      }
    } else if (all.isEmpty() && !one.isEmpty()) {
      spec.putArray("clusterIPs").add(one);
    }
  }

  /// Fills in the policy and the families. `cluster` are the families of the cluster, its own
  /// first. Finds problems instead of filling in when the wishes do not fit the cluster.
  static void init(
      ObjectNode spec, @Nullable JsonNode before, List<String> cluster, Problems problems) {
    boolean headless = ServiceSpec.isHeadless(spec);
    boolean selectorless = headless && spec.path("selector").isEmpty();
    if (!spec.has("ipFamilyPolicy")) {
      String policy =
          before != null && before.has("ipFamilyPolicy")
              ? before.path("ipFamilyPolicy").asString("")
              : selectorless && ServiceSpec.ipFamilies(spec).isEmpty() ? REQUIRE : SINGLE;
      spec.put("ipFamilyPolicy", policy);
    }
    List<String> families = ServiceSpec.ipFamilies(spec);
    if (families.isEmpty() && before != null && ServiceSpec.needsClusterIp(before)) {
      families = ServiceSpec.ipFamilies(before);
    }
    String policy = spec.path("ipFamilyPolicy").asString("");
    inferFromAddresses(spec, families, cluster, problems);
    if (policy.equals(SINGLE)) {
      families = single(spec, before, families, problems);
    }
    if (!problems.isEmpty()) {
      return;
    }
    String primary = cluster.getFirst();
    if (selectorless) {
      if (families.isEmpty()) {
        families.add(primary);
      }
      if (families.size() == 1 && !policy.equals(SINGLE)) {
        families.add(other(families.getFirst()));
      }
      put(spec, "ipFamilies", families);
      return;
    }
    checkCluster(spec, before, policy, families, cluster, problems);
    if (families.isEmpty()) {
      families.add(primary);
    }
    if (families.size() == 1 && !policy.equals(SINGLE) && cluster.size() > 1) {
      families.add(other(families.getFirst()));
    }
    put(spec, "ipFamilies", families);
  }

  private static void inferFromAddresses(
      ObjectNode spec, List<String> families, List<String> cluster, Problems problems) {
    List<String> addresses = ServiceSpec.clusterIps(spec);
    for (int index = families.size(); index < addresses.size(); index++) {
      IpAddress address = IpAddress.parseOrNull(addresses.get(index));
      if (address == null) {
        return;
      }
      String family = address.isIpv4() ? "IPv4" : "IPv6";
      if (cluster.contains(family)) {
        families.add(family);
      } else {
        problems.invalid(
            "spec.clusterIPs[" + index + "]",
            spec.path("clusterIPs"),
            family + " is not configured on this cluster");
      }
    }
  }

  /// One family only. An update that turns to it keeps the first of what there is.
  private static List<String> single(
      ObjectNode spec, @Nullable JsonNode before, List<String> families, Problems problems) {
    if (before != null
        && ServiceSpec.needsClusterIp(before)
        && !before.path("ipFamilyPolicy").asString("").equals(SINGLE)
        && families.equals(ServiceSpec.ipFamilies(before))
        && families.size() > 1) {
      List<String> addresses = ServiceSpec.clusterIps(spec);
      if (addresses.size() > 1) {
        put(spec, "clusterIPs", addresses.subList(0, 1));
      }
      return new ArrayList<>(families.subList(0, 1));
    }
    String needs = "must be 'RequireDualStack' or 'PreferDualStack' when multiple ";
    if (ServiceSpec.clusterIps(spec).size() > 1) {
      problems.invalid("spec.ipFamilyPolicy", SINGLE, needs + "cluster IPs are specified");
    } else if (families.size() > 1) {
      problems.invalid("spec.ipFamilyPolicy", SINGLE, needs + "IP families are specified");
    }
    return families;
  }

  private static void checkCluster(
      ObjectNode spec,
      @Nullable JsonNode before,
      String policy,
      List<String> families,
      List<String> cluster,
      Problems problems) {
    boolean unchanged =
        before != null
            && before.path("ipFamilyPolicy").equals(spec.path("ipFamilyPolicy"))
            && ServiceSpec.ipFamilies(before).equals(families);
    if (unchanged) {
      return;
    }
    if (policy.equals(REQUIRE) && cluster.size() < 2) {
      problems.invalid(
          "spec.ipFamilyPolicy", policy, "this cluster is not configured for dual-stack services");
    }
    for (int index = 0; index < families.size(); index++) {
      if (!cluster.contains(families.get(index))) {
        problems.invalid(
            "spec.ipFamilies[" + index + "]",
            families.get(index),
            "not configured on this cluster");
      }
    }
  }

  private static String other(String family) {
    return family.equals("IPv4") ? "IPv6" : "IPv4";
  }

  private static void put(ObjectNode spec, String key, List<String> values) {
    ArrayNode list = Json.array();
    values.forEach(list::add);
    spec.set(key, list);
  }
}
