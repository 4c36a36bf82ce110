package io.fairlead.server.resources.service;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.network.AddressChecks;
import io.fairlead.server.resources.network.PortValidation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks Services, in the order in which the original reports.
final class ServiceValidation {
  static final List<String> TYPES =
      List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
  private static final String ONLY_BALANCER = "may only be used when `type` is 'LoadBalancer'";
  private static final int MAX_AFFINITY_SECONDS = 86_400;

  private ServiceValidation() {}

  /// @param before the spec as it was; null for a new Service. Addresses that it had are not judged
  ///   again: rules have become stricter, and what was accepted must stay writable
  static void check(
      ObjectNode service, @Nullable JsonNode before, int emulatedMinor, Problems problems) {
    JsonNode spec = service.path("spec");
    checkType(spec, problems);
    ServicePortValidation.check(spec.path("ports"), problems);
    problems.addAll(MetadataRules.labels(spec.path("selector"), "spec.selector"));
    checkAffinity(spec, problems);
    ClusterIpValidation.check(spec, problems);
    if (!isKept(spec, before, "externalIPs")) {
      checkExternalIps(spec.path("externalIPs"), problems);
    }
    problems.requiredOneOf("spec.type", spec.path("type"), TYPES);
    ServicePortValidation.checkNodePorts(spec, problems);
    ServicePortValidation.checkDuplicates(spec.path("ports"), problems);
    checkLoadBalancer(spec, isKept(spec, before, "loadBalancerSourceRanges"), problems);
    checkPolicies(spec, emulatedMinor, problems);
  }

  static void checkUpdate(ObjectNode service, ObjectNode old, Problems problems) {
    JsonNode now = service.path("spec");
    JsonNode before = old.path("spec");
    ClusterIpValidation.checkUpdate(now, before, problems);
    boolean balancers = ServiceSpec.isLoadBalancer(now) && ServiceSpec.isLoadBalancer(before);
    if (balancers && !now.path("loadBalancerClass").equals(before.path("loadBalancerClass"))) {
      problems.invalid(
          "spec.loadBalancerClass", now.path("loadBalancerClass"), "may not change once set");
    }
    // The original looks at it here and again with the rest.
    checkLoadBalancerClass(now, problems);
    if (ServiceSpec.needsHealthCheckPort(now)
        && ServiceSpec.needsHealthCheckPort(before)
        && now.path("healthCheckNodePort").asInt(0)
            != before.path("healthCheckNodePort").asInt(0)) {
      problems.forbidden("spec.healthCheckNodePort", Problems.IMMUTABLE);
    }
  }

  /// A balancer's address draws traffic on every node, so it must not be one that has another
  /// meaning there: that of the node itself, of its neighbours, of a Service.
  static void checkStatus(ObjectNode service, List<Cidr> serviceRanges, Problems problems) {
    JsonNode ingress = service.at("/status/loadBalancer/ingress");
    String path = "status.loadBalancer.ingress";
    if (!ingress.isEmpty() && !ServiceSpec.isLoadBalancer(service.path("spec"))) {
      problems.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'");
      return;
    }
    int index = 0;
    for (JsonNode one : ingress) {
      String address = one.path("ip").asString("");
      if (!address.isEmpty()) {
        checkIngress(path + "[" + index + "].ip", address, serviceRanges, problems);
      } else if (one.has("ipMode")) {
        problems.forbidden(
            path + "[" + index + "].ipMode", "may not be specified when `ip` is not set");
      }
      String hostname = one.path("hostname").asString("");
      if (!hostname.isEmpty()) {
        problems.each(
            path + "[" + index + "].hostname", hostname, NameValidation.dns1123Subdomain(hostname));
      }
      index++;
    }
  }

  private static void checkIngress(
      String path, String text, List<Cidr> serviceRanges, Problems problems) {
    List<String> texts = AddressRules.addressProblems(text);
    problems.each(path, text, texts);
    if (!texts.isEmpty()) {
      return;
    }
    AddressChecks.checkReachable(text, path, problems);
    IpAddress address = IpAddress.parse(text);
    for (Cidr range : serviceRanges) {
      if (range.family() == address.family() && range.contains(address)) {
        problems.invalid(path, text, "may not be in the range of Services (" + range + ")");
      }
    }
  }

