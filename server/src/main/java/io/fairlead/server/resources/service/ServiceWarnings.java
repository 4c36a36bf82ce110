package io.fairlead.server.resources.service;

import io.fairlead.api.net.AddressRules;
import io.fairlead.server.resources.table.Cells;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Advice about Services that are valid but will not do what their author may expect.
final class ServiceWarnings {
  private static final int SAME_ZONE_SINCE = 34;
  private static final int EXTERNAL_IPS_DEPRECATED_SINCE = 36;

  private ServiceWarnings() {}

  static List<String> of(JsonNode spec, int emulatedMinor) {
    List<String> warnings = new ArrayList<>();
    boolean headless = ServiceSpec.isHeadless(spec);
    boolean external = ServiceSpec.isExternalName(spec);
    List<String> externalIps = Cells.strings(spec.path("externalIPs"));
    if (headless) {
      if (!spec.path("loadBalancerIP").asString("").isEmpty()) {
        warnings.add("spec.loadBalancerIP is ignored for headless services");
      }
      if (!externalIps.isEmpty()) {
        warnings.add("spec.externalIPs is ignored for headless services");
      }
      if (!spec.path("sessionAffinity").asString("").equals("None")) {
        warnings.add("spec.SessionAffinity is ignored for headless services");
      }
    } else {
      canonical(warnings, "spec.clusterIPs", ServiceSpec.clusterIps(spec));
    }
    canonical(warnings, "spec.externalIPs", externalIps);
    String balancer = spec.path("loadBalancerIP").asString("");
    warnings.addAll(AddressRules.addressWarnings("spec.loadBalancerIP", balancer));
    int index = 0;
    for (String range : Cells.strings(spec.path("loadBalancerSourceRanges"))) {
      warnings.addAll(
          AddressRules.cidrWarnings("spec.loadBalancerSourceRanges[" + index + "]", range.strip()));
      index++;
    }
    if (external && !externalIps.isEmpty()) {
      warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
    }
    if (!external && !spec.path("externalName").asString("").isEmpty()) {
      warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
    }
    if (spec.path("trafficDistribution").asString("").equals("PreferClose")
        && emulatedMinor >= SAME_ZONE_SINCE) {
      warnings.add(
          "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
    }
    if (!externalIps.isEmpty() && !headless && emulatedMinor >= EXTERNAL_IPS_DEPRECATED_SINCE) {
      warnings.add(
          "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }
    return warnings;
  }

  private static void canonical(List<String> warnings, String path, List<String> addresses) {
    int index = 0;
    for (String address : addresses) {
      warnings.addAll(AddressRules.addressWarnings(path + "[" + index + "]", address));
      index++;
    }
  }
}