  private static void checkType(JsonNode spec, Problems problems) {
    boolean external = ServiceSpec.isExternalName(spec);
    if (spec.path("ports").isEmpty() && !ServiceSpec.isHeadless(spec) && !external) {
      problems.required("spec.ports");
    }
    if (ServiceSpec.needsNodePorts(spec) && ServiceSpec.isHeadless(spec)) {
      problems.invalid(
          "spec.clusterIPs[0]",
          ServiceSpec.NONE,
          "may not be set to 'None' for " + ServiceSpec.type(spec) + " services");
    }
    if (external) {
      String name = spec.path("externalName").asString("");
      String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
      if (plain.isEmpty()) {
        problems.required("spec.externalName");
      } else {
        problems.each("spec.externalName", plain, NameValidation.dns1123Subdomain(plain));
      }
    }
  }

  private static void checkAffinity(JsonNode spec, Problems problems) {
    problems.requiredOneOf(
        "spec.sessionAffinity", spec.path("sessionAffinity"), List.of("ClientIP", "None"));
    JsonNode seconds = spec.at("/sessionAffinityConfig/clientIP/timeoutSeconds");
    if (seconds.isNumber()
        && (seconds.asLong(0) <= 0 || seconds.asLong(0) > MAX_AFFINITY_SECONDS)) {
      problems.invalid(
          "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
          seconds,
          "must be greater than 0 and less than " + MAX_AFFINITY_SECONDS);
    }
  }

  private static void checkExternalIps(JsonNode addresses, Problems problems) {
    int index = 0;
    for (JsonNode address : addresses) {
      String path = "spec.externalIPs[" + index + "]";
      String text = address.asString("");
      List<String> texts = AddressRules.addressProblems(text);
      problems.each(path, text, texts);
      if (texts.isEmpty()) {
        AddressChecks.checkReachable(text, path, problems);
      }
      index++;
    }
  }

  private static boolean isKept(JsonNode spec, @Nullable JsonNode before, String field) {
    return before != null && spec.path(field).equals(before.path(field));
  }

  private static void checkLoadBalancer(JsonNode spec, boolean rangesKept, Problems problems) {
    boolean balancer = ServiceSpec.isLoadBalancer(spec);
    JsonNode ranges = spec.path("loadBalancerSourceRanges");
    String path = "spec.LoadBalancerSourceRanges";
    if (!ranges.isEmpty() && !balancer) {
      problems.forbidden(path, ONLY_BALANCER);
    }
    int index = 0;
    for (JsonNode range : ranges) {
      String text = range.asString("").strip();
      if (!rangesKept) {
        problems.each(path + "[" + index + "]", text, AddressRules.cidrProblems(text));
      }
      index++;
    }
    if (spec.has("allocateLoadBalancerNodePorts") && !balancer) {
      problems.forbidden("spec.allocateLoadBalancerNodePorts", ONLY_BALANCER);
    }
    checkLoadBalancerClass(spec, problems);
  }

  private static void checkLoadBalancerClass(JsonNode spec, Problems problems) {
    if (!spec.has("loadBalancerClass")) {
      return;
    }
    if (!ServiceSpec.isLoadBalancer(spec)) {
      problems.forbidden("spec.loadBalancerClass", ONLY_BALANCER);
    } else {
      String name = spec.path("loadBalancerClass").asString("");
      problems.each("spec.loadBalancerClass", name, NameValidation.qualifiedName(name));
    }
  }

  private static void checkPolicies(JsonNode spec, int emulatedMinor, Problems problems) {
    JsonNode external = spec.path("externalTrafficPolicy");
    if (ServiceSpec.isExternallyAccessible(spec)) {
      problems.requiredOneOf("spec.externalTrafficPolicy", external, List.of("Cluster", "Local"));
    } else if (!external.asString("").isEmpty()) {
      problems.invalid(
          "spec.externalTrafficPolicy",
          external,
          "may only be set for externally-accessible services");
    }
    int health = spec.path("healthCheckNodePort").asInt(0);
    if (health != 0 && !ServiceSpec.needsHealthCheckPort(spec)) {
      problems.invalid(
          "spec.healthCheckNodePort",
          health,
          "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
    } else if (health != 0) {
      PortValidation.checkNumber("spec.healthCheckNodePort", health, problems);
    }
    if (TYPES.contains(ServiceSpec.type(spec)) && !ServiceSpec.isExternalName(spec)) {
      JsonNode internal = spec.path("internalTrafficPolicy");
      if (internal.isMissingNode()) {
        problems.required("spec.internalTrafficPolicy");
      } else {
        problems.oneOf("spec.internalTrafficPolicy", internal, List.of("Cluster", "Local"));
      }
    }
    if (spec.has("trafficDistribution")) {
      List<String> known =
          emulatedMinor < 34
              ? List.of("PreferClose")
              : List.of("PreferClose", "PreferSameZone", "PreferSameNode");
      problems.oneOf("spec.trafficDistribution", spec.path("trafficDistribution"), known);
    }
  }
}
